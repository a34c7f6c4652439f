import DurableFiles
import GRDB
import Glibc

/// Migrations of a database file.
///
/// All missing migrations are applied in one transaction, which begins by taking SQLite's write lock. If several
/// processes open a new or an older ledger at once, one migrates; the others wait and then find nothing to do. The
/// first commit of a new file holds its `application_id` and the whole schema.
enum Schema {
    /// Oldest first. A released migration is never changed: a new one is added, and a test starts from each released
    /// schema.
    static let migrations: [(name: String, sql: String)] = [
        ("v1", version1),
        ("v2 mailbox health", version2),
        ("drift", drift),
        ("review-outcomes", reviewOutcomes),
        ("sources", sources),
        ("gmail-message", gmailMessage),
        ("statistics", statistics),
        ("notifications", notifications),
        ("api", api),
        ("access", access),
        ("downloads", downloads),
        ("file-marks", fileMarks),
        ("categories", categories),
        ("audited-decisions", auditedDecisions),
        ("trusted-senders", trustedSenders),
        ("listing", listing),
        ("status-index", statusIndex),
        ("numbering-marks", numberingMarks),
        ("books", books),
        ("notices", notices),
        ("budgets", budgets),
        ("tags", tags),
        ("exchange-rates", rates),
        ("account-findings", findings),
        ("learned-forms", forms),
        ("payees", payees),
        ("transaction-splits", splits),
        ("dues", dues),
        ("exports", exports),
        ("account-currency", accountCurrency),
        ("audit-chain", auditChain),
        ("statements", statements),
        ("archive", archive),
        ("budget-notifications", budgetNotifications),
        ("saved-searches", savedSearches),
        ("shipped-categories", shippedCategories),
        ("event-links", eventLinks),
        ("books-rates", rateNumbers),
        ("event-links of all kinds", transactionLinks),
        ("table-imports", tableImports),
        ("statement-mail", statementMail),
        ("conversions", conversions),
        ("date-orders", dateOrders),
        ("passkeys", passkeys),
        ("sink-trials", sinkTrials),
        ("users", users),
        ("private-accounts", privateAccounts),
        ("mailbox-setups", mailboxSetups),
        ("template-activations", templateActivations),
        ("account-index", accountIndex),
        ("mailbox-consents", mailboxConsents),
        ("hidden-alarms", hiddenAlarms),
        ("settled-dues", settledDues),
        ("added-sinks", addedSinks),
    ]

    /// A new ledger after the migrations that it names: tables, rows, then indexes, views and triggers. It takes a
    /// tenth of the time of these migrations, which make the same; `scripts/prepared-schema` writes it.
    static var prepared: String { String(decoding: PackageResources.prepared_sql, as: UTF8.self) }

    /// Table of the migrations that a file has; the name is GRDB's.
    static let migrationTable = "grdb_migrations"

    /// Seconds to wait for a migration by another process: a new index on a million rows takes several.
    private static let migrationTimeout = 60

    static func bringUpToDate(_ queue: DatabaseQueue, path: String, readOnly: Bool) throws {
        guard try !queue.read({ try isUpToDate($0, path: path) }) else { return }
        guard !readOnly else {
            throw StoreError(
                kind: .olderSchema, path: path,
                message:
                    "is not up to date with this version of SpendWise: start spendwised once to bring it up to date")
        }
        try DamageGate(path: path).pass()
        try queue.writeWithoutTransaction { db in
            try copyBefore(db, path: path)
            // Migrations may rebuild tables that others refer to. This setting cannot be changed within a transaction.
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
            try db.inTransaction(.immediate) {
                // Another process may have migrated while this one waited for the lock.
                if try !isUpToDate(db, path: path) { try migrate(db) }
                return .commit
            }
        }
    }

    /// Copies a ledger beside itself as `LEDGER.before-MIGRATION`, named by the first migration that it lacks, so that
    /// the former version can be installed again. An existing copy is left as it is.
    private static func copyBefore(_ db: Database, path: String) throws {
        let applied = try applied(db)
        guard !applied.isEmpty, let next = migrations.first(where: { !applied.contains($0.name) }) else { return }
        let copy = "\(path).before-\(next.name.replacing(" ", with: "-"))"
        guard Glibc.access(copy, F_OK) != 0 else { return }
        let part = FileReplacement.unusedPath(beside: copy, "part-")
        try DatabaseFile.copy(db, to: part)
        do throws(FileWriteError) { try FileReplacement.install(part, as: copy) } catch {
            unlink(part)
            throw StoreError.cannotMake(copy, error.code)
        }
    }

    /// Applies the missing migrations in the caller's transaction.
    ///
    /// - Parameter wanted: only these; `nil` for all.
    static func migrate(_ db: Database, with wanted: Set<String>? = nil) throws {
        var applied = try applied(db)
        if applied.isEmpty {
            try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(migrationTable) (identifier TEXT NOT NULL PRIMARY KEY)")
            if wanted == nil {
                try db.execute(sql: prepared)
                applied = try Self.applied(db)
            }
        }
        for migration in migrations
        where !applied.contains(migration.name) && wanted?.contains(migration.name) != false {
            try db.execute(sql: migration.sql)
            try db.execute(
                sql: "INSERT INTO \(migrationTable) (identifier) VALUES (?)", arguments: [migration.name])
        }
        try db.checkForeignKeys()
    }

    private static func applied(_ db: Database) throws -> Set<String> {
        // Not GRDB's `tableExists`, which may know a schema from before another process migrated.
        let exists = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", arguments: [migrationTable])
        guard exists == true else { return [] }
        return try Set(String.fetchAll(db, sql: "SELECT identifier FROM \(migrationTable)"))
    }

    /// - Throws: `newerSchema` if the file has a migration that this program does not know.
    private static func isUpToDate(_ db: Database, path: String) throws -> Bool {
        let applied = try applied(db)
        let known = Set(migrations.map(\.name))
        guard applied.isSubset(of: known) else {
            throw StoreError(
                kind: .newerSchema, path: path,
                message:
                    "was written by a newer version of SpendWise: install that version, or restore the backup made before the upgrade"
            )
        }
        return applied.count == known.count
    }

    /// Opens the file again while another process holds it: switching a new file to WAL fails at once if two do it at
    /// the same time, and a migration takes longer than a commit.
    static func retryingWhileBusy<Result>(_ wait: BusyWait, _ open: () throws -> Result) throws -> Result {
        let start = ContinuousClock.now
        while true {
            do { return try open() } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && !wait.isInterrupted
                && ContinuousClock.now - start < .seconds(migrationTimeout)
            {
                usleep(10_000)
            }
        }
    }
}
