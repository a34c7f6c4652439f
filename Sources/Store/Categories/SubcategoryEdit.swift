internal import Chronology
internal import GRDB
internal import Ledger

extension CategoryRepository {
    /// Renames a subcategory, also in the transactions, split payments and recurring items of its category, and changes
    /// its icon. A shipped one may be renamed: its keywords follow, and updates keep the name. Recorded in the journal.
    ///
    /// - Throws: `notFound`; `invalid`; `conflict` if the category has another subcategory of this name.
    @discardableResult
    public func updateSubcategory(
        _ id: Int64, of category: Int64, _ edit: CategoryEdit, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> CategoryRow.Subcategory where Scope: WriteScope {
        let time = now()
        let problems = edit.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            guard let parent = try CategoryRow.current(db, category) else {
                throw StoreError.notFound("category \(category)")
            }
            guard let old = parent.subcategories.first(where: { $0.id == id }) else {
                throw StoreError.notFound("subcategory \(id) of category \(category)")
            }
            var new = old
            new.name = edit.name ?? old.name
            new.icon = edit.icon.applied(to: old.icon)
            guard new != old else { return old }
            let name = new.name.lowercased()
            if parent.subcategories.contains(where: { $0.id != id && $0.name.lowercased() == name }) {
                throw StoreError.conflict("'\(parent.name)' has a subcategory of this name", "name", "is taken")
            }
            try Journal(db, actor, time: time, group: group).record(.changed, .subcategory, id) {
                try db.execute(
                    sql: "UPDATE subcategories SET name = ?, icon = ?, updated_at = ? WHERE id = ?",
                    arguments: [new.name, new.icon, time, id])
            }
            if new.name != old.name { try CategoryNames.rename(old.name, to: new.name, in: parent.name, time, db) }
            new.updatedAt = time
            return new
        }
    }
}
