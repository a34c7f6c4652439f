internal import GRDB

/// A table of the ledger, as SQLite declares it.
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

    /// The table in which SQLite keeps the numbers that AUTOINCREMENT must not use again. It declares neither types nor
    /// a key.
    public static let sequences = LedgerTable(
        name: "sqlite_sequence",
        columns: [
            Column(name: "name", type: .text, isRequired: true), Column(name: "seq", type: .integer, isRequired: true),
        ], key: [0])

    private init(name: String, columns: [Column], key: [Int]) {
        self.name = name
        self.columns = columns
        self.key = key
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
        self.init(name: name, columns: columns, key: key)
    }

    /// All tables in the order of their names, the sequences last: an insertion into another table changes them.
    static func all(_ db: Database) throws -> [LedgerTable] {
        try LedgerSalvage.tables(db).map { try LedgerTable($0, in: db) } + [sequences]
    }

    var quotedName: String { TableShape.quote(name) }

    var columnList: String { columns.map { TableShape.quote($0.name) }.joined(separator: ", ") }

    /// The statement that reads the row of a key.
    var selectionByKey: String {
        let condition = key.map { "\(TableShape.quote(columns[$0].name)) = ?" }.joined(separator: " AND ")
        return "\(selection) WHERE \(condition)"
    }

    var selection: String { "SELECT \(columnList) FROM main.\(quotedName)" }

    var insertion: String {
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO main.\(quotedName) (\(columnList)) VALUES (\(values))"
    }
}
