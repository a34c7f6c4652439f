import Crypto
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// What a route of the API answers.
struct Answer: Sendable {
    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written as it is made; nothing is held.
        case stream(@Sendable (inout any ResponseBodyWriter) async throws -> Void)
    }

    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: Body = .none

    static func json(_ value: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Answer {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Answer(status: status, headers: headers, body: .bytes(value.utf8))
    }

    static let noContent = Answer(status: .noContent)

    static func created(_ value: JSON, at location: String, headers: HTTPFields = [:]) -> Answer {
        var headers = headers
        headers[.location] = location
        return .json(value, status: .created, headers: headers)
    }

    /// The answer of a GET with its ETag, or 304 where the client has it.
    func tagged(for request: Request, as tag: ETag? = nil) -> Answer {
        guard status == .ok, case .bytes(let bytes) = body else { return self }
        let tag = tag ?? ETag(of: bytes)
        var answer = self
        answer.headers[.eTag] = tag.text
        // A person's books are for nobody's cache but the client's own, which asks each time.
        answer.headers[.cacheControl] = "private, no-cache"
        guard tag.isListed(in: request.headers[values: .ifNoneMatch], weakly: true) else { return answer }
        answer.status = .notModified
        answer.body = .none
        answer.headers[.contentType] = nil
        return answer
    }

    func response() -> Response {
        switch body {
        case .none: Response(status: status, headers: headers)
        case .bytes(let bytes): Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let write):
            Response(
                status: status, headers: headers,
                body: .init { writer in
                    try await write(&writer)
                    try await writer.finish(nil)
                })
        }
    }
}

/// A strong validator (RFC 9110 section 8.8.3).
struct ETag: Hashable, Sendable {
    /// With its quotation marks.
    let text: String

    init(_ value: String) { text = "\"\(value)\"" }

    /// Of what stands in an answer.
    init(of bytes: [UInt8]) {
        self.init(SHA256.hash(data: bytes).prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// - Parameter weakly: `W/"x"` counts as `"x"`, as it does for If-None-Match (section 13.1.2).
    func isListed(in values: [String], weakly: Bool = false) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains {
            var tag = $0.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if weakly, tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == text
        }
    }
}
