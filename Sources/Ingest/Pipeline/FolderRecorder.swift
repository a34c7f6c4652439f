import Chronology
import IMAP
import Ledger
import Store

/// Decides and records the messages of one folder. The threads of a pass share it.
struct FolderRecorder: Sendable {
    let store: Store
    let key: FolderKey
    let uidValidity: UIDValidity
    var intake: Intake
    /// Outcomes of recorded messages that are decided again.
    var redeciding: Set<Outcome> = []

    func place(_ uid: UID) -> MailLocation {
        MailLocation(
            mailbox: key.mailbox, folder: key.folder, uidValidity: uidValidity.rawValue, uid: uid.rawValue)
    }

    func entry(for message: FetchedMessage) -> MailEntry {
        intake.entry(
            for: message.bytes, at: place(message.uid), receivedAt: message.internalDate?.instant,
            truncatedFrom: message.isTruncated ? message.size ?? UInt64(message.bytes.count) : nil,
            gmailMessageID: message.gmailMessageID)
    }

    func failedEntry(_ uid: UID, reason: String) -> MailEntry { intake.failedEntry(at: place(uid), reason: reason) }

    /// `nil` for an error that concerns more than one message.
    func failedEntry(_ error: IMAPError) -> MailEntry? {
        guard case .message(let uid) = error.scope else { return nil }
        return failedEntry(uid, reason: error.description)
    }

    func record(_ entries: [MailEntry], advancing cursor: FolderCursor) throws -> [RecordedMail] {
        try store.recording.record(entries, advancing: (key, cursor), redeciding: redeciding)
    }

    /// Records without moving the cursor.
    func record(_ entries: [MailEntry]) throws -> [RecordedMail] {
        try store.recording.record(entries, redeciding: redeciding)
    }
}
