internal import GRDB
import Synchronization

/// A table of the ledger, as SQLite declares it.
///
/// A table whose row number is no column has it as the last one, `rowid`: mails are listed in its order.
public struct LedgerTable: Hashable, Sendable {
    public enum ColumnType: String, Hashable, Sendable { case integer, real, text, blob }

    public struct Column: Hashable, Sendable {
        public let name: String
        public let type: ColumnType
        public let isRequired: Bool
    }

    public let name: String
    public let columns: [Column]
    /// Indexes of the primary key's columns, in the order of the key. Never empty.
    public let key: [Int]
    /// The number of the columns without `rowid`.
    let declaredColumns: Int

    /// The table in which SQLite keeps the numbers that AUTOINCREMENT must not use again. It declares neither types nor
    /// a key.
    public static let sequences = LedgerTable(
        name: "sqlite_sequence",
        columns: [
            Column(name: "name", type: .text, isRequired: true), Column(name: "seq", type: .integer, isRequired: true),
        ], key: [0], declaredColumns: 2)

    private init(name: String, columns: [Column], key: [Int], declaredColumns: Int) {
        self.name = name
        self.columns = columns
        self.key = key
        self.declaredColumns = declaredColumns
    }

    init(_ name: String, in db: Database) throws {
        let info = try Row.fetchAll(db, sql: "PRAGMA table_info(\(TableShape.quote(name)))")
        let columns = try info.map { row in
            let declared: String = row["type"]
            // The tables are STRICT: a value has the type of its column, or is NULL.
            guard let type = ["INTEGER": ColumnType.integer, "REAL": .real, "TEXT": .text, "BLOB": .blob][declared]
            else { throw DatabaseError(message: "unknown type \(declared) in table \(name)") }
            return Column(name: row["name"], type: type, isRequired: row["notnull"] == 1 || row["pk"] as Int > 0)
        }
        let key = info.indices.filter { info[$0]["pk"] as Int > 0 }
            .sorted { (info[$0]["pk"] as Int) < (info[$1]["pk"] as Int) }
        guard !key.isEmpty else { throw DatabaseError(message: "table \(name) has no primary key") }
        let number =
            try TableShape(name, in: db).hidesRowID
            ? [Column(name: "rowid", type: .integer, isRequired: true)] : []
        self.init(name: name, columns: columns + number, key: key, declaredColumns: columns.count)
    }

    /// All tables in the order of their names, the sequences last: an insertion into another table changes them.
    static func all(_ db: Database) throws -> [LedgerTable] {
        try LedgerSalvage.tables(db).map { try LedgerTable($0, in: db) } + [sequences]
    }

    private static let known = Mutex<[LedgerTable]?>(nil)

    /// ``all(_:)`` of a working copy. Every copy has all migrations of this program, so the tables of the first one are
    /// those of each: SQLite's answers take a seventh of the time of opening a copy.
    static func ofCopy(_ db: Database) throws -> [LedgerTable] {
        if let tables = known.withLock({ $0 }) { return tables }
        let tables = try all(db)
        known.withLock { $0 = tables }
        return tables
    }

    var quotedName: String { TableShape.quote(name) }

    var columnList: String { columns.map { TableShape.quote($0.name) }.joined(separator: ", ") }

    private var isOfKey: String { key.map { "\(TableShape.quote(columns[$0].name)) = ?" }.joined(separator: " AND ") }

    /// The statement that reads the row of a key.
    var selectionByKey: String { "\(selection) WHERE \(isOfKey)" }

    /// The statement that deletes the row of a key.
    var deletionByKey: String { "DELETE FROM main.\(quotedName) WHERE \(isOfKey)" }

    var selection: String { "SELECT \(columnList) FROM main.\(quotedName)" }

    var insertion: String {
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO main.\(quotedName) (\(columnList)) VALUES (\(values))"
    }
}
