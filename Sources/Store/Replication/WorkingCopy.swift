public import Chronology
internal import GRDB
public import Ledger
import Synchronization

/// The database in which the rows of a ledger are durable while the ledger's file is a working copy of them.
///
/// Several copies of one ledger may write. The primary numbers the commits, and accepts one only from a copy that
/// contains all before it. All methods block; ``commit(_:)`` and ``catchUp(in:_:)`` are called within a write
/// transaction of the copy, so one at a time.
public protocol LedgerPrimary: Sendable {
    /// The number of commits that the copy contains.
    var version: Int64 { get }

    /// Commits the changes of one transaction. Once it returns they are durable. Called before SQLite commits it.
    func commit(_ changes: LedgerChanges) throws(PrimaryError)

    /// Throws unless the copy may commit now.
    func confirm() throws(PrimaryError)

    /// Passes on what others committed since ``version``, and advances it.
    ///
    /// - Parameters:
    ///   - tables: all tables of the ledger by name.
    ///   - apply: is called for each changed table with all keys to remove, and then with the rows to write, in one
    ///     call or several.
    func catchUp(
        in tables: [String: LedgerTable], _ apply: (LedgerChanges.TableChanges) throws -> Void) throws
}

/// The primary did not confirm a commit, or did not pass on those of others.
public struct PrimaryError: Error, Sendable, CustomStringConvertible {
    public enum Effect: Hashable, Sendable {
        /// The primary wrote nothing, and a later attempt can succeed.
        case nothing
        /// The primary wrote nothing, because others have committed since: the copy has to catch up first.
        case isBehind
        /// The primary may hold other rows than the copy, or accepts nothing from it any more: the copy has ended.
        case ended
    }

    public let effect: Effect
    /// The fault and the remedy. Never holds a value that was to be stored.
    public let description: String

    public init(_ effect: Effect, _ description: String) {
        self.effect = effect
        self.description = description
    }
}

/// The state of a ledger file whose rows are durable in a primary.
///
/// Each write transaction ends in four steps: the changes are collected, the primary commits them, SQLite commits, the
/// caller continues. A fault of the primary rolls SQLite back. If another copy committed first, this one catches up,
/// and the transaction runs again on the new state. If the primary has committed and SQLite then fails, or it is
/// unknown whether the primary did, the copy has ended: it refuses further writes, and a new one is made of the
/// primary's rows.
final class WorkingCopy: Sendable {
    private struct State {
        var sequences: [[LedgerValue]]
        var hasEnded = false
    }

    /// Attempts of one transaction. Each that fails is another writer's success, and the next one follows at once.
    private static let attempts = 20

    private let primary: any LedgerPrimary
    private let tables: [String: LedgerTable]
    private let commits: ForeignCommits
    private let state: Mutex<State>

