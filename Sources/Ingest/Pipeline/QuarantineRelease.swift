import InternetMessage
import Ledger
import Settings
public import Store

extension RetainedMails {
    /// Decides a quarantined message as if it were authenticated: a person confirms its sender.
    ///
    /// - Returns: `nil` if its bytes are not kept whole, or if it stays quarantined.
    public func release(_ id: String, by actor: Actor = .terminal, group: String? = nil) throws -> RecordedMail? {
        var intake = intake
        intake.decisions.keepsRaw = false
        intake.authentication = .trustDelivery
        var entry: MailEntry?
        try store.rescans.retainedMails([.quarantined], ids: [id]) { mails in
            for mail in mails {
                let place = MailLocation(
                    mailbox: mail.row.mailbox, folder: mail.row.folder, uidValidity: mail.row.uidValidity,
                    uid: mail.row.uid)
                entry = mail.bytes.withUnsafeBytes { intake.entry(for: $0, at: place, receivedAt: mail.receivedAt) }
            }
        }
        return try entry.flatMap { try store.review.release(mail: id, as: $0, by: actor, group: group) }
    }
}
