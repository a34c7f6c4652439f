import Access
import Glibc
import Hummingbird
import NIOCore

/// The state of one request while it is handled.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The caller. ``Authentication`` sets it and ``Authorization`` checks it before the route runs.
    var identity = Identity.unknown
    /// The reason why the token of the request is invalid, as a sentence.
    var identityFault: String?
    /// The client's address without the port: IPv4, or the /64 network of an IPv6 address. Empty if there is none.
    let address: String
    /// The caller for the middlewares outside of the authentication.
    let requestIdentity = RequestIdentity()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = Self.address(source.channel.remoteAddress)
    }

    /// Limit of a request's body in bytes. A year's transactions are below 1 MB, a pasted mail is below 8 MB.
    var maxUploadSize: Int { 8 << 20 }

    /// Returns ``address-swift.property`` of a connection.
    static func address(_ remote: SocketAddress?) -> String {
        guard let text = remote?.ipAddress else { return "" }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        // IPv4-mapped addresses, ::ffff:0:0/96 (RFC 4291, section 2.5.5.2).
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map { "\($0)" }.joined(separator: ".")
        }
        // A client chooses the interface identifier of its address freely (RFC 8981).
        return stride(from: 0, to: 8, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":") + "::/64"
    }
}

/// The identity that the authentication found, visible to the middlewares around it.
///
/// `@unchecked Sendable`: the request's task writes it, and only the callers of that task read it, after it has
/// returned.
final class RequestIdentity: @unchecked Sendable {
    var identity = Identity.unknown
}