    /// - Parameter wait: for the lock of the file, which the connections of this process share.
    init(_ writer: DatabaseQueue, of primary: any LedgerPrimary, wait: BusyWait) throws {
        self.primary = primary
        commits = ForeignCommits(path: writer.path, wait: wait)
        let (tables, sequences) = try writer.read { db in
            (try LedgerTable.ofCopy(db), try ChangeCapture.rows(of: .sequences, db))
        }
        self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
        state = Mutex(State(sequences: sequences))
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The number of the primary's commits that the file contains.
    var version: Int64 { primary.version }

    func releaseMemory() { commits.close() }

    /// Runs `body` in one transaction, which the primary commits first.
    ///
    /// - Parameter body: runs again from the start after a commit of another copy, so it changes nothing but the
    ///   database.
    func write<Result>(on writer: DatabaseQueue, _ body: (Database) throws -> Result) throws -> Result {
        for _ in 1..<Self.attempts {
            do { return try attempt(on: writer, body) } catch let error as PrimaryError where error.effect == .isBehind
            {
                try catchUp()
            }
        }
        return try attempt(on: writer, body)
    }

    private func attempt<Result>(on writer: DatabaseQueue, _ body: (Database) throws -> Result) throws -> Result {
        try endingAfterFaults { isCommitted in
            try writer.write { db in
                let capture = try ChangeCapture(db)
                let result = try body(db)
                var present = state.withLock { $0.sequences }
                let changes = try capture.changes(db, in: tables, since: &present)
                if !changes.tables.isEmpty {
                    try primary.commit(changes)
                    isCommitted = true
                    state.withLock { $0.sequences = present }
                }
                return result
            }
        }
    }

    /// Throws unless the primary accepts commits of this copy now.
    func confirm() throws { try endingAfterFaults { _ in try primary.confirm() } }

    /// Brings the file to the newest state of the primary.
    ///
    /// - Returns: true if others had committed.
    @discardableResult
    func catchUp() throws -> Bool {
        try endingAfterFaults { isChanged in
            try commits.write { db in
                try primary.catchUp(in: tables) { change in
                    // From here on a fault means that the file does not fit the primary.
                    isChanged = true
                    try ForeignCommits.apply(change, db)
                }
                let present = try ChangeCapture.rows(of: .sequences, db)
                state.withLock { $0.sequences = present }
            }
            return isChanged
        }
    }

    /// - Parameter body: sets its argument when the primary is ahead of the file until SQLite commits. Then only a
    ///   connection to the primary that was lost before leaves the copy as it was.
    private func endingAfterFaults<Result>(_ body: (inout Bool) throws -> Result) throws -> Result {
        guard !hasEnded else { throw PrimaryError(.ended, "the working copy has ended; a new one is made") }
        var isAhead = false
        do { return try body(&isAhead) } catch {
            let effect = (error as? PrimaryError)?.effect
            if effect == .ended || isAhead && effect != .nothing { state.withLock { $0.hasEnded = true } }
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
        try LedgerRowCopy.write(path, isCopy: true, rows)
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
        try LedgerRowCopy.write(path, isCopy: false, rows)
        try Store(path: path).checkpoint()
    }

    /// True if this is a working copy that writes nothing any more: make another one.
    public var hasEnded: Bool { copy?.hasEnded ?? false }

    /// The number of its primary's commits that a working copy contains.
    public var copiedVersion: Int64? { copy?.version }

    /// Throws unless a working copy may commit now: the lease of another worker may have replaced its own, or the
    /// primary is away. Does nothing for an original. Call it right before something outside of the ledger that is
    /// recorded afterwards. Blocks.
    public func confirmWriter() throws(StoreError) {
        do { try copy?.confirm() } catch { throw StoreError(error, path: path) }
    }

    /// Brings a working copy to a state that contains a commit of its primary. Blocks.
    ///
    /// - Parameter version: the number of the commit.
    /// - Returns: true if rows of other writers arrived.
    @discardableResult
    public func catchUp(to version: Int64) throws(StoreError) -> Bool {
        guard let copy, copy.version < version else { return false }
        do { return try copy.catchUp() } catch { throw StoreError(error, path: path) }
    }

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
    /// - Parameter isCopy: true if the rows are durable elsewhere.
    static func write(
        _ path: String, isCopy: Bool, _ rows: (LedgerTable, ([LedgerValue]) throws -> Void) throws -> Void
    ) throws {
        do {
            let template = isCopy ? try EmptyCopy.bytes() : nil
            try NewLedgerFile.make(path, label: "store.copy", from: template) { db in
                for table in try LedgerTable.ofCopy(db) {
                    // Some tables of a new ledger have rows, and the insertions into others changed the sequences.
                    if !isCopy || table == .sequences { try db.execute(sql: "DELETE FROM \(table.quotedName)") }
                    var insertion: PreparedStatement?
                    try rows(table) { row in
                        let statement = try insertion ?? PreparedStatement(db, table.insertion)
                        insertion = statement
                        try statement.run { binder in row.forEach { binder.bind($0) } }
                    }
                }
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}
