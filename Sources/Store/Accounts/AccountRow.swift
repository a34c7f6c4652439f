public import Chronology
internal import GRDB
public import Ledger

/// A template that a person made through the API or the page: a row of `accounts`.
public struct AccountRow: Hashable, Sendable {
    /// A UUID in lower case.
    public var id: String
    public var name: String
    public var cardLastFour: String?
    /// Sender address or domain of the bank's alerts. Without it the template claims no mail.
    public var senderEmail: String?
    public var senderName: String?
    public var subjectPattern: String?
    public var amountRegex: String?
    public var dateRegex: String?
    public var merchantRegex: String?
    public var accountRegex: String?
    public var timeRegex: String?
    public var sampleEmailBody: String?
    public var isActive: Bool = true
    public var currencyDefault: Currency = .inr
    public var defaultTransactionType: TransactionType = .expense
    /// `nil` for a new row whose client names no instant.
    public var createdAt: UnixTime?
    public var updatedAt: UnixTime?

    public init(id: String = AccountRow.newID(), name: String) {
        self.id = id
        self.name = name
    }

    /// - Parameter fill: sets further values.
    public init(id: String = AccountRow.newID(), name: String, fill: (inout AccountRow) throws -> Void) rethrows {
        self.init(id: id, name: name)
        try fill(&self)
    }

    /// Faults of values that the table cannot hold, by column. Patterns are not compiled.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        if !AccountRow.isUUID(id) { check.refuse("id", "must be a UUID") }
        check.text("name", name, atMost: TextLimit.name)
        if let digits = cardLastFour,
            !(1...6).contains(digits.utf8.count) || !digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            check.refuse("card_last_four", "must be digits, usually four")
        }
        check.text("sender_email", senderEmail, atMost: 254)
        if let senderEmail, check.problems.isEmpty, MailAddress.domain(of: senderEmail) == nil {
            check.refuse("sender_email", "must be an address such as alerts@bank.example")
        }
        check.text("sender_name", senderName, atMost: TextLimit.name)
        for (field, pattern) in patterns { check.text(field, pattern, atMost: TextLimit.pattern, lines: true) }
        check.text("sample_email_body", sampleEmailBody, atMost: TextLimit.sample, lines: true, mayBeEmpty: true)
        return check.problems
    }

    /// Template defined by the row.
    public var profile: AccountProfile {
        var profile = AccountProfile(id: id, name: name, currency: currencyDefault, type: defaultTransactionType)
        profile.senderEmail = senderEmail
        profile.senderName = senderName
        profile.subjectPattern = subjectPattern
        profile.amountRegex = amountRegex
        profile.dateRegex = dateRegex
        profile.merchantRegex = merchantRegex
        profile.accountRegex = accountRegex
        profile.timeRegex = timeRegex
        profile.cardLastFour = cardLastFour
        return profile
    }

    /// Patterns with their columns.
    public var patterns: [(field: String, pattern: String?)] {
        [
            ("subject_pattern", subjectPattern), ("amount_regex", amountRegex), ("date_regex", dateRegex),
            ("merchant_regex", merchantRegex),
            ("account_regex", accountRegex), ("time_regex", timeRegex),
        ]
    }

    init(_ row: Row) {
        id = row["id"]
        name = row["name"]
        cardLastFour = row["card_last_four"]
        senderEmail = row["sender_email"]
        senderName = row["sender_name"]
        subjectPattern = row["subject_pattern"]
        amountRegex = row["amount_regex"]
        dateRegex = row["date_regex"]
        merchantRegex = row["merchant_regex"]
        accountRegex = row["account_regex"]
        timeRegex = row["time_regex"]
        sampleEmailBody = row["sample_email_body"]
        isActive = row["is_active"]
        currencyDefault = Currency(code: row["currency_default"] as String) ?? .inr
        defaultTransactionType = TransactionType(rawValue: row["default_transaction_type"]) ?? .expense
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
    }
}
