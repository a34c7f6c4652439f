import IMAP
import Ledger
import Store

extension FolderPass {
    /// Gmail shows one mail in several folders, under a number that stays (X-GM-MSGID). What was recorded under it from another folder, or
    /// before the folder was numbered anew, is recorded as a copy and not fetched again.
    ///
    /// No cursor moves: these rows lie above it until the pass comes by.
    func leaveOutCopies<Stream: ByteStream & ~Copyable>(
        _ wanted: inout UIDSet, _ session: inout Session<Stream>, _ validity: UIDValidity, _ summary: inout PassSummary
    ) throws {
        guard session.capabilities.gmail, !wanted.isEmpty, try store.mailboxes.hasGmailMessages(of: mailbox) else {
            return
        }
        let ids = try session.gmailMessageIDs(of: wanted)
        let firsts = try store.mailboxes.mails(gmailMessageIDs: Array(ids.values), of: mailbox)
        var copies: [MailEntry] = []
        for uid in wanted {
            guard let id = ids[uid.rawValue], let first = firsts[id] else { continue }
            copies.append(
                MailEntry(
                    mailbox: mailbox, folder: folder, uidValidity: validity.rawValue, uid: uid.rawValue,
                    gmailMessageID: id, copyOf: first,
                    decision: Decision(.copy)))
        }
        for start in stride(from: 0, to: copies.count, by: Self.copiesPerCommit) {
            let recorded = try store.recording.record(
                Array(copies[start..<min(start + Self.copiesPerCommit, copies.count)]))
            for row in recorded where row.isNew { summary.outcomes[row.outcome, default: 0] += 1 }
        }
        summary.done += copies.count
        wanted = wanted.subtracting(UIDSet(copies.lazy.compactMap { UID($0.uid) }))
    }

    /// Small rows.
    private static let copiesPerCommit = 500
}
