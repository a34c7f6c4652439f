internal import Chronology
public import Ledger
public import Store

/// The values that the profiles would read today from the mail of a booked transaction and that differ from it.
public struct ReplayedChange: Sendable {
    public struct Value: Hashable, Sendable {
        public var field: Field
        public var before: String?
        public var after: String?
    }

    public var mail: MailRow
    public var transaction: TransactionRow
    /// The outcome of the mail today.
    public var outcome: Outcome
    /// The values that differ; empty if nothing would be read.
    public var values: [Value]
    /// The same difference as an edit. A mail that would not be booked today returns to the queue; its transaction is
    /// never removed.
    public var edit: TransactionEdit
}

/// Booked mails decided again by other profiles, compared with the ledger row by row and value by value.
public struct Replay: Sendable {
    /// Mails that were decided again.
    public var mails = 0
    public var changes: [ReplayedChange] = []
    /// Transactions that would change, but that a person edited or that a reconciled statement has: they stay.
    public var settled: [ReplayedChange] = []
    /// Booked mails whose bytes are not retained.
    public var notRetained = 0
    /// Mailboxes that are not in the configuration, so that their authentication policy is unknown; their mails were
    /// not decided again.
    public var unknownMailboxes: Set<String> = []
}

extension RetainedMails {
    /// Decides booked mails again and compares. Nothing is written.
    public func replay(
        _ selection: Selection = Selection(), isStopped: () -> Bool = { false }, progress: (Replay) -> Void = { _ in }
    ) throws -> Replay {
        var replay = Replay()
        replay.unknownMailboxes = try eachEntry([.recorded], of: selection, isStopped: isStopped) { mails in
            for (mail, entry) in mails {
                replay.mails += 1
                guard let row = try store.transactions.find(ofMail: mail.id), row.status != .rejected,
                    let change = ReplayedChange(mail, row, try store.dated(entry.decision))
                else { continue }
                let isSettled = try row.editedAt != nil || store.statements.reconciledPeriod(of: row.id) != nil
                if isSettled { replay.settled.append(change) } else { replay.changes.append(change) }
            }
            progress(replay)
        }
        replay.notRetained = try store.mails.bookedWithoutBytes()
        return replay
    }

    /// Writes the changes of a replay in one transaction and one group of the journal.
    ///
    /// - Returns: the group, for an undo, and the number of changed transactions.
    /// - Throws: `conflict`, and nothing is written, if a transaction was changed since the replay.
    public func apply(_ replay: Replay) throws -> (group: String, changed: Int) {
        let group = LedgerChange.newGroup()
        let changed = try store.write { store in
            for change in replay.changes {
                try store.transactions.change(
                    change.transaction.id, change.edit, expecting: change.transaction.revision,
                    by: Actor(.rule, "replay"), group: group)
            }
            return replay.changes.count
        }
        return (group, changed)
    }
}

extension ReplayedChange {
    /// `nil` if today's decision equals what the ledger has.
    init?(_ mail: MailRow, _ row: TransactionRow, _ decision: Decision) {
        (self.mail, transaction, outcome) = (mail, row, decision.outcome)
        (edit, values) = (TransactionEdit(), [])
        if let draft = decision.draft { compare(row, draft) }
        if outcome != .recorded, row.status == .confirmed { edit.status = .needsReview }
        if edit.isEmpty { return nil }
    }

    private mutating func compare(_ row: TransactionRow, _ draft: TransactionDraft) {
        differs(.amount, row.amount.description, draft.amount.description) { $0.amount = draft.amount }
        if let type = draft.type, row.type != .transfer || type != .expense {
            // A transfer that was linked stays one: the mail alone shows a payment.
            differs(.type, row.type.rawValue, type.rawValue) { $0.type = type }
        }
        differs(.date, row.date.description, draft.date.description) { $0.date = draft.date }
        differs(.time, row.time?.description, draft.time?.description) { $0.time = .init(draft.time) }
        let merchant = draft.merchant ?? draft.vpa
        differs(.merchant, row.vendor, merchant) { $0.merchant = .init(merchant) }
        differs(.account, row.accountDigits, draft.account) { $0.accountDigits = .init(draft.account) }
        differs(.reference, row.reference, draft.reference) { $0.reference = .init(draft.reference) }
        differs(.vpa, row.vpa, draft.vpa) { $0.vpa = .init(draft.vpa) }
        differs(.channel, row.channel?.rawValue, draft.channel.rawValue) { $0.channel = .set(draft.channel) }
    }

    private mutating func differs(
        _ field: Field, _ before: String?, _ after: String?, _ change: (inout TransactionEdit) -> Void
    ) {
        guard before != after else { return }
        values.append(Value(field: field, before: before, after: after))
        change(&edit)
    }
}

extension Change {
    fileprivate init(_ value: Value?) { self = value.map { .set($0) } ?? .clear }
}
