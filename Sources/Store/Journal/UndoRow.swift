internal import GRDB

/// A row of a ``JournaledTable``.
struct JournaledRow {
    var table: JournaledTable
    var id: Int64
}

extension Journal {
    /// Restores a row to its state before a change, or deletes it.
    func revert(_ change: LedgerChange, of row: JournaledRow) throws -> [LedgerChange] {
        let (table, id) = (row.table, row.id)
        let now = try values(table, id)
        guard now == change.after else {
            throw StoreError.conflict("\(table.rawValue) \(id) was changed again since: undo that first")
        }
        if try String.fetchOne(db, sql: "SELECT json_type(?, '$.\(table.rawValue)')", arguments: [change.before])
            == "object"
        {
            try row.renameUses(to: change.before, time, db)
            try restore(row, change.before)
        } else {
            try row.refuseUse(db)
            do { try db.execute(sql: "DELETE FROM main.\(table.name) WHERE id = ?", arguments: [id]) } catch let error
                as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT
            { throw StoreError.conflict("\(table.rawValue) \(id) is in use by now: undo the later changes first") }
        }
        guard let made = try note(.undone, table, id, before: now, undoing: change.id) else { return [] }
        return try link(made, undoing: change)
    }

    /// - Throws: `conflict` if a row that it refers to was deleted since, or another row has its place by now.
    private func restore(_ row: JournaledRow, _ values: String) throws {
        let (table, columns) = (row.table, row.table.columns)
        do {
            try db.execute(
                sql: """
                    INSERT INTO main.\(table.name) (\(columns.joined(separator: ", "))) SELECT \(columns.map { "?1 ->> '$.\(table.rawValue).\($0)'" }.joined(separator: ", ")) WHERE true
                    ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                    """, arguments: [values])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreError.conflict("\(table.rawValue) \(row.id) cannot be restored: \(table.obstacle)")
        }
    }
}

extension LedgerChange {
    /// The changed row; `nil` if the change is about a transaction or a mail.
    func row(_ db: Database) throws -> JournaledRow? {
        guard transactionID == nil, mailID == nil else { return nil }
        for table in JournaledTable.allCases {
            let path = "$.\(table.rawValue).id"
            if let id = try Int64.fetchOne(
                db, sql: "SELECT coalesce(?1 ->> ?3, ?2 ->> ?3)", arguments: [after, before, path])
            {
                return JournaledRow(table: table, id: id)
            }
        }
        return nil
    }
}
