import InternetMessage
import Ledger
import Profiles
import Store
import YAMLSource

/// A mail that waited for review, with the values that a person has put right.
struct ReviewedMail {
    let bytes: [UInt8]
    /// Those that the mail prints: a day that was taken from its arrival is in the books and not in the mail.
    let values: [Field: String]

    init(_ id: String, in store: Store) throws {
        func failure(_ message: String, _ remedy: String) -> SourceError {
            SourceError(file: "review item \(id)", message: message, remedy: remedy)
        }
        guard let item = try store.reviewItem(ReviewID(id)), let mail = item.mail else {
            throw failure("there is no such item with a mail", "'parserctl review' lists them.")
        }
        guard let bytes = try store.raw(ofMail: mail.id) else {
            throw failure("its mail is not kept any more", "Save the mail from the mailbox and name the file instead.")
        }
        self.bytes = bytes
        values =
            item.transaction.map { $0.fieldValues.filter { Self.isPrinted($0, $1, Message(parsing: bytes)) } } ?? [:]
    }

    private static func isPrinted(_ field: Field, _ value: String, _ message: Message) -> Bool {
        // An amount that is not there is a mistake to be named; everything else may have come from elsewhere.
        field == .amount || MarkedMail.prints(value, as: field, in: message)
    }
}
