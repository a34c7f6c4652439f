public import Glibc
public import MailServerFixture

/// A Maildir behind Courier's `imapd`, one process per connection, without a login (PREAUTH).
public final class CourierMaildir {
    static let package = PackagedServer(
        package: "courier-imap",
        programs: ["/usr/bin/imapd", "/usr/bin/maildirmake.courier", "/usr/bin/couriertls", "/usr/sbin/couriertcpd"])

    public static var isInstalled: Bool { package != nil }

    /// The folder that contains the Maildir.
    public let directory: String
    public var path: String { directory + "/Maildir" }
    let programs: PackagedServer
    private var delivered = 0

    public init() throws {
        guard let programs = Self.package else { throw FixtureError(description: "Courier is not installed") }
        self.programs = programs
        directory = try temporaryFolder("courier-fixture")
        try run([programs.path("/usr/bin/maildirmake.courier"), path], in: directory, environment: environment)
        // Until a program opens a folder for writing, Courier numbers it anew for every connection.
        try connect().command("SELECT INBOX")
    }

    deinit { _ = try? run(["rm", "-rf", directory], in: "/tmp") }

    /// The settings of Debian's /etc/courier/imapd that matter, except that IDLE looks for mail every second, and no
    /// locks: they need gamin's daemon.
    var environment: [String: String] {
        programs.environment.merging(
            [
                "IMAP_CAPABILITY":
                    "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE",
                "IMAP_KEYWORDS": "1", "IMAP_ACL": "1", "IMAP_UMASK": "022", "IMAP_IDLE_TIMEOUT": "1",
                "IMAP_USELOCKS": "0",
            ]) { $1 }
    }

    private func maildir(_ folder: String) -> Maildir { Maildir(path: path + folder, owner: .ofTests) }

    /// Delivers a message.
    ///
    /// - Parameter folder: its folder in the Maildir, `/.Junk`.
    /// - Returns: the path of the file.
    @discardableResult
    public func deliver(_ bytes: [UInt8], to folder: String = "") throws -> String {
        delivered += 1
        return try maildir(folder).deliver(bytes, number: delivered)
    }

    /// Removes a delivered file, which Courier may have moved to `cur`.
    public func remove(_ file: String) { maildir("").remove(file) }

    /// Removes Courier's numbers of INBOX, so that it gets another UIDVALIDITY. No program may have the folder open.
    public func removeNumbering() throws {
        let former = try connect().uidValidity(of: "INBOX")
        // UIDVALIDITY is a time in seconds.
        repeat { unlink(path + "/courierimapuiddb") } while try connect().uidValidity(of: "INBOX") == former
    }

    /// Returns a connection of another program.
    public func connect() throws -> MailClient {
        let (socket, process) = try connection()
        return try MailClient(socket: socket, process: process)
    }

    /// Starts a process of the server. It ends when the socket is closed.
    public func connection() throws -> (socket: Int32, process: pid_t) {
        var ends: (Int32, Int32) = (-1, -1)
        let status = withUnsafeMutableBytes(of: &ends) {
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0,
                $0.bindMemory(to: Int32.self).baseAddress)
        }
        guard status == 0 else {
            throw FixtureError(description: "socketpair: \(String(cString: strerror(errno)))")
        }
        defer { close(ends.1) }
        let process = try spawn(
            // Its standard error reports each connection, and that gamin's daemon does not run.
            ["/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh", programs.path("/usr/bin/imapd"), path], input: ends.1,
            output: ends.1,
            environment: environment.merging(["AUTHENTICATED": "user"]) { $1 })
        return (ends.0, process)
    }
}
