import Console
import Glibc
import Ledger
import Store

/// The name of a mail in the ledger, as a person types it.
enum MailName: Hashable {
    /// The number of a transaction or review item, or the id of a mail.
    case item(ReviewID)
    case messageID(String)

    /// - Returns: `nil` if the text is a path.
    init?(_ text: String) {
        if text == "-" || access(text, F_OK) == 0 { return nil }
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            self = .item(ReviewID(text))
        } else if text.utf8.count == 36, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            self = .item(ReviewID(text))
        } else if text.contains("@"), !text.contains("/") || text.hasPrefix("<") {
            self = .messageID(text)
        } else {
            return nil
        }
    }
}

/// A mail of the ledger with its retained bytes.
struct RecordedMailSource {
    let row: MailRow
    let bytes: [UInt8]

    /// - Throws: ``Refused`` if there is no such mail or its bytes are not retained.
    init(_ name: MailName, _ text: String, in store: Store) throws {
        guard let row = try Self.row(name, in: store) else {
            throw Refused(
                "there is no file and no mail \(text): 'parserctl mails --json' and 'parserctl review list' show what the ledger has"
            )
        }
        // The bytes of a copy are kept once, with the first.
        let kept = try store.mails.raw(ofMail: row.id) ?? row.duplicateOf.flatMap { try store.mails.raw(ofMail: $0) }
        guard let kept else {
            throw Refused(
                "the bytes of mail \(text) are not retained: save it from the mailbox '\(row.mailbox)' and give the file"
            )
        }
        self.row = row
        bytes = kept
    }

    private static func row(_ name: MailName, in store: Store) throws -> MailRow? {
        switch name {
        case .item(.mail(let id)): return try store.mails.find(id)
        case .item(.transaction(let number)):
            return try store.transactions.find(number)?.mailID.flatMap { try store.mails.find($0) }
        case .messageID(let id):
            let rows = try store.mails.find(messageID: id)
            return rows.first { $0.outcome != .duplicate } ?? rows.first
        }
    }
}
