/// What became of a mail; the value of `processed_emails.status`.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// One transaction booked.
    case recorded
    /// A draft or an unreadable bank mail that waits for a person.
    case review
    /// The same mail again, or the same event again; points at the first.
    case duplicate
    /// A template says that it is no transaction.
    case ignored
    /// Not from a bank that the profiles know.
    case unclaimed
    /// Says that it is from a bank, but authentication failed or is missing where it is required.
    case quarantined
    /// Could not be processed; kept with the reason.
    case failed
}

/// One named factor of a confidence.
public struct Reason: Hashable, Sendable {
    /// A stable name in snake_case, such as `date_missing` or `possible_duplicate`.
    public let factor: String
    /// What the confidence was multiplied by: 1 changes nothing, 0 rules booking out.
    public let weight: Double
    /// One sentence for a person. Holds no text of the mail.
    public let note: String

    public init(_ factor: String, weight: Double, note: String) {
        self.factor = factor
        self.weight = weight
        self.note = note
    }
}

/// The verdict on one mail: a pure function of its bytes, the profiles and the rules.
public struct Decision: Sendable {
    public var outcome: Outcome
    /// The bank's key: its folder under `parsers/`, such as `hdfc`.
    public var profile: String?
    /// The bank's name for people, such as `HDFC Bank`.
    public var bank: String?
    /// A digest of the profile files that decided, in hexadecimal.
    public var profileVersion: String?
    /// `hdfc/card-spend`; or `generic` where the generic reader decided.
    public var template: String?
    public var draft: TransactionDraft?
    /// In 0...1: the product of the weights of `reasons`.
    public var confidence: Double
    public var reasons: [Reason]
    /// How authenticity was judged, as one word and a remark: `pass (dmarc)`, `fail (…)`, `unverified`.
    public var authentication: String
    public var category: CategoryMatch?
    /// Of a bank's authentic mail that no template claims.
    public var shape: MailShape?
    /// For `failed`: the limit that was hit or the defect, in words. Holds no text of the mail.
    public var failure: String?

    public init(
        outcome: Outcome, profile: String? = nil, bank: String? = nil, profileVersion: String? = nil,
        template: String? = nil,
        draft: TransactionDraft? = nil, confidence: Double = 0, reasons: [Reason] = [], authentication: String = "",
        category: CategoryMatch? = nil, failure: String? = nil
    ) {
        self.outcome = outcome
        self.profile = profile
        self.bank = bank
        self.profileVersion = profileVersion
        self.template = template
        self.draft = draft
        self.confidence = confidence
        self.reasons = reasons
        self.authentication = authentication
        self.category = category
        self.failure = failure
    }

    /// The same decision with the category that the rules give it.
    public func categorized(by rules: CategoryRules) -> Decision {
        guard let draft else { return self }
        var copy = self
        copy.category = rules.match(CategoryFacts(draft))
        return copy
    }
}
