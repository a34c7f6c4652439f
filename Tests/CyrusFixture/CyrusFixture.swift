import Glibc
import LoopbackFixture
public import MailServerFixture

/// A private Cyrus on the loopback interface, with its own authority, one user and its mail in a temporary folder.
///
/// Runs as root (the processes then belong to Debian's user `mail`) and as any other user. It ends and its folder is
/// removed with the fixture, and with the process however that ends. Not thread-safe.
public final class CyrusFixture {
    static let package = PackagedServer(
        package: "cyrus-imapd",
        programs: ["master", "imapd", "lmtpd", "idled", "deliver"].map { "/usr/lib/cyrus/bin/" + $0 }
            + ["/usr/sbin/saslpasswd2"])

    public static var isInstalled: Bool { package != nil }

    /// TLS from the first byte. The certificate names `localhost` and 127.0.0.1.
    public let port: UInt16
    public let directory: String
    /// The certificate of the authority.
    public var caFile: String { directory + "/tls/ca.pem" }
    let plainPort: UInt16
    let owner = MailOwner()
    let programs: PackagedServer
    private let password: String
    private let server: WatchedServer

    /// Starts a server with the user `user`.
    public init(password: String) throws {
        guard let programs = Self.package else { throw FixtureError(description: "Cyrus is not installed") }
        (self.programs, self.password) = (programs, password)
        directory = try temporaryFolder("cyrus-fixture")
        port = try freePort()
        plainPort = try freePort()
        // Cyrus's master writes its log to syslog and, with -D, its output to ours.
        server = WatchedServer(
            [
                programs.path("/usr/lib/cyrus/bin/master"), "-D", "-C", directory + "/imapd.conf", "-M",
                directory + "/cyrus.conf", "-p", directory + "/master.pid",
            ], in: directory, environment: programs.environment
        ) { [plainPort] in greets(plainPort) }
        try makeCertificates(in: directory)
        try write(Array(configuration.utf8), to: directory + "/imapd.conf")
        try write(Array(services.utf8), to: directory + "/cyrus.conf")
        try write(Array(password.utf8), to: directory + "/password")
        for folder in ["", "/conf", "/conf/proc", "/conf/socket", "/spool"] { try owner.makeFolder(directory + folder) }
        chmod(directory, 0o755)
        try tool(
            "/usr/sbin/saslpasswd2", ["-p", "-c", "-u", "localhost", "-f", directory + "/sasldb", "user"],
            input: directory + "/password")
        for file in ["/imapd.conf", "/cyrus.conf", "/sasldb", "/tls/server.pem", "/tls/server.key", "/tls/ca.pem"] {
            owner.own(directory + file)
        }
        try server.start()
        // The first login creates INBOX.
        _ = try connect()
    }

    deinit { server.end(keepingFolder: false) }

    /// Delivers a message to INBOX by LMTP.
    public func deliver(_ bytes: [UInt8]) throws {
        let file = directory + "/message"
        try write(bytes, to: file)
        chmod(file, 0o644)
        try tool("/usr/lib/cyrus/bin/deliver", ["-C", directory + "/imapd.conf", "user"], input: file)
    }

    /// Returns a connection of another program that has logged in.
    public func connect() throws -> MailClient {
        let client = try MailClient(port: plainPort)
        try client.command("LOGIN user \(password)")
        return client
    }

    private func tool(_ program: String, _ arguments: [String], input: String) throws {
        try run(
            ["/bin/sh", "-c", "file=$1; shift; exec \"$@\" <\"$file\"", "sh", input, programs.path(program)]
                + arguments, in: directory, environment: programs.environment)
    }
}
