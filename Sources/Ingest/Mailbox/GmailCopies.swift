import IMAP
import Ledger
import Store

extension FolderPass {
    /// Records copies without fetching them. Gmail shows one message in several folders under one lasting number
    /// (X-GM-MSGID); the message may have been recorded from another folder, or before the folder was renumbered.
    ///
    /// The cursor does not move: these rows are above it until the end of the pass.
    func skipCopies<Stream: ByteStream & ~Copyable>(
        _ wanted: inout UIDSet, _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        guard session.capabilities.gmail, !wanted.isEmpty, try store.mailboxes.hasGmailMessages(of: key.mailbox) else {
            return
        }
        let ids = try session.gmailMessageIDs(of: wanted)
        let firsts = try store.mailboxes.mails(gmailMessageIDs: Array(ids.values), of: key.mailbox)
        var copies: [MailEntry] = []
        for uid in wanted {
            guard let id = ids[uid.rawValue], let first = firsts[id] else { continue }
            copies.append(
                MailEntry(
                    at: MailLocation(key, uidValidity: state.recorder.uidValidity.rawValue, uid: uid.rawValue),
                    Decision(.copy)
                ) {
                    $0.gmailMessageID = id
                    $0.copyOf = first
                })
        }
        for start in stride(from: 0, to: copies.count, by: Self.copiesPerCommit) {
            let recorded = try store.recording.record(
                Array(copies[start..<min(start + Self.copiesPerCommit, copies.count)]))
            for row in recorded where row.isNew { state.summary.outcomes[row.outcome, default: 0] += 1 }
        }
        state.summary.done += copies.count
        wanted = wanted.subtracting(UIDSet(copies.lazy.compactMap { UID($0.uid) }))
    }

    /// Small rows.
    private static let copiesPerCommit = 500
}
