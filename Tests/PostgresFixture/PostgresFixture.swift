import Glibc
import MailServerFixture
import PostgreSQL
import Synchronization

/// A private PostgreSQL in a temporary folder, reached by a socket in it, for all tests of a process.
///
/// Runs as root (the server then belongs to Debian's user `postgres`) and as any other user. It ends with the process
/// however that ends.
public final class PostgresFixture: @unchecked Sendable {  // `databases` is its only state that changes
    /// The folder of Debian's newest server from version 15 on; `nil` if none is installed.
    private static let programs = names(in: "/usr/lib/postgresql").compactMap { Int($0) }.filter { $0 >= 15 }.max()
        .map { "/usr/lib/postgresql/\($0)/bin" }
    /// False where the tests are skipped: Debian's package postgresql-15 is missing.
    public static var isInstalled: Bool { programs != nil }

    private static let shared = Result { try PostgresFixture() }

    private let directory: String
    private let server: WatchedServer
    private let databases = Atomic(0)

    private init() throws {
        guard let programs = Self.programs else { throw FixtureError(description: "PostgreSQL is not installed") }
        directory = try temporaryFolder("postgres-fixture")
        var prefix: [String] = []
        if getuid() == 0 {
            guard let user = getpwnam("postgres") else { throw FixtureError(description: "no user postgres") }
            chown(directory, user.pointee.pw_uid, user.pointee.pw_gid)
            prefix = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        }
        let data = directory + "/data"
        try run(
            prefix + [
                programs + "/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
                "--no-sync",
            ], in: directory)
        // SIGTERM would wait for the end of every connection.
        let fast = "\"$@\" & child=$!; trap 'kill -INT $child' TERM; wait $child; wait $child"
        server = WatchedServer(
            ["/bin/sh", "-c", fast, "postgres"] + prefix + [
                programs + "/postgres", "-D", data, "-k", directory, "-h", "",
            ], in: directory
        ) { [directory] in
            (try? PostgresConnection("host=\(directory) user=postgres dbname=postgres")) != nil
        }
        try server.start()
    }

    /// Makes a database of its own for one test.
    ///
    /// - Returns: its connection string, for a role that owns it and that row-level security binds.
    public static func database() throws -> String {
        let fixture = try shared.get()
        let name = "test\(fixture.databases.add(1, ordering: .relaxed).newValue)"
        let administrator = try PostgresConnection("host=\(fixture.directory) user=postgres dbname=postgres")
        try administrator.script("CREATE ROLE \(name) LOGIN")
        try administrator.script("CREATE DATABASE \(name) OWNER \(name)")
        return "host=\(fixture.directory) user=\(name) dbname=\(name)"
    }

    /// The same database as the server's administrator, whom row-level security does not bind.
    public static func administrator(of database: String) -> String { database + " user=postgres" }
}
