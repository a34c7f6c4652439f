internal import GRDB

extension Journal {
    /// Restores a mapping to its state before a change, or deletes it.
    func revert(_ change: LedgerChange, ofMapping mapping: Int64) throws -> [LedgerChange] {
        let now = try self.mapping(mapping)
        guard now == change.after else {
            throw StoreError.conflict("mapping \(mapping) was changed again since: undo that first")
        }
        if try String.fetchOne(db, sql: "SELECT json_type(?, '$.mapping')", arguments: [change.before]) == "object" {
            try restore(mapping, change.before)
        } else {
            try db.execute(sql: "DELETE FROM vendor_mappings WHERE id = ?", arguments: [mapping])
        }
        guard let id = try note(mapping: mapping, before: now, undoing: change.id) else { return [] }
        return try link(id, undoing: change)
    }

    /// - Throws: `conflict` if the category was deleted since, or if another mapping has the keyword by now.
    private func restore(_ mapping: Int64, _ values: String) throws {
        let columns = Journal.mappingColumns
        do {
            try db.execute(
                sql: """
                    INSERT INTO vendor_mappings (\(columns.joined(separator: ", "))) SELECT \(columns.map { "?1 ->> '$.mapping.\($0)'" }.joined(separator: ", ")) WHERE true
                    ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                    """, arguments: [values])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreError.conflict(
                "mapping \(mapping) cannot be restored: its category was deleted, or another mapping has its keyword")
        }
    }
}

extension LedgerChange {
    /// The changed mapping; `nil` if the change is about a transaction or a mail.
    func mapping(_ db: Database) throws -> Int64? {
        guard transactionID == nil, mailID == nil else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT coalesce(?1 ->> '$.mapping.id', ?2 ->> '$.mapping.id')", arguments: [after, before])
    }
}
