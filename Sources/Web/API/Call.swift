import Access
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import NIOCore
import Store
import Synchronization

/// One request of the API.
struct Call: Sendable {
    let request: Request
    let context: WebContext
    let services: WebServices
    let endpoint: Endpoint
    /// Set if the request carries an Idempotency-Key.
    var idempotent: IdempotentRequest?

    init(
        request: Request, context: WebContext, services: WebServices, endpoint: Endpoint,
        idempotent: IdempotentRequest? = nil
    ) {
        self.request = request
        self.context = context
        self.services = services
        self.endpoint = endpoint
        self.idempotent = idempotent
    }

    /// The caller, for the journal of changes.
    var actor: Actor {
        Actor(
            context.identity.kind == .person ? .page : .client, context.identity.name, user: context.identity.user)
    }

    /// Limit of a JSON body in bytes. A thousand transactions with long notes are smaller.
    static let largestBody = 4 << 20

    /// Reads the body as JSON; `nil` if it is empty.
    func json() async throws -> JSON? {
        let type = request.headers[.contentType].map { $0.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }
        let bytes = try await self.bytes()
        if bytes.isEmpty { return nil }
        guard type == nil || type == "application/json" || type?.hasSuffix("+json") == true else {
            throw Problem(
                status: .unsupportedMediaType, detail: "The body must be JSON: send 'Content-Type: application/json'.",
                headers: [.accept: "application/json"])
        }
        do throws(JSONError) { return try JSON(parsing: bytes) } catch {
            throw Problem(
                status: .badRequest, detail: "The body is not JSON: \(error).", errors: [FieldProblem("", "\(error)")])
        }
    }

    func bytes(atMost limit: Int = largestBody) async throws -> [UInt8] {
        do { return Array(buffer: try await request.body.collect(upTo: limit)) } catch is NIOTooManyBytesError {
            throw Problem(status: .contentTooLarge, detail: "The body may have at most \(limit) bytes.")
        } catch let error as HTTPError where error.status == .contentTooLarge {
            throw Problem(status: .contentTooLarge, detail: "The body may have at most \(limit) bytes.")
        }
    }

    /// Reads the members of the body, which must be an object.
    func fields(required: Bool = true) async throws -> Fields {
        guard let json = try await self.json() else {
            guard required else { return Fields([]) }
            throw Problem(status: .badRequest, detail: "A JSON object is expected as the body.")
        }
        guard case .object(let members) = json else { throw Problem.invalid("", "a JSON object is expected") }
        return Fields(members)
    }

    /// Reads the objects of the body, which must be a list of objects, or an object with such a list as its only
    /// member.
    func rows(_ name: String, atMost limit: Int) async throws -> [Fields] {
        var list = try await self.json()
        if case .object(let members) = list {
            guard members.count == 1, members[0].0 == name else {
                throw Problem.invalid(name, "a list is expected, alone or as the member '\(name)'")
            }
            list = members[0].1
        }
        guard case .array(let items) = list else { throw Problem.invalid(name, "a list of objects is expected") }
        guard items.count <= limit else { throw Problem.invalid(name, "at most \(limit) at once") }
        return try items.enumerated().map { index, item in
            guard case .object(let members) = item else { throw Problem.invalid("\(index)", "an object is expected") }
            return Fields(members, prefix: "\(index).")
        }
    }

    /// Reads from one snapshot of the ledger. Its errors become problems.
    func read<Result: Sendable>(_ body: @escaping @Sendable (Snapshot) throws -> Result) async throws -> Result {
        try await ledger { try $0.read(body) }
    }

    /// Reads the row whose number the path contains.
    ///
    /// - Parameter kind: its name in the problem if there is none.
    func row<Row: Sendable>(
        _ kind: String, _ find: @escaping @Sendable (Snapshot, Int64) throws -> Row?
    ) async throws -> Row {
        let id = try number()
        guard let row = try await read({ try find($0, id) }) else { throw Problem.notFound("\(kind) \(id)") }
        return row
    }

    /// Runs blocking work on the ledger; each call of a repository is a separate snapshot or transaction. Its
    /// errors become problems.
    func ledger<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        do { return try await services.ledger(body) } catch let error as StoreError {
            let problem = Problem(error, isStale: false)
            if problem.status.code >= 500 {
                services.logger.error("the ledger cannot be read or written", metadata: ["reason": "\(error)"])
            }
            throw problem
        }
    }

    /// Runs a change of the ledger in one commit. The commit includes the response to a request with an
    /// Idempotency-Key: after a crash, either both exist or neither.
    /// - Parameter body: must not catch errors of the store.
    func answer(_ body: @escaping @Sendable (WriteTransaction) throws -> Answer) async throws -> Answer {
        let idempotent = idempotent
        return try await ledger { store in
            try store.write { store in try idempotent?.answer(store, body) ?? body(store) }
        }
    }

    /// Throws if the client does not accept the media types of the response.
    func checkAccept() throws {
        let header = HeaderChoice(request.headers[values: .accept])
        let types = endpoint.responses.filter { $0.status < 300 && $0.schema != nil }.flatMap {
            [$0.type] + $0.otherTypes
        }
        guard header.isEmpty || types.isEmpty || types.contains(where: header.accepts) else {
            throw Problem(
                status: .notAcceptable,
                detail: "The response is \(types.joined(separator: " or ")), which Accept excludes.")
        }
    }

    /// Returns a number of the path. Anything else is not found.
    func number(_ name: String = "id") throws -> Int64 {
        guard let text = context.parameters.get(name), let id = Int64(text), id > 0, "\(id)" == text else {
            throw Problem.notFound("such number")
        }
        return id
    }

    func text(_ name: String = "id") throws -> String {
        guard let text = context.parameters.get(name) else { throw Problem.notFound("such thing") }
        guard let plain = PercentEncoding.decode(text) else { throw Problem.notFound("such thing") }
        return plain
    }

    var ifMatch: [String] { request.headers[values: .ifMatch] }

    /// Returns true if If-Match lists the tag, or is absent.
    func expects(_ tag: ETag) -> Bool { ifMatch.isEmpty || tag.isListed(in: ifMatch) }

    /// Edits one row if the client's If-Match holds. The check is part of the same database transaction.
    /// - Parameter edit: receives the check of the current row; if it returns false, the edit is a conflict.
    func edit<Row: Sendable, Result: Sendable>(
        _ tag: @escaping @Sendable (Row) -> ETag,
        _ edit: @escaping @Sendable (Store, @escaping @Sendable (Row) -> Bool) throws -> Result
    ) async throws -> Result {
        let staleness = Staleness()
        let call = self
        do {
            return try await services.ledger { store in
                try edit(store) { row in
                    let holds = call.expects(tag(row))
                    if !holds { staleness.isStale.store(true, ordering: .relaxed) }
                    return holds
                }
            }
        } catch let error as StoreError { throw Problem(error, isStale: staleness.isStale.load(ordering: .relaxed)) }
    }

    private final class Staleness: Sendable { let isStale = Atomic(false) }
}
