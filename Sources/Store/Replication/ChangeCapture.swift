import CSQLite
import GRDB

/// Records the changes of one transaction by SQLite's session extension (sqlite.org/sessionintro.html).
///
/// Made after the transaction has begun and used on the connection's queue. It sees the changes of every statement,
/// with those of triggers and foreign keys.
final class ChangeCapture {
    private let session: OpaquePointer

    init(_ db: Database) throws {
        var session: OpaquePointer?
        let code = sqlite3session_create(db.sqliteConnection, "main", &session)
        guard code == SQLITE_OK, let session else { throw Self.error(code) }
        self.session = session
        let attached = sqlite3session_attach(session, nil)
        guard attached == SQLITE_OK else { throw Self.error(attached) }
    }

    deinit { sqlite3session_delete(session) }

    /// The changes since the start.
    ///
    /// - Parameters:
    ///   - tables: the tables of the ledger by name.
    ///   - sequences: the sequences as of the last commit; replaced by the present ones.
    func changes(
        _ db: Database, in tables: [String: LedgerTable], since sequences: inout [[LedgerValue]]
    ) throws -> LedgerChanges {
        var changes = LedgerChanges()
        guard sqlite3session_isempty(session) == 0 else { return changes }
        var count: CInt = 0
        var buffer: UnsafeMutableRawPointer?
        let code = sqlite3session_changeset(session, &count, &buffer)
        defer { sqlite3_free(buffer) }
        guard code == SQLITE_OK else { throw Self.error(code) }
        var cursor: OpaquePointer?
        let started = sqlite3changeset_start(&cursor, count, buffer)
        guard started == SQLITE_OK, let cursor else { throw Self.error(started) }
        defer { sqlite3changeset_finalize(cursor) }
        var numbersRows = false
        while true {
            let next = sqlite3changeset_next(cursor)
            if next == SQLITE_DONE { break }
            guard next == SQLITE_ROW else { throw Self.error(next) }
            let change = try RowChange(cursor, in: tables)
            // A changeset has the changes of one table after those of another.
            if changes.tables.last?.table.name != change.table.name {
                changes.tables.append(.init(table: change.table))
            }
            try change.add(to: &changes.tables[changes.tables.count - 1], db)
            if change.kind == SQLITE_INSERT, change.table.key.count == 1 { numbersRows = true }
        }
        if numbersRows { try Self.add(&sequences, to: &changes, db) }
        return changes
    }

    /// Sequences have no declared key, so that a session does not see them.
    private static func add(
        _ known: inout [[LedgerValue]], to changes: inout LedgerChanges, _ db: Database
    ) throws {
        let present = try rows(of: .sequences, db)
        guard present != known else { return }
        var change = LedgerChanges.TableChanges(table: .sequences)
        change.removed = known.filter { !present.contains($0) }.map { [$0[0]] }
        change.written = present.filter { !known.contains($0) }
        if !change.removed.isEmpty || !change.written.isEmpty { changes.tables.append(change) }
        known = present
    }

    /// All rows of a small table.
    static func rows(of table: LedgerTable, _ db: Database) throws -> [[LedgerValue]] {
        var rows: [[LedgerValue]] = []
        try PreparedStatement(db, table.selection).each({ _ in }) {
            rows.append($0.row(of: table))
            return true
        }
        return rows
    }

    fileprivate static func error(_ code: CInt) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code))
    }
}

/// The row of a changeset at which its cursor is.
fileprivate struct RowChange {
    let table: LedgerTable
    /// SQLITE_INSERT, SQLITE_UPDATE or SQLITE_DELETE.
    let kind: CInt
    private let cursor: OpaquePointer

    init(_ cursor: OpaquePointer, in tables: [String: LedgerTable]) throws {
        self.cursor = cursor
        var name: UnsafePointer<CChar>?
        var (count, kind, isIndirect): (CInt, CInt, CInt) = (0, 0, 0)
        let code = sqlite3changeset_op(cursor, &name, &count, &kind, &isIndirect)
        guard code == SQLITE_OK, let name else { throw ChangeCapture.error(code) }
        guard let table = tables[String(cString: name)], table.declaredColumns == Int(count) else {
            throw DatabaseError(message: "the tables of the ledger changed while it was open")
        }
        self.table = table
        self.kind = kind
    }

    func add(to changes: inout LedgerChanges.TableChanges, _ db: Database) throws {
        if kind != SQLITE_INSERT { changes.removed.append(try table.key.map { try value(sqlite3changeset_old, $0) }) }
        switch kind {
        case SQLITE_INSERT where table.declaredColumns == table.columns.count:
            changes.written.append(try table.columns.indices.map { try value(sqlite3changeset_new, $0) })
        // The changeset has no row number, and of a change the key and the new values only.
        case SQLITE_INSERT:
            changes.written.append(try row(try table.key.map { try value(sqlite3changeset_new, $0) }, db))
        case SQLITE_UPDATE:
            changes.written.append(try row(try table.key.map { try value(sqlite3changeset_old, $0) }, db))
        default: break
        }
    }

    /// The present row of a key.
    private func row(_ key: [LedgerValue], _ db: Database) throws -> [LedgerValue] {
        let row = try PreparedStatement(db, table.selectionByKey).first({ row in key.forEach { row.bind($0) } }) {
            $0.row(of: table)
        }
        guard let row else { throw DatabaseError(message: "a changed row of \(table.name) is missing") }
        return row
    }

    private typealias Accessor = (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> CInt

    private func value(_ accessor: Accessor, _ column: Int) throws -> LedgerValue {
        var found: OpaquePointer?
        let code = accessor(cursor, CInt(column), &found)
        guard code == SQLITE_OK else { throw ChangeCapture.error(code) }
        guard let found else { return .null }
        switch sqlite3_value_type(found) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(found))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(found))
        case SQLITE_TEXT:
            // Before the length, which is that of this encoding.
            let start = sqlite3_value_text(found)
            return .text([UInt8](UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(found)))))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(found)
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(found)))))
        default: return .null
        }
    }
}
