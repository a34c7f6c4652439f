import DurableFiles
import GRDB
import Glibc

/// Copies what can be read of a damaged ledger to a new one.
public enum LedgerSalvage {
    /// Makes a new ledger of the readable rows. If rows are missing, it has no cursors of mailboxes: the next pass
    /// reads the folders again, and books only what the ledger does not have.
    ///
    /// - Parameters:
    ///   - path: the damaged ledger, which is only read. No program may write it meanwhile.
    ///   - output: path of the new ledger, which must not exist. Its folder needs the space of both.
    ///   - progress: called with the name of each table.
    public static func run(
        _ path: String, to output: String, progress: (String) -> Void = { _ in }
    ) throws(StoreError) -> SalvageReport {
        guard access(output, F_OK) != 0 else {
            throw StoreError(kind: .conflict, path: output, message: "exists: name another file with --output")
        }
        do {
            let source = try opened(path, copy: output + ".source")
            var report = SalvageReport()
            let part = output + ".part"
            LedgerFiles.remove(part)
            do {
                try fill(part, from: source, &report, progress)
                do throws(FileWriteError) { try FileReplacement.install(part, as: output) } catch {
                    throw StoreError.cannotMake(output, error.code)
                }
            } catch {
                LedgerFiles.remove(part)
                throw error
            }
            // Applies the migrations that the damaged ledger lacked. The next lines check the result.
            let ledger = try Store(path: output)
            if let defect = try ledger.integrityDefects().first {
                throw StoreError(kind: .corrupt, path: output, message: "the salvaged ledger is not sound: \(defect)")
            }
            try ledger.checkpoint()
            return report
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func opened(_ path: String, copy: String) throws -> DamagedFile {
        LedgerFiles.remove(copy)
        do { return try DamagedFile(path, copy: copy) } catch let error as DatabaseError {
            throw StoreError(
                kind: .corrupt, path: path,
                message:
                    "no table can be found (\(error.message ?? "its schema is destroyed")): restore a backup, see 'parserctl backup list'"
            )
        }
    }

    private static func fill(
        _ path: String, from source: DamagedFile, _ report: inout SalvageReport, _ progress: (String) -> Void
    ) throws {
        report = try NewLedgerFile.make(path, label: "store.salvage", with: migrations(of: source)) { db in
            try copy(source, to: db, progress)
        }
    }

    /// The migrations that the damaged ledger has; all if that cannot be read.
    private static func migrations(of source: DamagedFile) throws -> Set<String> {
        let applied = Set(source.texts("SELECT identifier FROM \(Schema.migrationTable)"))
        let known = Set(Schema.migrations.map(\.name))
        guard applied.isSubset(of: known) else { return known }
        // A damaged table may have lost some: the columns of the newest are a superset.
        let last = Schema.migrations.lastIndex { applied.contains($0.name) }
        return last.map { Set(Schema.migrations[...$0].map(\.name)) } ?? known
    }

    private static func copy(
        _ source: DamagedFile, to db: Database, _ progress: (String) -> Void
    ) throws -> SalvageReport {
        var report = SalvageReport()
        for name in try tables(db) {
            progress(name)
            try db.execute(sql: "SAVEPOINT salvage; DELETE FROM \(TableShape.quote(name))")
            var table = try TableSalvage(name, from: source, to: db)
            try table.run()
            // The rows that a new ledger has anyway are better than none.
            if table.result.rows == 0, table.result.isDamaged { try db.execute(sql: "ROLLBACK TO salvage") }
            try db.execute(sql: "RELEASE salvage")
            report.tables.append(table.result)
        }
        try LostParents(db).mend(&report)
        try finish(db, from: source, isComplete: report.isComplete)
        return report
    }

    /// The tables with rows of the ledger.
    static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> ?
                ORDER BY name
                """, arguments: [Schema.migrationTable])
    }

    /// The tables that count the rows of others, with the queries of their content.
    private static let counts = [
        (
            "mail_counts",
            "SELECT mailbox, folder, status, coalesce(profile, ''), coalesce(template, ''), count(*) FROM processed_emails GROUP BY 1, 2, 3, 4, 5"
        ),
        (
            "transaction_counts",
            "SELECT status, count(*) FROM transactions WHERE deleted_at IS NULL GROUP BY status"
        ),
    ]

    /// Rebuilds counters and sequences from the copied rows, and deletes cursors if rows are missing.
    private static func finish(_ db: Database, from source: DamagedFile, isComplete: Bool) throws {
        // Numbers of deleted rows are not used again.
        for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'") {
            let used = source.texts("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'").first.flatMap {
                Int64($0)
            }
            guard let used else { continue }
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
            try db.execute(
                sql:
                    "INSERT INTO sqlite_sequence SELECT ?, max(?, coalesce(max(rowid), 0)) FROM \(TableShape.quote(table))",
                arguments: [table, used])
        }
        guard !isComplete else { return }
        for (table, rows) in counts where try db.tableExists(table) {
            try db.execute(sql: "DELETE FROM \(table); INSERT INTO \(table) \(rows)")
        }
        for table in ["mailbox_cursors", "maildir_files"] where try db.tableExists(table) {
            try db.execute(sql: "DELETE FROM \(table)")
        }
    }
}
