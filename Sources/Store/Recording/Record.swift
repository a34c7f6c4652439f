import Chronology
internal import GRDB
public import Ledger

extension RecordingRepository {
    /// Writes mails in one transaction: their rows, transactions, review items, `match_count`, and the cursor. When it
    /// returns, all of it is on the disk; when it throws, nothing is.
    ///
    /// - The entries are recorded in order: the first of two mails about one event wins.
    /// - An existing row of a UID stays unchanged unless it is `failed`: then this is its next attempt.
    /// - A repeated mail (same Message-ID, Date and digest) and a repeated event (same ``IdempotencyKey``) become
    ///   `duplicate`. A person's change, rejection or deletion of the first transaction stays.
    /// - A mail that may repeat a booked event, and prints nothing that decides it, is booked as `needs_review` with
    ///   the reason `possible_duplicate`.
    /// - Parameters:
    ///   - advancing: the folder's new cursor. With the same UIDVALIDITY it never moves back.
    ///   - redeciding: outcomes of rows that are updated if the new decision is better. Rows that a person decided,
    ///     edited or deleted never change.
    ///   - noting: the progress in a source without a cursor.
    @discardableResult
    public func record(
        _ entries: [MailEntry], advancing: (FolderKey, FolderCursor)? = nil, redeciding: Set<Outcome> = [],
        noting: SourceProgress? = nil
    ) throws(StoreError) -> [RecordedMail] where Scope: WriteScope {
        let time = now()
        let announcing = notificationPolicy
        let (results, count) = try write { db in
            var recorder = try Recorder(
                db, time: time, redeciding: redeciding, announcing: announcing)
            var results: [RecordedMail] = []
            results.reserveCapacity(entries.count)
            for (index, entry) in entries.enumerated() {
                results.append(try recorder.record(entry, index, of: entries))
            }
            try recorder.finish(advancing: advancing)
            try noting?.write(db, time: time)
            return (results, recorder.notificationCount)
        }
        if count > 0 { access.afterCommit { announcing?.changed() } }
        return results
    }
}
