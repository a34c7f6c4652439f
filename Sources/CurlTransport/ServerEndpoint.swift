/// Address of a mailbox's server and the kind of TLS. An unprotected connection is impossible.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    public enum TLS: Hashable, Sendable {
        /// TLS from the first byte; usually port 993.
        case implicit
        /// STARTTLS before the login (RFC 9051 section 6.2.1); usually port 143. A server without it is refused.
        case startTLS
    }

    public var host: String
    public var port: UInt16
    public var tls: TLS
    /// PEM file of the only trusted authorities, used instead of the system's.
    public var caFile: String?
    /// Limit for DNS, TCP, TLS, greeting and login together.
    public var connectTimeout: Duration = .seconds(60)

    public init(host: String, port: UInt16? = nil, tls: TLS = .implicit, caFile: String? = nil) {
        self.host = host
        self.port = port ?? (tls == .implicit ? 993 : 143)
        self.tls = tls
        self.caFile = caFile
    }

    public var description: String { host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// `nil` for a host that would change the meaning of the URL.
    var url: String? { url(scheme: "imap") }

    func url(scheme: String) -> String? {
        let plain = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/\\?#@[]<>\"%".utf8.contains($0) }
        guard !host.isEmpty, plain else { return nil }
        return "\(scheme)\(tls == .implicit ? "s" : "")://\(self)/"
    }
}
