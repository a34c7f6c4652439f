/// The verdict on one mail: a pure function of its bytes, the profiles and the rules.
public struct Decision: Sendable {
    /// The result, with exactly the values that it needs.
    public enum Disposition: Hashable, Sendable {
        /// The mail is not from a bank of the profiles.
        case unclaimed
        /// The mail is another copy of a recorded one, by its X-GM-MSGID.
        case copy
        /// Authentication failed, or is missing although required.
        case quarantined
        /// The mail is not a transaction.
        case ignored
        /// A person decides: about the draft, or, if there is none, about a mail that could not be read.
        case review(TransactionDraft?)
        /// The draft is booked.
        case book(TransactionDraft)
        case failed(Failure)
    }

    /// The profile that decided.
    public struct Source: Hashable, Sendable {
        /// The bank's key: its folder under `parsers/`, such as `hdfc`.
        public var profile: String
        /// The bank's name for people, such as `HDFC Bank`.
        public var bank: String?
        /// A digest of the profile files that decided, in hexadecimal.
        public var version: String?
        /// `hdfc/card-spend`, or ``TemplateName/generic`` if the generic reader decided.
        public var template: String?
        /// Result of the authentication: an ``AuthenticationWord`` and a remark, such as `pass: genuine by dmarc`.
        public var authentication: String
        /// True if the mail is proven to come from the bank; false also for offline files, which prove nothing.
        public var isAuthentic: Bool

        public init(
            profile: String, bank: String? = nil, version: String? = nil, template: String? = nil,
            authentication: String = "", isAuthentic: Bool = false
        ) {
            self.profile = profile
            self.bank = bank
            self.version = version
            self.template = template
            self.authentication = authentication
            self.isAuthentic = isAuthentic
        }
    }

    public var disposition: Disposition
    /// `nil` if the mail is not a bank's, or was not read at all.
    public var source: Source?
    /// In 0...1: the product of the weights of `reasons`, or 0 if there is neither a draft nor an ignore reason.
    public var confidence: Double
    public var reasons: [Reason]
    public var category: CategoryMatch?
    public var payee: PayeeName?
    /// The shape of a bank's authentic mail that no template claims.
    public var shape: MailShape?
    /// Values that an ignored mail announces. They are recorded only if the source is authentic.
    public var notice: BankNotice?
    /// What the mail's numeric dates prove and leave open.
    public var dates = PrintedDates()

    public init(
        _ disposition: Disposition, by source: Source? = nil, confidence: Double = 0, reasons: [Reason] = []
    ) {
        self.disposition = disposition
        self.source = source
        self.confidence = confidence
        self.reasons = reasons
    }

    /// The confidence from which a draft is booked if neither the configuration nor the bank's profile gives another.
    public static let usualThreshold = 0.85

    /// The same decision with the category and the payee that the rules give it.
    public func categorized(by rules: CategoryRules) -> Decision {
        guard let draft else { return self }
        var copy = self
        let found = rules.matches(CategoryFacts(draft))
        (copy.category, copy.payee) = (found.category, found.payee)
        return copy
    }
}

extension Decision {
    /// The outcome that is recorded unless the ledger holds the same mail or the same event already.
    public var outcome: Outcome {
        switch disposition {
        case .unclaimed: .unclaimed
        case .copy: .duplicate
        case .quarantined: .quarantined
        case .ignored: .ignored
        case .review: .review
        case .book: .recorded
        case .failed: .failed
        }
    }

    public var draft: TransactionDraft? {
        switch disposition {
        case .book(let draft), .review(let draft?): draft
        case .unclaimed, .copy, .quarantined, .ignored, .review(nil), .failed: nil
        }
    }

    public var failure: Failure? {
        if case .failed(let failure) = disposition { failure } else { nil }
    }

    public var profile: String? { source?.profile }
    public var bank: String? { source?.bank }
    public var profileVersion: String? { source?.version }
    public var template: String? { source?.template }
    public var authentication: String { source?.authentication ?? "" }

    /// True if the mail is a bank's and no template claims it, whether or not the generic reader made a draft of it.
    public var isWithoutTemplate: Bool { source != nil && TemplateName.template(template) == nil }
}
