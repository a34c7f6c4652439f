import Dispatch
import PostgreSQL
import Synchronization

/// The PostgreSQL database of a fleet, for many threads: each call borrows one of a few connections. All calls block.
public final class FleetDatabase: Sendable {
    /// Parameters that the operator's connection string can replace.
    private static let settings = [
        // Seconds and milliseconds after which a silent partition of the network ends a wait.
        ("connect_timeout", "10"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
        ("keepalives_interval", "5"), ("keepalives_count", "3"),
        // A worker that is stopped in a transaction must not keep its locks; the largest statement reads one table of
        // one household.
        (
            "options",
            "-c statement_timeout=60000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=10000"
        ),
        ("client_encoding", "UTF8"),
    ]
    /// `NULLS NOT DISTINCT`, which the schema needs, came with this version.
    private static let oldestServer = 150_000

    private let conninfo: String
    /// Name of the connections in pg_stat_activity.
    private let application: String
    private let idle = Mutex<[PostgresConnection]>([])
    private let free: DispatchSemaphore

    /// Opens no connection yet.
    ///
    /// - Parameters:
    ///   - conninfo: a connection string or URI of libpq (PostgreSQL 34.1.1).
    ///   - worker: the number of the worker whose connections these are: others close them if it stops renewing.
    ///   - connections: the most that are open at a time.
    public init(_ conninfo: String, worker: Int64? = nil, connections: Int = 4) {
        self.conninfo = conninfo
        application = "spendwise-fleet" + (worker.map { " \($0)" } ?? "")
        free = DispatchSemaphore(value: connections)
    }

    /// Runs `body` with a connection that no other thread uses meanwhile.
    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        let connection = try idle.withLock { $0.popLast() } ?? connect()
        // Another thread's statement must not find what is left of a broken one.
        defer { if !connection.isBroken { idle.withLock { $0.append(connection) } } }
        return try body(connection)
    }

    private func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(
            conninfo, settings: Self.settings + [("application_name", application)])
        guard connection.serverVersion >= Self.oldestServer else {
            throw FleetError(
                "PostgreSQL \(connection.serverVersion / 10_000) is too old: a fleet needs version 15 or newer")
        }
        return connection
    }

    /// Closes the connections that no thread uses, so that the next call opens another.
    func closeIdle() { idle.withLock { $0 = [] } }

    /// Creates the schema or brings it up to date. Call it with no older worker running.
    public func migrate() throws { try withConnection { try FleetSchema.migrate($0) } }

    /// Checks that this program can work with the database as this role.
    ///
    /// - Throws: ``FleetError``: no schema, an older or newer one, another encoding than UTF8, or a role that row-level
    ///   security does not bind.
    public func check() throws {
        try withConnection { connection in
            try FleetSchema.check(connection)
            let encoding = try connection.run("SELECT current_setting('server_encoding')") { $0.text(0) }
            guard encoding == ["UTF8"] else {
                throw FleetError(
                    "the database has another encoding than UTF8: create it with 'createdb --encoding UTF8'")
            }
            let isUnbound = try connection.run(
                "SELECT (rolsuper OR rolbypassrls)::int::bigint FROM pg_roles WHERE rolname = current_user"
            ) { $0.bigint(0) }
            guard isUnbound.first == 0 else {
                throw FleetError(
                    "row-level security does not bind this role, so that it could mix households: use a role without SUPERUSER and BYPASSRLS"
                )
            }
        }
    }
}
