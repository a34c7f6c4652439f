import GRDB
import GRDBSQLite

/// Copies the readable rows of one table of a damaged ledger.
///
/// Rows are read without indexes in the order of their key, from both ends of a range up to the first page that cannot
/// be read; a range without a readable end is halved. A key that does not follow the previous one counts as damage, so
/// a cycle of pages ends the reading.
struct TableSalvage {
    /// Seeks of one table: some hundred damaged rows need some thousand.
    private static let seekLimit = 100_000

    private let source: DamagedFile
    private let target: Database
    private let shape: TableShape
    private let insert: OpaquePointer
    private(set) var result: SalvageReport.Table
    /// Rows that the file can hold at most: each has at least four bytes.
    private var budget: Int64

    init(_ name: String, from source: DamagedFile, to target: Database) throws {
        self.source = source
        self.target = target
        shape = try TableShape(name, in: target)
        insert = try Self.prepare(shape.insertion, target)
        result = SalvageReport.Table(name: name)
        budget = source.size / 4
    }

    private static func prepare(_ sql: String, _ db: Database) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(db.sqliteConnection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
        }
        return statement
    }

    mutating func run() throws {
        defer { sqlite3_finalize(insert) }
        result.expected = source.texts("SELECT count(*) FROM \(shape.quotedName)").first.flatMap { Int($0) }
        do {
            if shape.hasRowID { try copyByRowID() } else { try copyByKey() }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // The table is missing in the readable part of the schema.
            result.isDamaged = true
        }
        if !result.isDamaged, result.rejected == 0 { result.expected = result.rows }
    }

    private mutating func copyByRowID() throws {
        let ascending = try source.statement(shape.selection(descending: false))
        defer { sqlite3_finalize(ascending) }
        let descending = try source.statement(shape.selection(descending: true))
        defer { sqlite3_finalize(descending) }
        var ranges: [ClosedRange<Int64>] = [Int64.min...Int64.max]
        var seeks = 0
        while let range = ranges.popLast() {
            seeks += 1
            let (first, isComplete) = try copy(range, with: ascending, isAscending: true)
            if isComplete { continue }
            result.isDamaged = true
            guard first != range.upperBound, seeks < Self.seekLimit, budget > 0 else { continue }
            let rest = (first.map { $0 + 1 } ?? range.lowerBound)...range.upperBound
            let (last, reachedFirst) = try copy(rest, with: descending, isAscending: false)
            guard !reachedFirst, last != rest.lowerBound else { continue }
            let gap = rest.lowerBound...(last.map { $0 - 1 } ?? rest.upperBound)
            guard gap.lowerBound < gap.upperBound else { continue }
            let half = UInt64(bitPattern: gap.upperBound &- gap.lowerBound) / 2
            let middle = gap.lowerBound &+ Int64(half)
            ranges += [middle + 1...gap.upperBound, gap.lowerBound...middle]
        }
    }

    /// Copies the rows of a range.
    ///
    /// - Returns: the key of the last row that was read, and true if no damage ended the reading.
    private mutating func copy(
        _ range: ClosedRange<Int64>, with statement: OpaquePointer, isAscending: Bool
    ) throws -> (last: Int64?, isComplete: Bool) {
        defer { sqlite3_reset(statement) }
        sqlite3_bind_int64(statement, 1, range.lowerBound)
        sqlite3_bind_int64(statement, 2, range.upperBound)
        var last: Int64?
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return (last, true) }
            guard code == SQLITE_ROW, budget > 0 else {
                if code == SQLITE_NOMEM { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
                return (last, false)
            }
            let key = sqlite3_column_int64(statement, 0)
            guard range.contains(key), last.map({ isAscending ? $0 < key : $0 > key }) ?? true else {
                return (last, false)
            }
            last = key
            budget -= 1
            try write(statement, isRepeatKnown: false)
        }
    }

    /// A table without row numbers is read from both ends only.
    private mutating func copyByKey() throws {
        for isDescending in [false, true] {
            let statement = try source.statement(shape.selection(descending: isDescending))
            defer { sqlite3_finalize(statement) }
            while budget > 0 {
                let code = sqlite3_step(statement)
                if code == SQLITE_DONE { return }
                guard code == SQLITE_ROW else { break }
                budget -= 1
                // Both ways have met.
                guard try write(statement, isRepeatKnown: isDescending) else { return }
            }
            result.isDamaged = true
        }
    }

    /// Inserts the current row.
    ///
    /// - Parameter isRepeatKnown: a row whose key exists already was copied from the other end, and is not counted.
    /// - Returns: false for such a row.
    @discardableResult
    private mutating func write(_ row: OpaquePointer, isRepeatKnown: Bool) throws -> Bool {
        defer { sqlite3_reset(insert) }
        for index in 0..<CInt(shape.columnCount) {
            sqlite3_bind_value(insert, index + 1, sqlite3_column_value(row, index))
        }
        let code = sqlite3_step(insert)
        if code == SQLITE_DONE {
            result.rows += 1
            return true
        }
        let extended = sqlite3_extended_errcode(target.sqliteConnection)
        guard code & 0xFF == SQLITE_CONSTRAINT || code & 0xFF == SQLITE_MISMATCH else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: target.lastErrorMessage)
        }
        if isRepeatKnown, extended == SQLITE_CONSTRAINT | 6 << 8 { return false }
        result.rejected += 1
        return true
    }
}

/// The columns of a table, and the statements that read and write whole rows.
struct TableShape {
    let quotedName: String
    /// False for a table that is declared `WITHOUT ROWID`.
    let hasRowID: Bool
    /// True if no column is another name of the row number.
    let hidesRowID: Bool
    /// The values of a row that is read: the row number first, if there is one.
    let columnCount: Int
    let insertion: String
    private let columns: String
    private let key: [String]

    init(_ name: String, in db: Database) throws {
        let quoted = Self.quote(name)
        let info = try Row.fetchAll(db, sql: "PRAGMA table_info(\(quoted))")
        let names = info.map { Self.quote($0["name"]) }
        let keyed = info.filter { ($0["pk"] as Int) > 0 }.sorted { ($0["pk"] as Int) < ($1["pk"] as Int) }
        let key = keyed.map { Self.quote($0["name"]) }
        let withoutRowID = try Int.fetchOne(
            db, sql: "SELECT wr FROM pragma_table_list WHERE name = ?", arguments: [name])
        let hasRowID = withoutRowID == 0
        // The other name of a row number follows it.
        let isAlias = hasRowID && keyed.count == 1 && (keyed[0]["type"] as String).uppercased() == "INTEGER"
        let written = isAlias ? names.filter { $0 != key[0] } : names
        let all = hasRowID ? ["rowid"] + written : written
        let places = all.map { _ in "?" }.joined(separator: ", ")
        quotedName = quoted
        self.hasRowID = hasRowID
        hidesRowID = hasRowID && !isAlias
        self.key = key
        columns = all.joined(separator: ", ")
        columnCount = all.count
        insertion = "INSERT INTO \(quoted) (\(all.joined(separator: ", "))) VALUES (\(places))"
    }

    static func quote(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    func selection(descending: Bool) -> String {
        let order = descending ? " DESC" : ""
        guard hasRowID else {
            return "SELECT \(columns) FROM \(quotedName) NOT INDEXED ORDER BY "
                + key.map { $0 + order }.joined(separator: ", ")
        }
        return
            "SELECT \(columns) FROM \(quotedName) NOT INDEXED WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid\(order)"
    }
}
