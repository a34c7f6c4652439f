public import Chronology
internal import GRDB
internal import Ledger

/// The size and the age of a ledger, to compare two of them.
public struct LedgerFigures: Hashable, Sendable {
    /// Number of rows by the table's name, of every table with rows of a person or of a mailbox.
    public let rows: [String: Int]
    /// Day of the latest transaction.
    public let lastTransaction: CalendarDate?
    /// Instant at which the last mail was processed.
    public let lastMail: UnixTime?
    /// Instant of the last change by a person.
    public let lastChange: UnixTime?

    /// Tables whose rows SpendWise can make again, and those of SQLite and GRDB.
    fileprivate static let derived: Set<String> = [Schema.migrationTable, "mail_counts", "mailbox_alarms"]
}

extension Store {
    /// Counts all rows: takes some tenths of a second for a large ledger.
    public func figures() throws(StoreError) -> LedgerFigures {
        try readDatabase { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
            var rows: [String: Int] = [:]
            for table in tables where !LedgerFigures.derived.contains(table) {
                rows[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"")
            }
            return LedgerFigures(
                rows: rows,
                lastTransaction: try CalendarDate.fetchOne(db, sql: "SELECT max(parsed_date) FROM transactions"),
                lastMail: try UnixTime.fetchOne(db, sql: "SELECT max(processed_at) FROM processed_emails"),
                lastChange: try UnixTime.fetchOne(db, sql: "SELECT max(at) FROM changes"))
        }
    }
}
