internal import Codecs
internal import GRDB
public import Ledger

/// The columns of lists of payments that a person named.
extension StatementRepository {
    /// Limit of mappings: all of them are choices of one form.
    public static var mappingLimit: Int { 50 }

    /// By name.
    public func mappings() throws(StoreError) -> [PaymentColumns] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT name, headings, date_order, unsigned FROM column_mappings ORDER BY name")
                .compactMap { row in
                    guard let headings = Self.headings(row[1]), let order = DateOrder(rawValue: row[2]),
                        let unsigned = PaymentColumns.Unsigned(rawValue: row[3])
                    else { return nil }
                    return PaymentColumns(name: row[0], headings: headings, dateOrder: order, unsigned: unsigned)
                }
        }
    }

    /// Keeps a mapping; one of the same name is replaced.
    ///
    /// - Throws: `invalid`; `conflict` if there are ``mappingLimit`` mappings.
    public func save(_ mapping: PaymentColumns) throws(StoreError) where Scope: WriteScope {
        let problems = mapping.problems
        guard problems.isEmpty else { throw invalid(problems) }
        let columns = PaymentColumns.Column.allCases.compactMap { column in
            mapping.headings[column].map { (column.rawValue, JSON.array($0.map(JSON.string))) }
        }
        let time = now()
        try write { db in
            let others = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM column_mappings WHERE name <> ?", arguments: [mapping.name])
            guard (others ?? 0) < Self.mappingLimit else {
                throw StoreError.conflict("there are \(Self.mappingLimit) mappings of columns: remove one first")
            }
            try db.execute(
                sql: """
                    INSERT INTO column_mappings (name, headings, date_order, unsigned, created_at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET headings = excluded.headings, date_order = excluded.date_order, unsigned = excluded.unsigned
                    """,
                arguments: [
                    mapping.name, JSON.object(columns).text, mapping.dateOrder.rawValue, mapping.unsigned.rawValue,
                    time,
                ])
        }
    }

    /// Imports that were read by the mapping stay.
    ///
    /// - Throws: `notFound`.
    public func deleteMapping(_ name: String) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(sql: "DELETE FROM column_mappings WHERE name = ?", arguments: [name])
            guard db.changesCount == 1 else { throw StoreError.notFound("mapping of columns '\(name)'") }
        }
    }

    private static func headings(_ text: String) -> [PaymentColumns.Column: [String]]? {
        guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
        var headings: [PaymentColumns.Column: [String]] = [:]
        for (name, value) in members {
            guard let column = PaymentColumns.Column(rawValue: name), let items = value.elements else { return nil }
            headings[column] = items.compactMap(\.textValue)
        }
        return headings
    }
}
