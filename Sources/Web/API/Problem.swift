import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import NIOCore
import Store

/// A refused request of the API: problem details (RFC 9457) with the problems of each field.
struct Problem: HTTPResponseError {
    var status: HTTPResponse.Status
    /// The event and the remedy. Never repeats text of the client.
    var detail: String
    /// Problems by field name; in lists `2.parsed_amount`.
    var errors: [FieldProblem] = []
    var headers: HTTPFields = [:]

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var members: [(String, JSON)] = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .integer(Int64(status.code))), ("detail", .string(detail)),
            ("request_id", .string(context.id)),
        ]
        if !errors.isEmpty { members.append(("errors", .array(errors.map(Self.json)))) }
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: JSON.object(members).utf8)))
    }

    /// Adds the position in the body as a JSON Pointer (RFC 6901).
    private static func json(_ error: FieldProblem) -> JSON {
        let pointer =
            error.field.isEmpty
            ? "" : "/" + error.field.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "/")
        return .object([
            ("field", .string(error.field)), ("pointer", .string(pointer)), ("detail", .string(error.detail)),
        ])
    }

    static func notFound(_ what: String) -> Problem { Problem(status: .notFound, detail: "There is no \(what).") }
    static func invalid(_ errors: [FieldProblem]) -> Problem {
        Problem(
            status: .unprocessableContent, detail: "Some values are invalid: 'errors' lists them.",
            errors: errors)
    }
    static func invalid(_ field: String, _ detail: String) -> Problem { invalid([FieldProblem(field, detail)]) }
    static let changed = Problem(
        status: .preconditionFailed,
        detail: "The row has changed since you read it: read it again and repeat your change.")
}

extension Problem {
    private static func sentence(_ text: String) -> String { "\(text.prefix(1).uppercased())\(text.dropFirst())." }

    /// - Parameter isStale: true if the client's precondition failed.
    init(_ error: StoreError, isStale: Bool) {
        switch error.kind {
        case .notFound: self = Problem(status: .notFound, detail: Self.sentence(error.message))
        case .conflict:
            self =
                isStale
                ? .changed : Problem(status: .conflict, detail: Self.sentence(error.message), errors: error.fields)
        case .invalid: self = .invalid(error.fields)
        case .busy:
            self = Problem(
                status: .serviceUnavailable, detail: "The ledger is busy: try again.", headers: [.retryAfter: "1"])
        case .diskFull:
            self = Problem(
                status: .insufficientStorage,
                detail: "No space is left on the disk of the ledger; nothing was written.", headers: [.retryAfter: "60"]
            )
        case .readOnly:
            self = Problem(
                status: .serviceUnavailable,
                detail: "This process may not write the ledger: run 'spendwised web' as a user that may.")
        case .cannotOpen, .notADatabase, .newerSchema, .olderSchema, .corrupt, .other:
            self = Problem(
                status: .serviceUnavailable,
                detail: "The ledger cannot be read or written; the log of spendwised gives the reason.")
        }
    }
}

extension HTTPResponse.Status {
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
