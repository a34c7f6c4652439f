import Glibc
import LoopbackFixture
import MailServerFixture

/// A private Dovecot on the loopback interface, with its own authority, users and Maildirs in a temporary folder.
///
/// Runs as root (mail then belongs to Debian's user `mail`) and as any other user. It ends and its folder is removed by
/// ``stop()``, with the fixture, and with the process however that ends: a shell watches a pipe. Not thread-safe.
public final class DovecotFixture: @unchecked Sendable {  // one test uses it at a time
    public struct Options: Sendable {
        /// True to offer TLS.
        public var tls = true
        /// True for a certificate that expired yesterday.
        public var expired = false
        /// Introspection URL for access tokens of XOAUTH2 and OAUTHBEARER (RFC 7628).
        public var introspectionURL: String?
        /// Keep salted hashes instead of the passwords, which CRAM-MD5 and DIGEST-MD5 cannot check.
        public var hashesPasswords = false
        /// The offered SASL mechanisms.
        public var mechanisms = "plain login"
        /// Appended to dovecot.conf.
        public var settings = ""

        public init() {}

        /// True to record IMAP conversations, see ``DovecotFixture/keepConversations(of:)``.
        public static var keepingConversations: Options {
            var options = Options()
            options.settings = "protocol imap {\n  rawlog_dir = %h/rawlog\n}"
            return options
        }
    }

    /// TLS from the first byte. The certificate names `localhost` and 127.0.0.1; the server listens on 127.0.0.2 as
    /// well.
    public let port: UInt16
    /// Plain text, with STARTTLS if `tls` is true.
    public let startTLSPort: UInt16
    public let directory: String
    /// The certificate of the authority.
    public var caFile: String { directory + "/tls/ca.pem" }
    /// The server's certificate and its key.
    public var certificateFile: String { directory + "/tls/server.pem" }
    public var keyFile: String { directory + "/tls/server.key" }
    /// The certificate of an unrelated authority.
    public var otherCAFile: String { directory + "/tls/other.pem" }
    let owner = MailOwner()
    let options: Options
    private let server: WatchedServer
    private var delivered = 0

    /// - Parameter users: passwords by name.
    public init(users: [String: String] = ["user": "secret"], options: Options = Options()) throws {
        self.options = options
        directory = try temporaryFolder("dovecot-fixture")
        port = try freePort()
        startTLSPort = try freePort()
        server = WatchedServer(
            ["dovecot", "-F", "-c", directory + "/dovecot.conf"], in: directory
        ) { [startTLSPort] in greets(startTLSPort) }
        for folder in ["run", "state", "users"] { mkdir("\(directory)/\(folder)", 0o755) }
        try makeCertificates(in: directory, expired: options.expired)
        var lines = ""
        for (user, password) in users {
            lines += "\(user):\(try stored(password)):\(owner.uid):\(owner.gid)::\(home(of: user))::\n"
            try owner.makeFolder(home(of: user))
        }
        try write(Array(lines.utf8), to: directory + "/passwd")
        chmod(directory + "/passwd", 0o644)
        try write(Array(configuration.utf8), to: directory + "/dovecot.conf")
        if let url = options.introspectionURL {
            let lines = [
                "introspection_url = \(url)", "introspection_mode = get", "username_attribute = username",
                "active_attribute = active", "active_value = true", "",
            ]
            try write(Array(lines.joined(separator: "\n").utf8), to: directory + "/oauth2.conf")
            chmod(directory + "/oauth2.conf", 0o644)
        }
        try start()
    }

    /// A password as the server keeps it.
    private func stored(_ password: String) throws -> String {
        guard options.hashesPasswords else { return "{PLAIN}" + password }
        try run(["openssl", "passwd", "-6", password], in: directory)
        let hash = String(decoding: try contents(of: directory + "/command.log"), as: UTF8.self)
        return "{SHA512-CRYPT}" + hash.filter { !$0.isWhitespace }
    }

    deinit { stop() }

    /// Starts the server, again after ``pause()`` or ``kill()``, with the same ports and mail.
    public func start() throws {
        do {
            try server.start()
        } catch {
            throw FixtureError(description: "\(error): \(log)")
        }
    }

    /// Stops the server and keeps the mail. Clients receive BYE.
    public func pause() { server.end(keepingFolder: true) }

    /// Stops the server and removes everything.
    public func stop() { server.end(keepingFolder: false) }

    /// Kills all processes of the server. The kernel closes the sockets; the mail remains.
    public func kill() {
        server.kill()
        // Without a process that reaps orphans, the dead master keeps its process ID.
        unlink(directory + "/run/master.pid")
    }

    /// Returns a number for the next file name.
    func next() -> Int {
        delivered += 1
        return delivered
    }
}
