import Access
import Crypto
import HTTPTypes
import Hummingbird
import Store
import Synchronization

extension HTTPRequest.Method {
    static let query = HTTPRequest.Method("QUERY")!  // a constant token (RFC 9110, section 5.6.2)
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!  // constant tokens (RFC 9110, section 5.6.2)
    static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed")!
    static let link = HTTPField.Name("Link")!
    static let totalCount = HTTPField.Name("X-Total-Count")!
}

/// Makes POST safe to repeat: the same Idempotency-Key with the same request gets the first response again and changes
/// nothing. See draft-ietf-httpapi-idempotency-key-header. Only successful responses are stored, for a day; a refused
/// request may be corrected and sent again.
final class IdempotencyCache: Sendable {
    private let services: WebServices
    /// Keys of the requests in progress.
    private let open = Mutex<Set<String>>([])

    init(_ services: WebServices) { self.services = services }

    func answer(_ call: Call) async throws -> Answer {
        guard let key = call.request.headers[.idempotencyKey] else { return try await call.endpoint.run(call) }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(
                status: .badRequest,
                detail: "Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.")
        }
        let identity = call.context.identity
        let client = identity.id.map { "\(identity.kind.rawValue) \($0)" } ?? identity.kind.rawValue
        let bytes = try await call.bytes()
        var request = call.request
        request.body = .init(buffer: .init(bytes: bytes))
        var hash = SHA256()
        hash.update(data: Array("\(call.request.method.rawValue) \(call.request.uri.string)\n".utf8))
        hash.update(data: bytes)
        let digest = Array(hash.finalize())
        let name = "\(client)\n\(key)"
        guard open.withLock({ $0.insert(name).inserted }) else {
            throw Problem(
                status: .conflict,
                detail: "A request with this Idempotency-Key is in progress: wait for its response.",
                headers: [.retryAfter: "1"])
        }
        defer { open.withLock { _ = $0.remove(name) } }
        let idempotent = IdempotentRequest(client: client, key: key, digest: digest)
        // The stored response precedes all checks: the same change may be impossible now.
        if let known = try await call.read({ try idempotent.known($0) }) { return known }
        return try await call.endpoint.run(
            Call(
                request: request, context: call.context, services: call.services, endpoint: call.endpoint,
                idempotent: idempotent))
    }
}

/// A request with an Idempotency-Key.
struct IdempotentRequest: Sendable {
    var client: String
    var key: String
    /// SHA-256 of method, URI and body.
    var digest: [UInt8]

    /// Returns the stored response to the same request.
    func known(_ store: some ReadScope) throws -> Answer? {
        guard let known = try store.answers.find(client: client, key: key) else { return nil }
        guard known.request == digest else {
            throw Problem(
                status: .unprocessableContent,
                detail: "This Idempotency-Key was used for another request: use a new key for each change.")
        }
        return Answer(known)
    }

    /// Runs `body` and stores its response, unless another process has stored one since the first check.
    ///
    /// - Parameter store: the store within the change's database transaction.
    func answer(_ store: WriteTransaction, _ body: (WriteTransaction) throws -> Answer) throws -> Answer {
        if let known = try known(store) { return known }
        let answer = try body(store)
        if let stored = answer.stored(for: digest) { try store.answers.keep(stored, client: client, key: key) }
        return answer
    }
}

extension Answer {
    fileprivate init(_ stored: StoredAnswer) {
        status = HTTPResponse.Status(code: stored.status)
        for line in stored.headers.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, let name = HTTPField.Name(String(parts[0])) {
                headers[name] = String(parts[1].drop { $0 == " " })
            }
        }
        headers[.idempotencyReplayed] = "true"
        body = stored.body.isEmpty ? .none : .bytes(stored.body)
    }

    /// `nil` unless the request succeeded.
    fileprivate func stored(for request: [UInt8]) -> StoredAnswer? {
        guard (200..<300).contains(status.code) else { return nil }
        var bytes: [UInt8] = []
        if case .bytes(let body) = body { bytes = body }
        return StoredAnswer(
            request: request, status: status.code,
            headers: headers.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n"), body: bytes)
    }
}
