import Access
import Codecs
import Hummingbird
import NIOCore

/// The state of one request while it is handled.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The caller. ``Authentication`` sets it and ``Authorization`` checks it before the route runs.
    var identity = Identity.unknown
    /// The reason why the token of the request is invalid, as a sentence.
    var identityFault: String?
    /// The other end of the connection.
    let peer: IPAddress?
    /// The client, for limits: ``IPAddress/client``. Empty if there is none. ``ClientAddress`` sets it for the clients
    /// of a proxy.
    var address: String
    /// The caller for the middlewares outside of the authentication.
    let requestIdentity = RequestIdentity()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = IPAddress(source.channel.remoteAddress)
        address = peer?.client ?? ""
    }

    /// Limit of a request's body in bytes. A year's transactions are below 1 MB, a pasted mail is below 8 MB.
    var maxUploadSize: Int { 8 << 20 }
}

/// The identity that the authentication found, visible to the middlewares around it.
///
/// `@unchecked Sendable`: the request's task writes it, and only the callers of that task read it, after it has
/// returned.
final class RequestIdentity: @unchecked Sendable {
    var identity = Identity.unknown
}
