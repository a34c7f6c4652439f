public import Chronology
internal import GRDB
public import Ledger
import Synchronization

/// The database in which the rows of a ledger are durable while the ledger's file is a working copy of them.
public protocol LedgerPrimary: Sendable {
    /// Commits the changes of one transaction. Once it returns they are durable. Blocks; called with one commit at a
    /// time, before SQLite commits it.
    func commit(_ changes: LedgerChanges) throws(PrimaryError)
}

/// The primary did not confirm a commit.
public struct PrimaryError: Error, Sendable, CustomStringConvertible {
    /// True if the primary may hold other rows than the copy, or accepts nothing from it any more: the copy has ended.
    /// False if the primary wrote nothing and a later attempt can succeed.
    public let endsCopy: Bool
    /// The fault and the remedy. Never holds a value that was to be stored.
    public let description: String

    public init(endsCopy: Bool, _ description: String) {
        self.endsCopy = endsCopy
        self.description = description
    }
}

/// The state of a ledger file whose rows are durable in a primary.
///
/// Each write transaction ends in four steps: the changes are collected, the primary commits them, SQLite commits, the
/// caller continues. A fault of the primary rolls SQLite back. If the primary has committed and SQLite then fails, or
/// it is unknown whether the primary did, the copy has ended: it refuses further writes, and a new one is made of the
/// primary's rows.
final class WorkingCopy: Sendable {
    private struct State {
        var sequences: [[LedgerValue]]
        var hasEnded = false
    }

    private let primary: any LedgerPrimary
    private let tables: [String: LedgerTable]
    private let state: Mutex<State>

    init(_ writer: DatabaseQueue, of primary: any LedgerPrimary) throws {
        self.primary = primary
        let (tables, sequences) = try writer.read { db in
            (try LedgerTable.all(db), try ChangeCapture.rows(of: .sequences, db))
        }
        self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
        state = Mutex(State(sequences: sequences))
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Runs `body` in one transaction, which the primary commits first.
    func write<Result>(on writer: DatabaseQueue, _ body: (Database) throws -> Result) throws -> Result {
        guard !hasEnded else { throw PrimaryError(endsCopy: true, "the working copy has ended; a new one is made") }
        var sequences: [[LedgerValue]]?
        do {
            let result = try writer.write { db in
                let capture = try ChangeCapture(db)
                let result = try body(db)
                var present = state.withLock { $0.sequences }
                let changes = try capture.changes(db, in: tables, since: &present)
                if !changes.tables.isEmpty {
                    try primary.commit(changes)
                    sequences = present
                }
                return result
            }
            if let sequences { state.withLock { $0.sequences = sequences } }
            return result
        } catch {
            // After the primary's commit only SQLite's own can fail.
            if sequences != nil || (error as? PrimaryError)?.endsCopy == true { state.withLock { $0.hasEnded = true } }
            throw error
        }
    }
}

extension Store {
    /// Makes a file of the rows of `primary` and opens it as a working copy: everything that is written is committed
    /// there first. Only the primary is durable; the file is deleted when it is closed.
    ///
    /// - Parameters:
    ///   - path: must not exist.
    ///   - rows: calls its second argument with each row of a table.
    /// - Throws: what `rows` throws; a ``StoreError`` if the file cannot be made.
    public convenience init(
        copy path: String, of primary: any LedgerPrimary, timeZone: IANATimeZone = .kolkata,
        homeCurrency: Currency = .inr, rows: (LedgerTable, ([LedgerValue]) throws -> Void) throws -> Void
    ) throws {
        try LedgerRowCopy.write(path, rows)
        try self.init(
            path: path, readOnly: false, timeZone: timeZone, homeCurrency: homeCurrency, primary: primary,
            now: { UnixTime.now })
    }

    /// Makes a ledger of the rows of another database.
    ///
    /// - Parameters:
    ///   - path: must not exist.
    ///   - rows: calls its second argument with each row of a table.
    public static func write(
        _ path: String, rows: (LedgerTable, ([LedgerValue]) throws -> Void) throws -> Void
    ) throws {
        try LedgerRowCopy.write(path, rows)
        try Store(path: path).checkpoint()
    }

    /// True if this is a working copy that writes nothing any more: make another one.
    public var hasEnded: Bool { copy?.hasEnded ?? false }

    /// The name of the newest migration. Ledgers with the same one have the same tables.
    public static var newestMigration: String { Schema.migrations.last?.name ?? "" }
}

extension ReadScope {
    /// All tables of the ledger in the order of their names, the sequences last.
    public func tables() throws(StoreError) -> [LedgerTable] { try access.read { try LedgerTable.all($0) } }

    /// Reads every row of a table.
    public func eachRow(of table: LedgerTable, _ body: ([LedgerValue]) throws -> Void) throws(StoreError) {
        try access.read { db in
            try PreparedStatement(db, table.selection).each({ _ in }) {
                try body($0.row(of: table))
                return true
            }
        }
    }
}

/// Fills new ledger files with the rows of another database.
enum LedgerRowCopy {
    static func write(
        _ path: String, _ rows: (LedgerTable, ([LedgerValue]) throws -> Void) throws -> Void
    ) throws {
        do {
            try NewLedgerFile.make(path, label: "store.copy") { db in
                try NewLedgerFile.withoutTriggers(db) {
                    for table in try LedgerTable.all(db) {
                        // Some tables of a new ledger have rows.
                        try db.execute(sql: "DELETE FROM \(table.quotedName)")
                        let insertion = try PreparedStatement(db, table.insertion)
                        try rows(table) { row in try insertion.run { binder in row.forEach { binder.bind($0) } } }
                    }
                }
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}
