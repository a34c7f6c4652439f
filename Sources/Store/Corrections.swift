internal import GRDB
public import Ledger

extension Store {
    /// What a person says instead of what was read; `nil` leaves a field as it is.
    public struct Correction: Hashable, Sendable {
        public var amount: Money?
        public var type: TransactionType?
        public var date: CalendarDate?
        public var time: TimeOfDay?
        public var merchant: String?
        public var account: String?

        public init() {}

        public var isEmpty: Bool { self == Correction() }
    }

    /// Puts right what was read wrongly. The mail does not bring the old values back; the row says which fields were changed.
    ///
    /// The printed time zone stays: the instant moves by as much as day and time do.
    /// - Returns: whether this changed anything.
    @discardableResult
    public func correct(_ id: ReviewID, _ correction: Correction, by actor: Actor = .terminal) throws(StoreError) -> Bool {
        var edit = TransactionEdit()
        edit.amount = correction.amount
        edit.type = correction.type
        edit.date = correction.date
        edit.time = correction.time.map { .set($0) } ?? .keep
        edit.merchant = correction.merchant.map { .set($0) } ?? .keep
        edit.accountDigits = correction.account.map { .set($0) } ?? .keep
        return try self.edit(draft: id, edit, by: actor)
    }

    /// Changes the draft of an item of the review queue.
    /// - Returns: whether this changed anything.
    @discardableResult
    public func edit(draft id: ReviewID, _ edit: TransactionEdit, by actor: Actor, group: String? = nil) throws(StoreError) -> Bool {
        let time = Instant.text(now())
        return try write { db in
            guard let transaction = try Self.find(db, id)?.transaction, let old = try Self.row(db, transaction) else { throw notFound("draft \(id)") }
            return try change(transaction, edit, expecting: nil, Journal(db, actor, time: time, group: group)).revision != old.revision
        }
    }
}
