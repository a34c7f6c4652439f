import PostgreSQL
public import Store

/// The households of a fleet, each with its ledger.
public struct Households: Sendable {
    let database: FleetDatabase
    /// The connections of the copies, so that a commit does not wait until another copy is made.
    private let commits: FleetDatabase

    /// - Parameter commits: connections of their own for what copies write and read later.
    public init(_ database: FleetDatabase, commits: FleetDatabase? = nil) {
        self.database = database
        self.commits = commits ?? database
    }

    /// Adds a household with all rows of a ledger, in one transaction.
    ///
    /// - Parameters:
    ///   - settings: YAML for the worker.
    ///   - mailboxes: names and hosts of the mailboxes in `settings`.
    ///   - ledger: no program may write it meanwhile; it stays as it is.
    /// - Returns: its number.
    @discardableResult
    public func add(
        _ name: String, settings: String, mailboxes: [(name: String, host: String)], ledger: Store
    ) throws -> Int64 {
        try ledger.read { ledger in
            try database.withConnection { connection in
                try connection.transaction {
                    let id = try insert(name, settings, mailboxes, connection)
                    try connection.name(household: id)
                    for table in try ledger.tables() {
                        let writes = TableWrites(table: table)
                        var rows: [[LedgerValue]] = []
                        func flush() throws {
                            for statement in writes.insertions(rows) {
                                try connection.run(statement.sql, statement.values)
                            }
                            rows = []
                        }
                        try ledger.eachRow(of: table) { row in
                            rows.append(row)
                            if rows.count == Self.batch { try flush() }
                        }
                        try flush()
                    }
                    return id
                }
            }
        }
    }

    /// Rows in memory while a ledger is read.
    private static let batch = 1000

    private func insert(
        _ name: String, _ settings: String, _ mailboxes: [(name: String, host: String)],
        _ connection: PostgresConnection
    ) throws -> Int64 {
        let ids: [Int64?]
        do {
            ids = try connection.run(
                "INSERT INTO fleet.households (name, settings, ledger_migration) VALUES ($1, $2, $3) RETURNING id",
                [.string(name), .string(settings), .string(Store.newestMigration)]
            ) { $0.bigint(0) }
        } catch let error as PostgresError where error.state == "23505" {
            throw FleetError("a household '\(name)' exists")
        } catch let error as PostgresError where error.state == "23514" {
            throw FleetError(
                "'\(name)' is not a name of a household: use up to 63 small letters, digits, dots, dashes and underscores"
            )
        }
        guard let id = ids.first ?? nil else { throw FleetError("the household was not added") }
        try connection.run("INSERT INTO fleet.leases (household_id) VALUES ($1)", [.bigint(id)])
        try connection.write(mailboxes, of: id)
        return id
    }

    /// The YAML of a household.
    public func settings(of name: String) throws -> String {
        try database.withConnection { connection in
            let found = try connection.run(
                "SELECT settings FROM fleet.households WHERE name = $1", [.string(name)]
            ) { $0.text(0) ?? "" }
            guard let settings = found.first else { throw Self.unknown(name) }
            return settings
        }
    }

    /// Writes a household's ledger, as of one instant, to a new SQLite file.
    public func export(_ name: String, to path: String) throws {
        try database.withConnection { connection in
            try connection.transaction(PostgresConnection.snapshot) {
                let found = try connection.run(
                    "SELECT id, ledger_migration FROM fleet.households WHERE name = $1", [.string(name)]
                ) { (id: $0.bigint(0), migration: $0.text(1)) }
                guard let household = found.first, let id = household.id else { throw Self.unknown(name) }
                try Self.refuseOther(household.migration)
                try connection.name(household: id)
                try Store.write(path) { try connection.eachRow(of: $0, $1) }
            }
        }
    }

    /// Makes a working copy of a leased household's ledger. What it writes is committed here first.
    ///
    /// - Parameter open: opens the copy with the settings of the household.
    public func copy(_ lease: Lease, open: Opening) throws -> Store {
        try copy(for: .worker(lease), if: "AND l.worker_id = $2 AND l.fence = $3", lease.values, open)
    }

    /// Makes a working copy for a replica: it writes without a lease, whoever reads the mailboxes.
    ///
    /// - Parameter open: as for ``copy(_:open:)``.
    public func copy(of household: Int64, open: Opening) throws -> Store {
        try copy(for: .replica(household), if: "", [.bigint(household)], open)
    }

    /// Opens a copy of a household's rows.
    public typealias Opening = (
        _ household: Household, _ primary: HouseholdPrimary, _ rows: RowSource
    ) throws -> Store

    private func copy(
        for writer: HouseholdWriter, if condition: String, _ values: [PostgresValue], _ open: Opening
    ) throws -> Store {
        try database.withConnection { connection in
            try connection.transaction(PostgresConnection.snapshot) {
                let found = try connection.run(
                    """
                    SELECT h.name, h.settings, h.revision, h.ledger_migration, \(CommitMark.columns)
                    FROM fleet.leases l JOIN fleet.households h ON h.id = l.household_id
                    WHERE l.household_id = $1 \(condition)
                    """, values
                ) {
                    (
                        household: Household(
                            name: $0.text(0) ?? "", settings: $0.text(1) ?? "", revision: $0.bigint(2) ?? 0),
                        migration: $0.text(3), mark: CommitMark($0, at: 4)
                    )
                }
                guard let found = found.first, let mark = found.mark else { throw PrimaryError.leaseEnded }
                try Self.refuseOther(found.migration)
                var household = found.household
                household.passwords = try connection.sealed(.mailbox, of: writer.household)
                household.receiverSecrets = try connection.sealed(.receiver, of: writer.household)
                household.statementPasswords = try connection.sealed(.statement, of: writer.household)
                try connection.name(household: writer.household)
                let primary = HouseholdPrimary(commits, writer, mark)
                return try open(household, primary, connection.eachRow)
            }
        }
    }

    /// Calls its second argument with each row of a table.
    public typealias RowSource = (LedgerTable, ([LedgerValue]) throws -> Void) throws -> Void

    static func unknown(_ name: String) -> FleetError { FleetError("there is no household '\(name)'") }

    private static func refuseOther(_ migration: String?) throws {
        guard migration == Store.newestMigration else {
            throw FleetError(
                "the ledger of the household has the tables of another version ('\(migration ?? "")', this one has '\(Store.newestMigration)')"
            )
        }
    }
}

extension PostgresConnection {
    /// The mode of a transaction that reads one instant.
    static let snapshot = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Names the household of the transaction to row-level security.
    func name(household: Int64) throws {
        try run("SELECT set_config('fleet.household', $1, true)", [.string(String(household))])
    }

    /// Reads the rows of the transaction's household.
    func eachRow(of table: LedgerTable, _ body: ([LedgerValue]) throws -> Void) throws {
        let writes = TableWrites(table: table)
        try each(writes.selection) { try body(writes.row($0)) }
    }
}
