public import Codecs
internal import GRDB
import Glibc

/// The rows of a ledger as JSON: for other programs, and to restore a ledger without its file.
///
/// A table is a list of objects by column name, in the order of booking. A text is a string, a blob `{"hex": "…"}`.
/// Tokens, logins and other secrets, the bytes of mails, and what the running program keeps for itself are not part of
/// it.
public enum PortableRows {
    /// Tables that are left out.
    static let omitted: Set<String> = [
        Schema.migrationTable,
        // Secrets and the traces of access.
        "access_tokens", "login_secrets", "login_sessions", "login_tries", "passkeys", "pairing_offers", "devices",
        "audit_log", "audit_anchor", "mailbox_keys", "mailbox_setups",
        // Bytes of mails, and answers kept for clients.
        "raw_messages", "raw_dictionaries", "kept_messages", "api_answers",
        // States of the running program.
        "web_server", "added_mailboxes", "added_sinks", "mailbox_health", "mailbox_alarms", "drift_alarms",
        "rescan_requests",
        "notification_events",
        "notification_messages", "notification_sinks", "file_marks",
    ]

    fileprivate static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name
                """
        ).filter { !omitted.contains($0) }
    }

    /// The order of booking, or of the key.
    fileprivate static func selection(_ table: String, _ db: Database) throws -> String {
        let shape = try TableShape(table, in: db)
        return "SELECT * FROM \(shape.quotedName) NOT INDEXED" + (shape.hasRowID ? " ORDER BY rowid" : "")
    }
}

extension Store {
    /// The migrations of the ledger, oldest first.
    public func migrations() throws(StoreError) -> [String] {
        let applied = try readDatabase { db in
            try Set(String.fetchAll(db, sql: "SELECT identifier FROM \(Schema.migrationTable)"))
        }
        return Schema.migrations.map(\.name).filter(applied.contains)
    }

    /// Writes all portable rows as one JSON object, from one snapshot, a row at a time.
    public func writePortableRows(_ write: ([UInt8]) throws -> Void) throws {
        try translated {
            try reader.read { db in
                try write(Array("{".utf8))
                for (index, table) in try PortableRows.tables(db).enumerated() {
                    try write(Array((index > 0 ? ",\n" : "\n").utf8) + JSON.string(table).utf8 + Array(":[".utf8))
                    var isFirst = true
                    let rows = try Row.fetchCursor(db, sql: PortableRows.selection(table, db))
                    while let row = try rows.next() {
                        try write(Array((isFirst ? "\n" : ",\n").utf8) + JSON(row).utf8)
                        isFirst = false
                    }
                    try write(Array("]".utf8))
                }
                try write(Array("\n}".utf8))
            }
        }
    }
}

extension PortableRows {
    /// Makes a new ledger of portable rows.
    ///
    /// - Parameters:
    ///   - rows: the object that ``Store/writePortableRows(_:)`` wrote.
    ///   - migrations: those of the ledger that it was written from.
    ///   - path: of the new ledger, which must not exist.
    /// - Throws: `newerSchema` for a migration or a table that this program does not know; `invalid` for rows that
    ///   break a rule of the ledger. No ledger is left then.
    public static func makeLedger(of rows: JSON, migrations: [String], at path: String) throws(StoreError) {
        do {
            guard Set(migrations).isSubset(of: Schema.migrations.map(\.name)) else { throw newer(path) }
            try NewLedgerFile.make(path, label: "store.portable", with: Set(migrations)) { db in
                try fill(db, with: rows, path)
            }
            do {
                // Applies the migrations that are missing.
                try Store(path: path).checkpoint()
            } catch {
                LedgerFiles.remove(path)
                throw error
            }
        } catch { throw StoreError(error, path: path) }
    }

    private static func newer(_ path: String) -> StoreError {
        StoreError(
            kind: .newerSchema, path: path,
            message: "was written by a newer version of SpendWise: install that version to restore it")
    }

    private static func fill(_ db: Database, with rows: JSON, _ path: String) throws {
        guard case .object(let tables) = rows else {
            throw StoreError(kind: .invalid, path: path, message: "the rows are not an object of tables")
        }
        let known = try Set(PortableRows.tables(db))
        for (table, list) in tables {
            guard known.contains(table), case .array(let items) = list else { throw newer(path) }
            try db.execute(sql: "DELETE FROM \(TableShape.quote(table))")
            var insertion: (columns: [String], statement: PreparedStatement)?
            for item in items {
                guard case .object(let members) = item, !members.isEmpty else {
                    throw StoreError(kind: .invalid, path: path, message: "a row of \(table) is not an object")
                }
                let columns = members.map(\.0)
                if insertion?.columns != columns {
                    insertion = (columns, try PreparedStatement(db, self.insertion(into: table, columns)))
                }
                try insertion?.statement.run(binding: members, of: table, path)
            }
        }
        try db.checkForeignKeys()
    }

    private static func insertion(into table: String, _ columns: [String]) -> String {
        let names = columns.map(TableShape.quote).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(TableShape.quote(table)) (\(names)) VALUES (\(places))"
    }
}

extension PreparedStatement {
    fileprivate func run(binding members: [(String, JSON)], of table: String, _ path: String) throws {
        for (name, value) in members where !value.isPortable {
            throw StoreError(kind: .invalid, path: path, message: "\(table).\(name) has a value of no column")
        }
        try run { row in for (_, value) in members { value.bind(to: &row) } }
    }
}

extension JSON {
    fileprivate init(_ row: Row) {
        self = .object(row.map { name, value in (name, JSON(portable: value)) })
    }

    fileprivate init(portable value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let number): .integer(number)
            // All digits: an exponent or none, as Swift prints the shortest form.
            case .double(let number): .decimal("\(number)")
            case .string(let text): .string(text)
            case .blob(let data): .object([("hex", .string(Hexadecimal.text(data)))])
            }
    }
}

extension JSON {
    /// True for a value that a column holds.
    fileprivate var isPortable: Bool {
        switch self {
        case .null, .integer, .number, .string: true
        case .decimal(let text): Double(text) != nil
        case .object: blob != nil
        case .bool, .array: false
        }
    }

    private var blob: [UInt8]? {
        guard case .object(let members) = self, members.count == 1, members[0].0 == "hex",
            case .string(let text) = members[0].1
        else { return nil }
        return Hexadecimal.bytes(text)
    }

    fileprivate func bind(to row: inout Binder) {
        switch self {
        case .integer(let number): row.bind(number)
        case .number(let number): row.bind(number)
        case .decimal(let text): row.bind(Double(text) ?? 0)
        case .string(let text): row.bind(text)
        case .object: row.bind(blob)
        case .null, .bool, .array: row.bind(nil as String?)
        }
    }
}
