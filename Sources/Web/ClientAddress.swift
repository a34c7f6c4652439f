import Access
import Codecs
import HTTPTypes
import Hummingbird
import NIOCore

extension IPAddress {
    /// `nil` for a connection without IP.
    init?(_ remote: SocketAddress?) {
        guard let text = remote?.ipAddress else { return nil }
        self.init(text)
    }

    /// What the limits of a client count: an IPv4 address, or the /64 network of an IPv6 address, whose other half a
    /// client chooses freely (RFC 8981).
    var client: String {
        guard bytes.count == 16 else { return description }
        return stride(from: 0, to: 8, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":") + "::/64"
    }
}

extension HTTPField.Name {
    static let forwarded = HTTPField.Name("Forwarded")!  // constant tokens (RFC 9110, section 5.6.2)
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}

/// Decides the client of each request before anything counts its requests.
struct ClientAddress<Next: HTTPResponder>: HTTPResponder where Next.Context == WebContext {
    let proxies: TrustedProxies
    let next: Next

    func respond(to request: Request, context: WebContext) async throws -> Response {
        guard let peer = context.peer, proxies.contains(peer) else {
            return try await next.respond(to: request, context: context)
        }
        var context = context
        context.address =
            proxies.client(
                of: peer, forwardedFor: request.headers[values: .forwardedFor],
                forwarded: request.headers[values: .forwarded]
            ).client
        return try await next.respond(to: request, context: context)
    }
}
