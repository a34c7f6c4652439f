import Chronology
import GRDB
import Ledger

/// The last arrivals of a batch, for the state of each folder and mailbox.
struct ArrivalTimes {
    /// Last arrival in each folder; empty if no mail states it.
    private var folders: [FolderKey: UnixTime?] = [:]
    /// The folder of the latest entries, which is added to ``folders`` when another one begins: so most mails need no
    /// lookup in a dictionary.
    private var current: (key: FolderKey, receivedAt: UnixTime?)?
    /// Arrival of the newest bank mail of each mailbox.
    private var bankMail: [String: UnixTime] = [:]

    /// Adds any mail of the batch.
    mutating func add(_ entry: MailEntry) {
        if let last = current, last.key == entry.location.key {
            if let received = entry.receivedAt { current?.receivedAt = max(received, last.receivedAt ?? received) }
            return
        }
        closeFolder()
        current = (entry.location.key, entry.receivedAt)
    }

    /// Adds a new mail, if a bank sent it.
    mutating func addBankMail(_ entry: MailEntry) {
        guard entry.decision.profile != nil, entry.decision.outcome != .quarantined, let received = entry.receivedAt
        else { return }
        bankMail[entry.mailbox] = max(bankMail[entry.mailbox] ?? received, received)
    }

    private mutating func closeFolder() {
        guard let last = current else { return }
        folders.updateValue([folders[last.key] ?? nil, last.receivedAt].compactMap(\.self).max(), forKey: last.key)
    }

    mutating func flush(_ db: Database, time: UnixTime) throws {
        closeFolder()
        for (key, received) in folders {
            try db.cachedStatement(
                sql: """
                    UPDATE mailbox_cursors SET last_processed_at = ?, last_received_at = nullif(max(coalesce(last_received_at, ''), coalesce(?, '')), '')
                    WHERE mailbox = ? AND folder = ?
                    """
            ).execute(arguments: [time, received, key.mailbox, key.folder])
        }
        for (mailbox, received) in bankMail {
            try db.cachedStatement(
                sql:
                    "UPDATE mailbox_health SET last_bank_mail_at = max(coalesce(last_bank_mail_at, ''), ?), last_mail_at = ? WHERE mailbox = ?"
            ).execute(arguments: [received, time, mailbox])
        }
    }
}
