internal import GRDB
import Ledger

extension ReviewRepository {
    /// Changes the draft of a review item, or creates it if nothing could be read.
    /// - Returns: true if this changed anything.
    @discardableResult
    public func edit(
        draft id: ReviewID, _ edit: TransactionEdit, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let found = try ReviewRows.find(db, id) else { throw StoreError.notFound("\(id)") }
            let journal = Journal(db, actor, time: time, group: group)
            if found.transaction == nil, let mail = found.mail {
                guard !edit.isEmpty else { return false }
                _ = try journal.draft(ofMail: mail, edit, in: access.store.zone)
                return true
            }
            guard let transaction = found.transaction, let old = try TransactionRow.current(db, transaction) else {
                throw StoreError.notFound("draft \(id)")
            }
            return try journal.change(transaction, edit, expecting: nil).revision != old.revision
        }
    }
}
