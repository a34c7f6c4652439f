/// A template that a person made in the API or on the page: a row of `accounts`.
public struct AccountProfile: Hashable, Sendable {
    /// A UUID in lower case.
    public var id: String
    public var name: String
    /// Sender address of the alerts. Without it, or without `amountRegex`, the template claims no mail.
    public var senderEmail: String?
    public var senderName: String?
    public var subjectPattern: String?
    /// Pattern that must match the text; its group `amount`, otherwise the first group, otherwise the whole match is
    /// the amount. The other patterns work alike, but need not match.
    public var amountRegex: String?
    public var dateRegex: String?
    public var merchantRegex: String?
    public var accountRegex: String?
    public var timeRegex: String?
    /// If set, mail that prints other digits is not claimed.
    public var cardLastFour: String?
    public var currency: Currency
    public var type: TransactionType

    public init(id: String, name: String, currency: Currency = .inr, type: TransactionType = .expense) {
        self.id = id
        self.name = name
        self.currency = currency
        self.type = type
    }

    /// The prefix of the template's name, before the id.
    public static let folder = "accounts"

    public var templateName: String { "\(Self.folder)/\(id)" }

    /// The id of the account in a template's name.
    public static func id(ofTemplate name: String) -> String? {
        name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.utf8.count + 1)) : nil
    }
}
