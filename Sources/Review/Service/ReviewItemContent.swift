public import Ledger
public import Store

/// One review item with everything that a surface shows of it.
public struct ReviewItemContent: Sendable, Hashable {
    public var id: ReviewID
    /// The draft; `nil` if nothing could be read from the mail.
    public var draft: TransactionRow?
    public var mail: MailRow?
    public var reasons: [Reason]
    public var confidence: Double
    /// True if the draft's type is a placeholder, which a person must replace before the item can be accepted.
    public var lacksDirection: Bool
    /// The transaction that may be the same event.
    public var possibleDuplicate: TransactionRow?
    /// The number of waiting mails of its shape, itself included; 0 if a template claims it.
    public var alike: Int
    public var categoryReason: String?
    /// The beginning of the mail's text as words; `nil` if the mail's bytes are not retained.
    public var text: MailText?
    /// All of the mail's canonical text.
    public var wholeText: [UInt8]?
    public var spans: [Field: Range<Int>]
    /// The currency of a typed amount that names none: that of the draft, otherwise the ledger's home currency.
    public var currency: Currency

    /// - Parameters:
    ///   - text: the mail's canonical text.
    ///   - home: the home currency of the ledger.
    public init(
        _ item: ReviewItem, id: ReviewID, text: [UInt8]?, spans: [Field: Range<Int>], categoryReason: String?,
        home: Currency
    ) {
        self.id = id
        draft = item.transaction
        mail = item.mail
        reasons = item.reasons
        confidence = item.confidence
        lacksDirection = item.lacksDirection
        possibleDuplicate = item.possibleDuplicate
        alike = item.alike
        self.text = text.map(MailText.init)
        wholeText = text
        self.spans = spans
        self.categoryReason = categoryReason
        currency = item.transaction?.amount.currency ?? home
    }

    /// False once a person, or a new reading of the mail, has decided it.
    public var isWaiting: Bool {
        if let draft { return draft.status == .needsReview }
        return mail?.outcome == .review && mail?.reviewedAt == nil
    }

    public static func == (a: ReviewItemContent, b: ReviewItemContent) -> Bool {
        a.id == b.id && a.draft == b.draft && a.mail == b.mail && a.text == b.text && a.spans == b.spans
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ReviewItem {
    /// Nothing could be read from it, and it is not decided yet.
    public var isBlank: Bool { transaction == nil && mail?.outcome == .review && mail?.reviewedAt == nil }
}

extension ReviewID {
    /// The form in which commands and addresses name the item: a transaction's number or a mail's UUID.
    public var argument: String {
        switch self {
        case .transaction(let id): "\(id)"
        case .mail(let id): id
        }
    }
}
