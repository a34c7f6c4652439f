import Access
import Glibc
import Hummingbird
import NIOCore

/// What is known of one request while it is answered.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who asks. Set before a route runs, and what the route needs has been checked by then.
    var identity = Identity.nobody
    /// Why the token that was sent is not good, in a sentence.
    var identityFault: String?
    /// The client's address without the port, of IPv6 the network of /64; empty where there is none.
    let address: String
    /// For what stands before the authentication and ends after it.
    let visitor = Visitor()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = Self.address(source.channel.remoteAddress)
    }

    /// Bytes of a request's body that are read; a bulk of a year's transactions is below 1 MB, a pasted mail below 8.
    var maxUploadSize: Int { 8 << 20 }

    /// Of a connection; see ``address-swift.property``.
    static func address(_ remote: SocketAddress?) -> String {
        guard let text = remote?.ipAddress else { return "" }
        var bytes = [UInt8](repeating: 0, count: 16)
        // What is no IPv6 address is an IPv4 one.
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        // ::ffff:0:0/96 stands for IPv4 (RFC 4291 section 2.5.5.2).
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map { "\($0)" }.joined(separator: ".")
        }
        // A client chooses the lower half of its address as it likes (RFC 8981).
        return stride(from: 0, to: 8, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":") + "::/64"
    }
}

/// Who turned out to ask.
final class Visitor: @unchecked Sendable {  // one task writes it, and only what that task returns to reads it
    var identity = Identity.nobody
}
