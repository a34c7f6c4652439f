public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOSSL

/// The HTTP side. Each group of routes adds itself to the one router; what guards them stands before them.
public enum WebApplication {
    struct About: ResponseEncodable {
        var name = "SpendWise"
        var version: String
    }

    /// After which a connection that says nothing is closed.
    private static let idleSeconds: Int64 = 75
    /// Of a request's line and header: what a browser sends is below 2 kB, a long filter in an address below 4.
    private static let mostHeaderBytes = 16 << 10
    private static let mostHeaderFields = 100

    /// - Parameters:
    ///   - certificate: for TLS 1.3 alone; `nil`: without TLS.
    ///   - onServerRunning: is told the port, which the system chooses where `port` is 0.
    public static func make(
        host: String, port: Int, services: WebServices, certificate: ServerCertificate? = nil,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let connections = Connections(logger: services.logger)
        let server = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionHandler(connections)], idleTimeout: .seconds(idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: mostHeaderBytes, maxHeaderListSize: mostHeaderBytes,
                    maxHeaderFieldCount: mostHeaderFields)))
        return Application(
            router: router(services),
            server: try certificate.map { try .tls(server, tlsConfiguration: $0.configuration) } ?? server,
            configuration: .init(address: .hostname(host, port: port), serverName: "SpendWise"),
            services: [services.access.audit],
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: services.logger)
    }

    static func router(_ services: WebServices) -> Router<WebContext> {
        // HEAD is answered as GET without its body, wherever a route does not do it itself (RFC 9110, section 9.3.2).
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        Guards.add(to: router, services)
        LoginRoutes.add(to: router, services)
        PairRoute.add(to: router, services)
        StatusRoutes.add(to: router, services)
        APIRoutes.add(to: router, services)
        PageRoutes.add(to: router, services)
        return router
    }
}
