import InternetMessage
import Ledger
import Store

/// The statements that a bank attached to a mail.
enum StatementAttachments {
    /// Files of one mail: some banks send one for each account.
    static let mostFiles = 4
    /// Bytes of one file. A statement of a month has 50 to 500 kB; a whole mail has at most 8 MiB.
    private static let longestFile = 6 << 20
    /// Extensions of the formats that statements have.
    private static let extensions: Set<String> = [
        "pdf", "csv", "xls", "xlsx", "txt", "html", "ofx", "qfx", "qif", "sta", "940", "xml",
    ]

    /// True for an authentic mail about a statement.
    static func areExpected(_ decision: Decision) -> Bool {
        decision.outcome == .ignored && decision.source?.isAuthentic == true
            && decision.reasons.contains { $0.name == IgnoreReason.statement.rawValue }
    }

    /// Files of an authentic mail about a statement that can be one, whatever their declared type; none of other
    /// mails. One that is too long, or was left out of a long mail, has no bytes.
    static func files(of message: Message, _ decision: Decision) -> [MailEntry.File] {
        guard areExpected(decision) else { return [] }
        return message.attachments(atMost: mostFiles, bytes: longestFile).filter(canBeStatement).map {
            MailEntry.File(name: $0.name, bytes: $0.bytes)
        }
    }

    private static func canBeStatement(_ file: Attachment) -> Bool {
        if let bytes = file.bytes, bytes.starts(with: "%PDF-".utf8) { return true }
        let name = file.name?.lowercased() ?? ""
        return name.lastIndex(of: ".").map { extensions.contains(String(name[name.index(after: $0)...])) } ?? false
    }
}
