import PostgreSQL
import Store

/// The statements that write the rows of a ledger's table: one statement for many rows, a column as an array.
///
/// Every statement acts on the household that the transaction names. The names of tables and columns come from the
/// program's own schema.
struct TableWrites {
    /// Rows and bytes of one statement.
    private static let mostRows = 1000
    private static let mostBytes = 4 << 20

    let table: LedgerTable

    /// The statement that reads all rows.
    var selection: String { "SELECT \(list(table.columns.map(\.name))) FROM \(name)" }

    /// The statements that read the rows of some keys, of which there may be fewer.
    func selections(_ keys: [[LedgerValue]]) -> [PostgresStatement] {
        let columns = table.key.map { table.columns[$0] }
        let same = columns.map { "present.\(quote($0.name)) = sought.\(quote($0.name))" }.joined(separator: " AND ")
        let sql = """
            SELECT \(table.columns.map { "present.\(quote($0.name))" }.joined(separator: ", "))
            FROM unnest(\(parameters(columns))) AS sought (\(list(columns.map(\.name))))
            JOIN \(name) AS present ON present.household_id = fleet.household() AND \(same)
            """
        return chunks(keys).map { PostgresStatement(sql, arrays($0, columns)) }
    }

    func deletions(_ keys: [[LedgerValue]]) -> [PostgresStatement] {
        let columns = table.key.map { table.columns[$0] }
        let same = columns.map { "present.\(quote($0.name)) = gone.\(quote($0.name))" }.joined(separator: " AND ")
        let sql = """
            DELETE FROM \(name) AS present USING unnest(\(parameters(columns))) AS gone (\(list(columns.map(\.name))))
            WHERE present.household_id = fleet.household() AND \(same)
            """
        return chunks(keys).map { PostgresStatement(sql, arrays($0, columns)) }
    }

    func insertions(_ rows: [[LedgerValue]]) -> [PostgresStatement] {
        let columns = list(table.columns.map(\.name))
        let sql = "INSERT INTO \(name) (\(columns)) SELECT * FROM unnest(\(parameters(table.columns)))"
        return chunks(rows).map { PostgresStatement(sql, arrays($0, table.columns)) }
    }

    /// The row of ``selection``.
    func row(_ row: PostgresRow) -> [LedgerValue] {
        table.columns.enumerated().map { index, column in
            if row.isNull(index) { return .null }
            return switch column.type {
            case .integer: row.bigint(index).map(LedgerValue.integer) ?? .null
            case .real: row.double(index).map(LedgerValue.real) ?? .null
            case .text: row.bytes(index).map { .text(StoredText.decoded($0)) } ?? .null
            case .blob: row.bytes(index).map(LedgerValue.blob) ?? .null
            }
        }
    }

    private var name: String { "ledger.\(quote(table.name))" }

    private func quote(_ name: String) -> String { "\"\(name)\"" }

    private func list(_ names: [String]) -> String { names.map(quote).joined(separator: ", ") }

    private func parameters(_ columns: [LedgerTable.Column]) -> String {
        columns.enumerated().map { "$\($0 + 1)::\($1.type.arrayName)" }.joined(separator: ", ")
    }

    private func arrays(_ rows: ArraySlice<[LedgerValue]>, _ columns: [LedgerTable.Column]) -> [PostgresValue] {
        columns.enumerated().map { index, column in
            switch column.type {
            case .integer: .bigints(rows.map { $0[index].integer })
            case .real: .doubles(rows.map { $0[index].real })
            case .text: .texts(rows.map { $0[index].text.map(StoredText.encoded) })
            case .blob: .byteas(rows.map { $0[index].blob })
            }
        }
    }

    private func chunks(_ rows: [[LedgerValue]]) -> [ArraySlice<[LedgerValue]>] {
        var chunks: [ArraySlice<[LedgerValue]>] = []
        var (start, bytes) = (0, 0)
        for index in rows.indices {
            let size = rows[index].reduce(0) { $0 + $1.size }
            if index > start, index - start >= Self.mostRows || bytes + size > Self.mostBytes {
                chunks.append(rows[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < rows.count { chunks.append(rows[start...]) }
        return chunks
    }
}

extension LedgerTable.ColumnType {
    fileprivate var arrayName: String {
        switch self {
        case .integer: "bigint[]"
        case .real: "double precision[]"
        case .text: "text[]"
        case .blob: "bytea[]"
        }
    }
}

extension LedgerValue {
    fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    fileprivate var real: Double? { if case .real(let value) = self { value } else { nil } }
    fileprivate var text: [UInt8]? { if case .text(let value) = self { value } else { nil } }
    fileprivate var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

    /// Bytes, about.
    fileprivate var size: Int {
        switch self {
        case .text(let bytes), .blob(let bytes): bytes.count + 4
        case .null, .integer, .real: 12
        }
    }
}
