/// The forms of mail without a template that a person lets be booked, because every mail of that form was accepted
/// unchanged so far.
public struct LearnedForms: Sendable {
    /// A form of one bank's mail.
    public struct Key: Hashable, Sendable {
        /// The bank's key.
        public var profile: String
        /// ``MailShape/form``.
        public var form: UInt64

        public init(profile: String, form: UInt64) { (self.profile, self.form) = (profile, form) }
    }

    /// The number of mails that a person accepted unchanged before a form can be learned.
    public static let minimum = 3

    public static let none = LearnedForms([:])

    private let accepted: [Key: Int]

    /// - Parameter accepted: the number of mails of each form that a person accepted unchanged.
    public init(_ accepted: [Key: Int]) { self.accepted = accepted }

    /// The number of mails of a decision's form that were accepted; `nil` if the form is not learned.
    fileprivate func accepted(_ decision: Decision) -> Int? {
        guard !accepted.isEmpty, let profile = decision.profile, let form = decision.shape?.form else { return nil }
        return accepted[Key(profile: profile, form: form)]
    }
}

extension Decision {
    /// The same decision, booked if its form is learned, the mail is authentic, every field was read, and the missing
    /// template is the only factor that lowers the confidence.
    ///
    /// The confidence is Laplace's rule of succession: (n + 1) / (n + 2) after n mails without an exception.
    public func booked(by forms: LearnedForms) -> Decision {
        guard let accepted = forms.accepted(self), case .review(let draft?) = disposition,
            source?.isAuthentic == true, draft.isComplete,
            reasons.allSatisfy({ $0.weight >= 1 || $0.factor == .genericReader })
        else { return self }
        var copy = self
        copy.disposition = .book(draft)
        copy.reasons.removeAll { $0.factor == .genericReader }
        copy.reasons.append(
            Reason(
                .learnedForm, weight: Double(accepted + 1) / Double(accepted + 2),
                note: "no template claims this mail, and you accepted \(accepted) of its form unchanged"))
        copy.confidence = copy.reasons.confidence
        return copy
    }
}

extension TransactionDraft {
    /// True if amount, direction, day, counterparty and account are printed.
    fileprivate var isComplete: Bool {
        type != nil && spans[.amount] != nil && spans[.date] != nil && (merchant ?? vpa) != nil && account != nil
    }
}
