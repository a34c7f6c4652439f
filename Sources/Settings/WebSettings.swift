public import Codecs
public import YAMLSource

/// `web:`: address, certificate and access rules of the web role.
public struct WebSettings: Sendable {
    public enum TLS: Sendable, Equatable {
        case none
        /// PEM files: the certificate chain and the key.
        case files(certificate: String, key: String)
        /// A self-signed certificate, created at the first start in these PEM files.
        case selfSigned(certificate: String, key: String)
    }

    /// Literal address or `localhost`.
    public var host = "127.0.0.1"
    public var port = 8001
    /// Host names and addresses besides the loopback's and the listening address, lower case.
    public var names: [String] = []
    public var tls = TLS.none
    /// PEM file of the authority that signs client certificates; if set, every client needs one.
    public var clientCA: String?
    /// If false, the server requires neither login nor token; allowed on the loopback only.
    public var asksForLogin = true
    /// Longest idle time of a login, in seconds.
    public var idleSeconds = 300
    public var longestSeconds = 43_200
    /// Request limit of one client; 0 means no limit.
    public var requestsPerMinute = 60
    /// Servers that pass on requests of clients and name the client.
    public var trustedProxies: [IPNetwork] = []
    /// Days for which the audit log is kept; 0 disables the log.
    public var auditDays = 365
    /// If false, the mail reader takes no mailboxes from the page.
    public var addsMailboxes = true

    public var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    init() {}

    /// The settings of a server whose host names the caller decides.
    ///
    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - state: the folder for a self-signed certificate.
    public init(_ node: YAMLNode, names: [String], folder: String, state: String) throws(SourceError) {
        self.names = names
        try read(node, folder: folder, state: state)
    }

    private static let keys = [
        "listen", "names", "tls", "authentication", "session_idle", "session_longest", "requests_per_minute",
        "trusted_proxies", "audit", "add_mailboxes",
    ]

    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - state: the folder for the daemon's own files.
    mutating func read(_ node: YAMLNode, folder: String, state: String) throws(SourceError) {
        let map = try node.mapping(allowing: Self.keys)
        if let node = map["listen"] { try readListen(node) }
        if let node = map["names"] {
            for item in node.isScalar ? [node] : try node.list() { names.append(try Self.name(item)) }
        }
        if let node = map["tls"] { try readTLS(node, folder: folder, state: state) }
        if let node = map["authentication"] {
            switch try node.string() {
            case "login": asksForLogin = true
            case "none": asksForLogin = false
            case let other: throw node.error("unknown value '\(other)'", remedy: "Use login, or none on the loopback.")
            }
        }
        if let node = map["session_idle"] {
            idleSeconds = try Self.seconds(node, 30...86_400, "from 30s to 1d", usual: "5m")
        }
        if let node = map["session_longest"] {
            longestSeconds = try Self.seconds(node, 60...2_592_000, "from 1m to 30d", usual: "12h")
        }
        if let node = map["requests_per_minute"] {
            guard let value = Int(try node.string()), (0...100_000).contains(value) else {
                throw node.error("a number from 0 to 100000 is expected here", remedy: "60 is usual; 0 sets no limit.")
            }
            requestsPerMinute = value
        }
        if let node = map["trusted_proxies"] {
            for item in node.isScalar ? [node] : try node.list() { trustedProxies.append(try Self.network(item)) }
        }
        if let node = map["audit"] { auditDays = try node.duration() / 86_400 }
        if let node = map["add_mailboxes"] { addsMailboxes = try node.flag() }
        try check(map, node)
    }

