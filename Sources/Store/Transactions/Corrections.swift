internal import GRDB
public import Ledger

extension Store {
    /// Changes the draft of an item of the review queue, or makes it where nothing could be read.
    /// - Returns: whether this changed anything.
    @discardableResult
    public func edit(
        draft id: ReviewID, _ edit: TransactionEdit, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> Bool {
        let time = Instant.text(now())
        return try write { db in
            guard let found = try Self.find(db, id) else { throw notFound("\(id)") }
            let journal = Journal(db, actor, time: time, group: group)
            if found.transaction == nil, let mail = found.mail {
                guard !edit.isEmpty else { return false }
                _ = try draft(ofMail: mail, edit, journal)
                return true
            }
            guard let transaction = found.transaction, let old = try Self.row(db, transaction) else {
                throw notFound("draft \(id)")
            }
            return try change(transaction, edit, expecting: nil, journal).revision != old.revision
        }
    }
}
