internal import Ledger
public import Store

/// The result of a change to one review item.
public struct ReviewResult: Sendable {
    /// False if the item was in the requested state already.
    public var changed: Bool
    /// The group of journal entries, for an undo.
    public var group: String
    /// The item after the change.
    public var item: ReviewItem?
    /// The sender that became trusted by this acceptance.
    public var trustedSender: TrustedSenderRow?
}

extension ReviewService where Scope: WriteScope {
    /// Makes an edit from the item as it is within the transaction, so that the edit cannot be based on older values.
    public typealias EditMaker = (ReviewItem) throws -> TransactionEdit

    /// Books a draft after an optional edit. A mail without a draft is booked from the edit alone.
    ///
    /// - Parameter group: the group of the journal entry.
    /// - Throws: ``ReviewConflict``, `StoreError`, and what `edit` throws; nothing is written then.
    @discardableResult
    public func accept(
        _ id: ReviewID, seen: SeenDraft, group: String = LedgerChange.newGroup(),
        edit: EditMaker = { _ in TransactionEdit() }
    ) throws -> ReviewResult {
        try store.write { store in
            let service = ReviewService<WriteTransaction>(store, by: actor)
            var result = try service.change(id, seen, group) { store, item in
                try store.review.accept(id, edit(item), by: actor, group: group)
            }
            if result.changed { result.trustedSender = try store.trustedSenders.learned(by: id) }
            return result
        }
    }

    /// Rejects a draft, or records that a mail has nothing to book. A later decision of the mail does not change this.
    ///
    /// An item that is rejected already stays rejected, even if the caller has seen another revision.
    /// - Parameter group: the group of the journal entry.
    /// - Throws: ``ReviewConflict``, `StoreError`.
    @discardableResult
    public func reject(
        _ id: ReviewID, seen: SeenDraft, group: String = LedgerChange.newGroup()
    ) throws -> ReviewResult {
        try change(id, seen, group, unless: { $0.transaction?.status == .rejected }) { store, _ in
            try store.review.reject(id, by: actor, group: group)
        }
    }

    /// Corrects a draft, or makes the draft of a mail without one. The item stays in the queue.
    ///
    /// - Throws: ``ReviewConflict``, `StoreError`, and what `edit` throws; nothing is written then.
    @discardableResult
    public func correct(_ id: ReviewID, seen: SeenDraft, edit: EditMaker) throws -> ReviewResult {
        let group = LedgerChange.newGroup()
        return try change(id, seen, group) { store, item in
            let edit = try edit(item)
            return edit.isEmpty ? false : try store.review.edit(draft: id, edit, by: actor, group: group)
        }
    }

    /// Declares a possible duplicate a separate event: it is decided again without that objection.
    ///
    /// - Parameter autoConfirmAt: the confidence from which drafts of a bank are booked, by the bank's key.
    /// - Throws: ``ReviewConflict``; `StoreError.conflict` if the item does not wait as a possible duplicate.
    @discardableResult
    public func release(
        _ id: ReviewID, seen: SeenDraft, autoConfirmAt: (String?) -> Double
    ) throws -> ReviewResult {
        let group = LedgerChange.newGroup()
        return try change(id, seen, group) { store, item in
            guard let transaction = item.transaction?.id else {
                throw StoreError(kind: .conflict, path: store.path, message: "\(id) has no draft to release")
            }
            try store.review.release(transaction: transaction, autoConfirmAt: autoConfirmAt, by: actor, group: group)
            return true
        }
    }

    private func change(
        _ id: ReviewID, _ seen: SeenDraft, _ group: String, unless isDone: (ReviewItem) -> Bool = { _ in false },
        _ body: (WriteTransaction, ReviewItem) throws -> Bool
    ) throws -> ReviewResult {
        try store.write { store in
            guard let item = try store.review.item(id) else {
                throw StoreError(kind: .notFound, path: store.path, message: "there is no \(id)")
            }
            if isDone(item) { return ReviewResult(changed: false, group: group, item: item) }
            try seen.check(item, id)
            let changed = try body(store, item)
            return ReviewResult(changed: changed, group: group, item: try store.review.item(id))
        }
    }
}

extension ReviewService where Scope: WriteScope {
    /// Undoes the last change of one item that is not undone yet.
    /// - Throws: `StoreError.conflict` if there is none, or if the row was changed since.
    @discardableResult
    public func undo(_ id: ReviewID) throws -> [LedgerChange] {
        try store.write { store in
            guard let item = try store.review.item(id) else {
                throw StoreError(kind: .notFound, path: store.path, message: "there is no \(id)")
            }
            let changes = try store.journal.changes(
                ofTransaction: item.transaction?.id, mail: item.transaction == nil ? item.mail?.id : nil, limit: 1000)
            guard let last = changes.first(where: { !$0.isUndone && $0.kind != .undone }) else {
                throw StoreError(kind: .conflict, path: store.path, message: "this item has no change to undo")
            }
            return try store.journal.undo(change: last.id, by: actor)
        }
    }

    /// Undoes the last group of changes: of the given transaction, or without one the last group that was made at the
    /// terminal.
    /// - Returns: the change that was found; `nil` if there is none.
    @discardableResult
    public func undoLast(ofTransaction id: Int64? = nil) throws -> LedgerChange? {
        try store.write { store in
            let last = try store.journal.changes(ofTransaction: id, limit: 1000).first {
                $0.kind != .undone && !$0.isUndone && (id != nil || $0.actor.kind == .terminal)
            }
            if let last { try store.journal.undo(group: last.group, by: actor) }
            return last
        }
    }

    /// Undoes one group of changes: all of it, or nothing.
    @discardableResult
    public func undo(group: String) throws(StoreError) -> [LedgerChange] {
        try store.journal.undo(group: group, by: actor)
    }
}
