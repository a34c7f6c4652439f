/// The reason why a mail books nothing new.
public enum DuplicateReason: Hashable, Sendable {
    /// The same mail, by Message-ID and content.
    case sameMail
    /// The same mail in another folder of Gmail.
    case sameGmailMessage
    /// Another mail about an event that is booked, with the same reference.
    case sameReference
    /// Another mail about an event that is booked, with the same facts.
    case sameFacts
    /// The event was booked from a bank statement.
    case bookedFromStatement
    /// The event was recorded from the mail (`isMail`) or the SMS about it.
    case otherMedium(isMail: Bool)

    /// One sentence for a person, stored with the mail.
    public var sentence: String {
        switch self {
        case .sameMail: "the same mail was recorded before"
        case .sameGmailMessage: "the same mail was recorded before (same X-GM-MSGID)"
        case .sameReference: "the same event was recorded before (same reference)"
        case .sameFacts: "the same event was recorded before (same facts)"
        case .bookedFromStatement: "the same event was booked from a statement (same reference)"
        case .otherMedium(let isMail): "the same event was recorded before, from \(isMail ? "a mail" : "an SMS")"
        }
    }
}

/// The reason why a transaction may repeat another one. A person decides.
public enum DuplicateDoubt: Hashable, Sendable {
    case sameReferenceOtherFacts
    case sameFactsOtherText
    /// Neither a time nor a reference distinguishes them.
    case indistinguishable
    case lineOfStatement
    /// A mail (`isMail`) or an SMS reports account and amount within `minutes` of this alert.
    case otherMedium(isMail: Bool, minutes: Int)

    /// The factor that a doubt multiplies the confidence by.
    public static let weight = 0.5

    fileprivate var factor: Reason.Factor { self == .sameReferenceOtherFacts ? .referenceReused : .possibleDuplicate }

    fileprivate func sentence(about transaction: Int64) -> String {
        switch self {
        case .sameReferenceOtherFacts: "transaction \(transaction) has the same reference and another amount or day"
        case .sameFactsOtherText:
            "same bank, account, amount, payee and time as transaction \(transaction), but the texts of the two mails differ"
        case .indistinguishable:
            "same bank, account, amount and day as transaction \(transaction), and nothing printed distinguishes them"
        case .lineOfStatement:
            "same account and amount as transaction \(transaction), which a statement's line booked"
        case .otherMedium(let isMail, let minutes):
            "same account and amount as transaction \(transaction), which \(isMail ? "a mail" : "an SMS") reports within \(minutes) minutes of this one"
        }
    }
}

extension Reason {
    /// The reason of a possible duplicate of `transaction`.
    public init(_ doubt: DuplicateDoubt, about transaction: Int64) {
        self.init(doubt.factor, weight: DuplicateDoubt.weight, note: doubt.sentence(about: transaction))
    }
}
