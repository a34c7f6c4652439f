import GRDBSQLite

/// A value of a row, as SQLite stores it.
public enum LedgerValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes that are meant to be UTF-8. A hostile mail can put a NUL or another invalid byte into them.
    case text([UInt8])
    case blob([UInt8])
}

extension Columns {
    func value(_ index: CInt) -> LedgerValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(int(index))
        case SQLITE_FLOAT: return .real(double(index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, index) else { return .text([]) }
            return .text(
                [UInt8](UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))))
        case SQLITE_BLOB: return .blob(bytes(index))
        default: return .null
        }
    }

    func row(of table: LedgerTable) -> [LedgerValue] { table.columns.indices.map { value(CInt($0)) } }
}

extension Binder {
    mutating func bind(_ value: LedgerValue) {
        switch value {
        case .null: bind(nil as Int64?)
        case .integer(let number): bind(number)
        case .real(let number): bind(number)
        case .text(let bytes): bind(utf8: bytes)
        case .blob(let bytes): bind(bytes)
        }
    }
}