    private func check(_ map: YAMLMapping, _ node: YAMLNode) throws(SourceError) {
        if !asksForLogin, !trustedProxies.isEmpty, let place = map["authentication"] {
            throw place.error(
                "clients of a proxy are on other machines, and no login is required",
                remedy: "Remove 'authentication: none' and set a passphrase with 'parserctl passphrase set'.")
        }
        guard !isLoopback else { return }
        let listen = map["listen"] ?? node
        if tls == .none {
            throw listen.error(
                "\(host) is not a loopback address, and TLS is off: anyone on the network could read the ledger and the passphrase",
                remedy:
                    "Add 'tls: self-signed' (or 'tls: { certificate: FILE, key: FILE }') below 'web:', or listen on 127.0.0.1:\(port)."
            )
        }
        if !asksForLogin, let place = map["authentication"] {
            throw place.error(
                "\(host) is not a loopback address, and no login is required",
                remedy: "Remove 'authentication: none' and set a passphrase with 'parserctl passphrase set'.")
        }
        if names.isEmpty, host == "0.0.0.0" || host == "::" {
            throw listen.error(
                "\(host) matches every address of this machine, and no host name is configured",
                remedy:
                    "Add 'names: [NAME, ADDRESS]' below 'web:': the names and addresses that are typed into a browser.")
        }
    }

    private mutating func readListen(_ node: YAMLNode) throws(SourceError) {
        let address = try ListenAddress(node, usual: "127.0.0.1:8001")
        (host, port) = (address.host, address.port)
    }

    private static func name(_ node: YAMLNode) throws(SourceError) -> String {
        let text = try node.string().lowercased()
        guard !text.isEmpty, text.utf8.count <= 253,
            text.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-.:_".utf8.contains($0)
            })
        else {
            throw node.error(
                "'\(text)' is not a name or an address",
                remedy:
                    "Write the part between 'https://' and the port, such as books.home.example or 192.168.1.5.")
        }
        return text
    }

    private static func network(_ node: YAMLNode) throws(SourceError) -> IPNetwork {
        let text = try node.string()
        guard let network = IPNetwork(text) else {
            throw node.error(
                "'\(text)' is not an address or a network",
                remedy: "Write an address such as 192.0.2.7, or a network such as 10.0.0.0/8 or fd00::/8.")
        }
        guard network.prefix > 0 else {
            throw node.error(
                "'\(text)' contains every address: any client could call itself another",
                remedy: "Name the addresses of the balancer only.")
        }
        guard network.first == network.address else {
            throw node.error(
                "'\(text)' is an address in a network",
                remedy: "Write \(network.first)/\(network.prefix) for the network, or \(network.address) alone.")
        }
        return network
    }

    private mutating func readTLS(_ node: YAMLNode, folder: String, state: String) throws(SourceError) {
        let selfSigned = TLS.selfSigned(certificate: state + "/web-certificate.pem", key: state + "/web-key.pem")
        if node.isScalar {
            // `self-made` is the earlier spelling of `self-signed`.
            guard ["self-signed", "self-made"].contains(try node.string()) else {
                throw node.error(
                    "unknown value '\(try node.string())'",
                    remedy: "Use self-signed, or { certificate: FILE, key: FILE }.")
            }
            tls = selfSigned
            return
        }
        let map = try node.mapping(allowing: ["certificate", "key", "client_ca"])
        switch (map["certificate"], map["key"]) {
        case (nil, nil): tls = selfSigned
        case (let certificate?, let key?):
            tls = .files(
                certificate: try Settings.path(certificate, in: folder), key: try Settings.path(key, in: folder))
        case (let one?, nil), (nil, let one?):
            throw one.error(
                "a certificate and its key must be set together",
                remedy: "Name both files, or neither for a self-signed certificate.")
        }
        clientCA = try map["client_ca"].map { node throws(SourceError) in try Settings.path(node, in: folder) }
    }

    private static func seconds(
        _ node: YAMLNode, _ range: ClosedRange<Int>, _ words: String, usual: String
    ) throws(SourceError) -> Int {
        let value = try node.duration()
        guard range.contains(value) else {
            throw node.error("a length of time \(words) is expected here", remedy: "\(usual) is usual.")
        }
        return value
    }
}
