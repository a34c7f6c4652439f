import GRDB
import GRDBSQLite

/// A cached statement that is bound and stepped without boxing values, for rows that are written for every mail.
///
/// Valid within one access to the database, on its thread. GRDB's observation does not see its writes.
struct PreparedStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let texts = TextArena()

    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: db.planned(sql))
        handle = statement.sqliteStatement
    }

    /// Runs a statement that returns no rows.
    func run(_ bind: (inout Binder) -> Void) throws {
        defer { reset() }
        try start(bind)
        while try step() {}
    }

    /// Runs an INSERT, UPDATE or DELETE.
    ///
    /// - Returns: the number of rows that it changed.
    func change(_ bind: (inout Binder) -> Void) throws -> Int {
        try run(bind)
        return Int(sqlite3_changes(sqlite3_db_handle(handle)))
    }

    /// The first row, read by `read`; `nil` if there is none.
    func first<Value>(_ bind: (inout Binder) -> Void, _ read: (Columns) throws -> Value) throws -> Value? {
        defer { reset() }
        try start(bind)
        return try step() ? try read(Columns(handle: handle)) : nil
    }

    /// Every row, until `read` returns false.
    func each(_ bind: (inout Binder) -> Void, _ read: (Columns) throws -> Bool) throws {
        defer { reset() }
        try start(bind)
        while try step() { guard try read(Columns(handle: handle)) else { return } }
    }

    private func start(_ bind: (inout Binder) -> Void) throws {
        var binder = Binder(handle: handle, texts: texts)
        bind(&binder)
        assert(binder.index == sqlite3_bind_parameter_count(handle), "as many values as parameters")
        guard binder.code == SQLITE_OK else { throw error(binder.code) }
    }

    /// Returns true if there is a row.
    private func step() throws -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw error(code)
        }
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }

    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        texts.empty()
    }
}

/// Memory for the texts of one execution. SQLite would allocate a copy of each: a sixth of the cost of a row.
fileprivate final class TextArena {
    /// Bytes; a transaction's row has about 1200. SQLite copies texts that do not fit.
    static let capacity = 4096

    private let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    private var used = 0

    deinit { start.deallocate() }

    /// A copy that is valid until ``empty()``; `nil` if there is no room.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard let source = text.baseAddress, text.count <= Self.capacity - used else { return nil }
        let copy = start + used
        copy.update(from: source, count: text.count)
        used += text.count
        return UnsafeBufferPointer(start: copy, count: text.count)
    }

    func empty() { used = 0 }
}

/// Binds values to the parameters of a statement, first to last.
struct Binder {
    private let handle: OpaquePointer
    private let texts: TextArena
    private(set) var index: CInt = 0
    private(set) var code: CInt = SQLITE_OK

    fileprivate init(handle: OpaquePointer, texts: TextArena) {
        self.handle = handle
        self.texts = texts
    }

    mutating func bind(_ value: String?) {
        guard var value else { return skip() }
        value.withUTF8 { text($0) }
    }

    /// Binds UTF-8 as text.
    mutating func bind(utf8 value: [UInt8]?) {
        guard let value else { return skip() }
        value.withUnsafeBufferPointer { text($0) }
    }

    private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        let kept = texts.keep(bytes)
        // The address of an empty buffer may be nil, which SQLite treats as NULL.
        guard let start = (kept ?? bytes).baseAddress, !bytes.isEmpty else {
            return advance(sqlite3_bind_text(handle, index + 1, "", 0, transient))
        }
        advance(
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                // No destructor (SQLITE_STATIC): the arena outlives the execution.
                sqlite3_bind_text(handle, index + 1, $0, CInt(clamping: bytes.count), kept == nil ? transient : nil)
            })
    }

    mutating func bind(_ value: [UInt8]?) {
        guard let value else { return skip() }
        advance(
            value.withUnsafeBytes {
                $0.count == 0
                    ? sqlite3_bind_zeroblob(handle, index + 1, 0)
                    : sqlite3_bind_blob64(handle, index + 1, $0.baseAddress, UInt64($0.count), transient)
            })
    }

    mutating func bind(_ value: Int64?) {
        guard let value else { return skip() }
        advance(sqlite3_bind_int64(handle, index + 1, value))
    }

    mutating func bind(_ value: Double) { advance(sqlite3_bind_double(handle, index + 1, value)) }

    private mutating func skip() { index += 1 }

    /// Goes on to the next parameter after a call of SQLite.
    private mutating func advance(_ result: CInt) {
        index += 1
        if result != SQLITE_OK, code == SQLITE_OK { code = result }
    }
}

/// Columns of the current row, from 0.
struct Columns {
    let handle: OpaquePointer

    func int(_ index: CInt) -> Int64 { sqlite3_column_int64(handle, index) }

    func double(_ index: CInt) -> Double { sqlite3_column_double(handle, index) }

    func optionalInt(_ index: CInt) -> Int64? { sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : int(index) }

    func optionalDouble(_ index: CInt) -> Double? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : double(index)
    }

    func optionalText(_ index: CInt) -> String? {
        guard let start = sqlite3_column_text(handle, index) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))), as: UTF8.self)
    }

    func bytes(_ index: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, index) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    }

    func text(_ index: CInt) -> String { optionalText(index) ?? "" }
}

/// SQLITE_TRANSIENT, a C cast that Swift does not import: SQLite copies the bytes before the call returns.
fileprivate let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
