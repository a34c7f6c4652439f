import Glibc
import LoopbackFixture

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
    let owner: (uid: uid_t, gid: gid_t)
    let options: Options
    private var watcher: (process: pid_t, pipe: Int32)?
    private var delivered = 0

    /// - Parameter users: passwords by name.
    public init(users: [String: String] = ["user": "secret"], options: Options = Options()) throws {
        self.options = options
        var template = Array("/tmp/dovecot-fixture.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FixtureError(description: "no temporary folder: \(String(cString: strerror(errno)))")
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(directory, 0o755)
        if getuid() == 0, let mail = getpwnam("mail") {
            owner = (mail.pointee.pw_uid, mail.pointee.pw_gid)
        } else {
            owner = (getuid(), getgid())
        }
        port = try freePort()
        startTLSPort = try freePort()
        for folder in ["tls", "run", "state", "users"] { mkdir("\(directory)/\(folder)", 0o755) }
        try makeCertificates()
        var lines = ""
        for (user, password) in users {
            lines += "\(user):\(try stored(password)):\(owner.uid):\(owner.gid)::\(home(of: user))::\n"
            try makeFolder(home(of: user))
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
        if watcher != nil { return }
        var ends: (Int32, Int32) = (-1, -1)
        // A socket pair instead of a pipe: it can be created close-on-exec, and other tests start programs at the same
        // time.
        _ = withUnsafeMutableBytes(of: &ends) {
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0,
                $0.bindMemory(to: Int32.self).baseAddress)
        }
        // A line means "stop and keep the folder", the end of the pipe "stop and remove it".
        let script = """
            dovecot -F -c "$0/dovecot.conf" </dev/null >"$0/stdout.log" 2>&1 & child=$!
            if read -r order; then keep=1; fi
            kill $child 2>/dev/null; wait $child
            [ -n "$keep" ] || rm -rf "$0"
            """
        let process = try spawn(["/bin/sh", "-c", script, directory], input: ends.0)
        close(ends.0)
        watcher = (process, ends.1)
        // Half a minute: on a busy machine the start takes more than five seconds.
        for _ in 0..<3_000 {
            if greets(startTLSPort) { return }
            usleep(10_000)
        }
        let log = (try? contents(of: directory + "/dovecot.log")) ?? []
        throw FixtureError(description: "dovecot does not start: \(String(decoding: log, as: UTF8.self))")
    }

    /// Stops the server and keeps the mail. Clients receive BYE.
    public func pause() { end(keeping: true) }

    /// Stops the server and removes everything.
    public func stop() { end(keeping: false) }

    /// Kills all processes of the server. The kernel closes the sockets; the mail remains.
    public func kill() {
        guard let (process, pipe) = watcher else { return }
        Glibc.kill(-process, SIGKILL)
        finish(process, pipe)
        // Without a process that reaps orphans, the dead master keeps its process ID.
        unlink(directory + "/run/master.pid")
    }

    private func end(keeping: Bool) {
        guard let (process, pipe) = watcher else { return }
        if keeping { _ = Glibc.write(pipe, "\n", 1) }
        finish(process, pipe)
    }

    private func finish(_ process: pid_t, _ pipe: Int32) {
        close(pipe)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        watcher = nil
    }

    /// Returns a number for the next file name.
    func next() -> Int {
        delivered += 1
        return delivered
    }
}
