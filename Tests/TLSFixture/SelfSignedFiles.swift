import Foundation
import HTTPTypes
import HummingbirdTesting
public import NIOSSL
public import Testing

/// A server's self-signed certificate with its key, and clients that trust it.
public struct SelfSignedFiles: Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

    /// Removes both files, so that the server makes others.
    public func remove() throws {
        for file in [certificate, key] { try FileManager.default.removeItem(atPath: file) }
    }

    /// The configuration of a client that trusts the present certificate.
    public func client(_ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificate))
        change(&configuration)
        return configuration
    }

    /// Status of `GET /health` over the loopback, or `nil` without a connection.
    public func status(
        _ port: Int, _ configuration: TLSConfiguration?, name: String = "localhost"
    ) async -> Int? {
        try? await TestClient.withClient(
            host: "127.0.0.1", port: port,
            configuration: .init(tlsConfiguration: configuration, timeout: .seconds(120), serverName: name)
        ) { client in
            try await client.execute(.init("/health", method: .get, authority: name)).status.code
        }
    }

    public func expect(
        _ status: Int?, _ port: Int, _ configuration: TLSConfiguration?, name: String = "localhost",
        _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
    ) async {
        let answered = await self.status(port, configuration, name: name)
        #expect(answered == status, comment, sourceLocation: place)
    }
}
