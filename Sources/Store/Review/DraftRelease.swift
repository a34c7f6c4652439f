internal import GRDB
public import Ledger

extension Reason {
    /// True if it states a possible duplicate.
    public var isAboutDuplicates: Bool { factor == .possibleDuplicate || factor == .referenceReused }
}

extension ReviewRepository {
    /// A person vouches that a draft is an event of its own: it is decided again without that objection, booked where
    /// nothing else speaks against it, and otherwise waits on. Later looks at its mail leave it alone.
    ///
    /// - Parameters:
    ///   - revision: what the person has seen; `conflict` where the row has another by now.
    ///   - autoConfirmAt: from which confidence on a bank's drafts are booked, by its key.
    /// - Throws: `notFound`; `conflict` where it does not wait, or not as a possible duplicate.
    @discardableResult
    public func release(
        transaction id: Int64, expecting revision: Int64? = nil, autoConfirmAt: (String?) -> Double,
        by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> TransactionRow where Scope: WriteScope {
        let time = Instant.text(now())
        return try write { db in
            guard let row = try TransactionRow.current(db, id) else { throw StoreError.notFound("transaction \(id)") }
            if let revision, revision != row.revision {
                throw StoreError.conflict(
                    "transaction \(id) was changed meanwhile: it has revision \(row.revision), not \(revision)")
            }
            guard row.status == .needsReview, row.duplicateOf != nil else {
                throw StoreError.conflict("transaction \(id) does not wait as a possible duplicate")
            }
            let journal = Journal(db, actor, time: time, group: group)
            let before = try journal.values(id, row.mailID)
            let confidence = try Provenance.reasons(db, in: row.provenance).filter { !$0.isAboutDuplicates }.confidence
            try db.execute(
                sql:
                    "UPDATE transactions SET duplicate_of = NULL, user_edited_at = ?, updated_at = ?, revision = revision + 1 WHERE id = ?",
                arguments: [time, time, id])
            if confidence >= autoConfirmAt(row.profile) {
                try ReviewRows.settle(db, id, row.mailID, as: .confirmed, time: time)
            }
            try journal.note(.released, id, row.mailID, before: before)
            return try TransactionRow.current(db, id) ?? row
        }
    }

    /// A person vouches that a mail is from the bank: it is recorded as it is decided now, in place of its quarantine.
    ///
    /// - Parameter entry: the mail at its place, decided without the objection to its authenticity.
    /// - Returns: `nil` where the decision did not make more of it.
    /// - Throws: `conflict` where the mail is not in quarantine.
    public func release(
        mail id: String, as entry: MailEntry, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> RecordedMail? where Scope: WriteScope {
        let seconds = now()
        let time = Instant.text(seconds)
        return try write { db in
            guard
                let outcome = try String.fetchOne(
                    db, sql: "SELECT status FROM processed_emails WHERE id = ?", arguments: [id])
            else { throw StoreError.notFound("mail \(id)") }
            guard outcome == Outcome.quarantined.rawValue else {
                throw StoreError.conflict("mail \(id) is not in quarantine: it is \(outcome)")
            }
            let journal = Journal(db, actor, time: time, group: group)
            let before = try journal.values(nil, id)
            var recorder = try Recorder(db, time: time, seconds: seconds, redeciding: [.quarantined])
            let recorded = try recorder.record(entry, 0, of: [entry])
            try recorder.finish(advancing: nil)
            guard recorded.was == .quarantined, recorded.mailID == id else { return nil }
            try journal.note(.released, recorded.transactionID, id, before: before)
            return recorded
        }
    }
}
