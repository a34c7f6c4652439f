import GRDB

/// Mends references to rows that were lost: as if each lost row had been deleted.
///
/// A row that its foreign key deletes with the other (`ON DELETE CASCADE`) is left out. Otherwise the reference becomes
/// null, and if it cannot be null, the row is left out.
struct LostParents {
    private let db: Database
    private struct Reference {
        let table: String
        let column: String
        let parent: String
        let parentColumn: String
        let isCascading: Bool
        let canBeNull: Bool

        /// True for a row that refers to no row.
        var condition: String {
            let (column, parent) = (TableShape.quote(column), TableShape.quote(parent))
            let match = "p.\(TableShape.quote(parentColumn)) = \(TableShape.quote(table)).\(column)"
            return "\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(parent) p WHERE \(match))"
        }
    }

    init(_ db: Database) { self.db = db }

    /// - Parameter report: counts the rows that are left out and the references that become null.
    func mend(_ report: inout SalvageReport) throws {
        let references = try report.tables.flatMap { try self.references(of: $0.name) }
        var isChanged = true
        while isChanged {
            isChanged = false
            for reference in references {
                let (unlinked, removed): (Int, Int) = try mend(reference)
                guard unlinked + removed > 0 else { continue }
                // Each round removes rows or references, so there is a last one.
                isChanged = true
                guard let index = report.tables.firstIndex(where: { $0.name == reference.table }) else { continue }
                report.tables[index].rows -= removed
                report.tables[index].orphans += removed
                report.tables[index].unlinked += unlinked
            }
        }
    }

    private func mend(_ reference: Reference) throws -> (unlinked: Int, removed: Int) {
        var unlinked = 0
        let table = TableShape.quote(reference.table)
        if !reference.isCascading, reference.canBeNull {
            // Another constraint may need the reference: such a row stays as it is, and is removed below.
            try db.execute(
                sql:
                    "UPDATE OR IGNORE \(table) SET \(TableShape.quote(reference.column)) = NULL WHERE \(reference.condition)"
            )
            unlinked = db.changesCount
        }
        try db.execute(sql: "DELETE FROM \(table) WHERE \(reference.condition)")
        return (unlinked, db.changesCount)
    }

    private func references(of table: String) throws -> [Reference] {
        let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(\(TableShape.quote(table)))")
        return try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(TableShape.quote(table)))").map { row in
            let (column, parent): (String, String) = (row["from"], row["table"])
            let own = columns.first { ($0["name"] as String) == column }
            return Reference(
                table: table, column: column, parent: parent,
                parentColumn: try row["to"] ?? db.primaryKey(parent).columns.first ?? "rowid",
                isCascading: (row["on_delete"] as String) == "CASCADE",
                canBeNull: own.map { ($0["notnull"] as Int) == 0 && ($0["pk"] as Int) == 0 } ?? false)
        }
    }
}
