internal import GRDB
public import Ledger

extension Reason {
    /// True if it states a possible duplicate.
    public var isAboutDuplicates: Bool { factor == .possibleDuplicate || factor == .referenceReused }
}

extension ReviewRepository {
    /// Confirms that a draft is a separate event: it is decided again without that factor, booked if no other factor
    /// prevents it, and otherwise keeps waiting. Later decisions of its mail do not change it.
    ///
    /// - Parameters:
    ///   - revision: the one that the person has seen; `conflict` if the row has another by now.
    ///   - autoConfirmAt: the confidence from which drafts of a bank are booked, by its key.
    /// - Throws: `notFound`; `conflict` if it does not wait, or not as a possible duplicate.
    @discardableResult
    public func release(
        transaction id: Int64, expecting revision: Int64? = nil, autoConfirmAt: (String?) -> Double,
        by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> TransactionRow where Scope: WriteScope {
        let time = now()
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
            let reasons = try Provenance.reasons(db, in: row.provenance).filter { !$0.isAboutDuplicates }
            try db.execute(
                sql:
                    "UPDATE main.transactions SET duplicate_of = NULL, user_edited_at = ?, updated_at = ?, revision = revision + 1 WHERE id = ?",
                arguments: [time, time, id])
            // An SMS still waits: a separate event does not authenticate its sender.
            if reasons.confidence >= autoConfirmAt(row.profile), !reasons.contains(where: { $0.factor == .smsSender }) {
                try ReviewRows.resolve(db, id, row.mailID, as: .confirmed, time: time)
            }
            try journal.note(.released, id, row.mailID, before: before)
            return try TransactionRow.current(db, id) ?? row
        }
    }

    /// Confirms that a quarantined mail is from the bank: its present decision is recorded instead.
    ///
    /// - Parameter entry: the mail at its location, decided without the authentication failure.
    /// - Returns: `nil` if the new decision is not an improvement.
    /// - Throws: `conflict` if the mail is not quarantined.
    public func release(
        mail id: String, as entry: MailEntry, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> RecordedMail? where Scope: WriteScope {
        let time = now()
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
            var recorder = try Recorder(db, time: time, redeciding: [.quarantined])
            let recorded = try recorder.record(entry, 0, of: [entry])
            try recorder.finish(advancing: nil)
            guard recorded.was == .quarantined, recorded.mailID == id else { return nil }
            try journal.note(.released, recorded.transactionID, id, before: before)
            return recorded
        }
    }
}
