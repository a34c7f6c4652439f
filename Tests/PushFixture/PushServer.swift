import Crypto
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// An HTTP/2 server with TLS on the loopback interface. Records requests and sends the configured answers in order.
public final class PushServer: Sendable {
    public struct Received: Sendable {
        public var path: String
        public var method: String
        public var headers: [String: String]
        public var body: String
    }

    public enum Answer: Sendable {
        case status(Int, body: String = "", headers: [String: String] = [:])
        /// A stream that ends inside the answer.
        case cut
        /// No answer while the server runs.
        case never
    }

    private let received = Mutex<[Received]>([])
    private let answers = Mutex<[Answer]>([])
    private let (ports, portGiven) = AsyncStream<Int>.makeStream()
    private let task = Mutex<Task<Void, any Error>?>(nil)

    public init() {}

    /// A signing key in Apple's format, PEM.
    public static var newKey: String { P256.Signing.PrivateKey().pemRepresentation }

    public var requests: [Received] { received.withLock { $0 } }
    /// Sets the answers. The last one is repeated.
    public func answer(_ answers: Answer...) { self.answers.withLock { $0 = answers } }

    /// Starts the server. Returns `https://localhost:PORT`.
    public func start(certificate: String, key: String) async throws -> String {
        answer(.status(200))
        let router = Router()
        for method in [HTTPRequest.Method.post, .put, .get] {
            for path in ["/", "**"] {
                router.on(.init(path), method: method) { [self] request, _ in try await self.receive(request) }
            }
        }
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        tls.applicationProtocols = ["h2", "http/1.1"]
        var logger = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let given = portGiven
        let application = Application(
            router: router, server: try .http2Upgrade(tlsConfiguration: tls),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { given.yield($0.localAddress?.port ?? 0) }, logger: logger)
        task.withLock { $0 = Task { try await application.run() } }
        for await port in ports { return "https://localhost:\(port)" }
        return ""
    }

    public func stop() { task.withLock { $0?.cancel() } }
    deinit { stop() }

    private func receive(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let one = Received(
            path: request.uri.path, method: request.method.rawValue, headers: headers, body: String(buffer: body))
        received.withLock { $0.append(one) }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(200) }
        switch answer {
        case .status(let status, let body, let more):
            var fields = HTTPFields()
            for (name, value) in more { if let name = HTTPField.Name(name) { fields[name] = value } }
            return Response(
                status: .init(code: status), headers: fields, body: .init(byteBuffer: ByteBuffer(string: body)))
        case .never:
            try await Task.sleep(for: .seconds(3600))
            return Response(status: .serviceUnavailable)
        case .cut:
            struct Cut: Error {}
            return Response(
                status: .ok, headers: [.contentLength: "1000"],
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    throw Cut()
                })
        }
    }
}
