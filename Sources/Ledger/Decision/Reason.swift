/// A named factor of a confidence.
public struct Reason: Hashable, Sendable {
    /// The factors that this version computes. The raw value is the spelling in the database and in JSON.
    public enum Factor: String, Hashable, Sendable, CaseIterable {
        // The sender.
        case severalSenders = "several_senders"
        case notAuthentic = "not_authentic"
        case verificationDisagrees = "verification_disagrees"
        case signatureUnverified = "signature_unverified"
        case newSender = "new_sender"
        case smsSender = "sms_sender"
        case promotionalSender = "promotional_sender"
        // The template.
        case contested
        case genericReader = "generic_reader"
        case noTransactionWording = "no_transaction_wording"
        case noMovedAmount = "no_moved_amount"
        case byHand = "by_hand"
        case learnedForm = "learned_form"
        // The wording.
        case wordingDoubtful = "wording_doubtful"
        case forwarded
        case secondAmount = "second_amount"
        case secondTransaction = "second_transaction"
        case hiddenText = "hidden_text"
        // The fields.
        case amountUnreadable = "amount_unreadable"
        case amountZero = "amount_zero"
        case directionMissing = "direction_missing"
        case dateMissing = "date_missing"
        case dateImpossible = "date_impossible"
        case dateInFuture = "date_in_future"
        case dateDistance = "date_distance"
        case dateOrderProven = "date_order_proven"
        case dateOrderUnproven = "date_order_unproven"
        case timeImpossible = "time_impossible"
        case dayUncertain = "day_uncertain"
        case arrivalUnknown = "arrival_unknown"
        case merchantMissing = "merchant_missing"
        case accountMissing = "account_missing"
        case onlyAnAmount = "only_an_amount"
        // Damage.
        case damagedMail = "damaged_mail"
        case merchantDamaged = "merchant_damaged"
        case accountDamaged = "account_damaged"
        // The ledger.
        case possibleDuplicate = "possible_duplicate"
        case referenceReused = "reference_reused"
    }

    /// A stable name in snake_case, as it is stored: that of a ``Factor``, of an ``IgnoreReason``, or one that another
    /// version wrote.
    public let name: String
    /// The number that the confidence is multiplied by: 1 changes nothing, 0 prevents booking.
    public let weight: Double
    /// One sentence for a person. Contains no text of the mail.
    public let note: String

    /// A reason as it is stored.
    public init(name: String, weight: Double, note: String) {
        self.name = name
        self.weight = weight
        self.note = note
    }

    public init(_ factor: Factor, weight: Double, note: String) {
        self.init(name: factor.rawValue, weight: weight, note: note)
    }

    /// The reason that an ignore template gives.
    public init(_ reason: IgnoreReason) {
        self.init(name: reason.rawValue, weight: 1, note: reason.sentence)
    }

    /// The reason of a draft whose fields a person entered.
    public static let fieldsByHand = Reason(
        .byHand, weight: 1, note: "nothing could be read; a person gave the fields")

    /// `nil` for the reason of an ignore template and for a name that this version does not use.
    public var factor: Factor? { Factor(rawValue: name) }
}

extension Sequence<Reason> {
    /// The product of the weights, in 0...1.
    public var confidence: Double { reduce(1) { $0 * $1.weight } }
}
