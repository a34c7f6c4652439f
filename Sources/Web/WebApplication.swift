public import Access
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle

/// The HTTP server: one router, the middlewares that guard it, and the limits of a connection.
public enum WebApplication {
    struct About: ResponseEncodable {
        var name = "SpendWise"
        var version: String
    }

    /// Seconds after which an idle connection is closed.
    private static let idleSeconds: Int64 = 75
    /// Limit of the request line and of the header. Browsers send less than 2 kB, an address with a long filter 4 kB.
    private static let maximumHeaderBytes = 16 << 10
    private static let maximumHeaderFields = 100
    /// Open connections of clients. More close idle ones.
    public static let mostConnections = ConnectionTable.Limits().all

    /// - Parameters:
    ///   - certificate: the certificate for TLS 1.3; `nil` serves plain HTTP.
    ///   - onServerRunning: receives the port, which the system chooses if `port` is 0.
    public static func make(
        host: String, port: Int, services: WebServices, certificate: ServerCertificate? = nil,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        try application(
            host, port, services.access.policy.proxies, router(services).buildResponder(),
            [services.access.audit, services.events], services.logger, certificate, onServerRunning)
    }

    /// A server of many ledgers, each under a host name of its own.
    ///
    /// - Parameters:
    ///   - policy: for requests of no ledger.
    ///   - services: run as long as the server.
    ///   - certificate, onServerRunning: as for one ledger.
    public static func make(
        host: String, port: Int, sites: any WebSites, policy: AccessPolicy, services: [any Service], logger: Logger,
        certificate: ServerCertificate? = nil, onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        try application(
            host, port, policy.proxies, SiteResponder(sites: sites, policy: policy), services, logger, certificate,
            onServerRunning)
    }

    private static func application<Responder: HTTPResponder>(
        _ host: String, _ port: Int, _ proxies: TrustedProxies, _ responder: Responder, _ services: [any Service],
        _ logger: Logger, _ certificate: ServerCertificate?,
        _ onServerRunning: @escaping @Sendable (Int) async -> Void
    ) throws -> Application<ClientAddress<Responder>> where Responder.Context == WebContext {
        let connections = Connections(proxies: proxies, logger: logger)
        let server = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionHandler(connections)], idleTimeout: .seconds(idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: maximumHeaderBytes, maxHeaderListSize: maximumHeaderBytes,
                    maxHeaderFieldCount: maximumHeaderFields)))
        return Application(
            responder: ClientAddress(proxies: proxies, next: responder),
            server: try certificate.map { try .tls(server, tlsConfiguration: $0.configuration) } ?? server,
            configuration: .init(address: .hostname(host, port: port), serverName: "SpendWise"),
            services: services,
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger)
    }

    static func router(_ services: WebServices) -> Router<WebContext> {
        // HEAD is GET without the body (RFC 9110, section 9.3.2).
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        Guards.add(to: router, services)
        LoginRoutes.add(to: router, services)
        PairRoute.add(to: router, services)
        StatusRoutes.add(to: router, services)
        EventRoute.add(to: router, services)
        APIRoutes.add(to: router, services)
        PageRoutes.add(to: router, services)
        return router
    }
}
