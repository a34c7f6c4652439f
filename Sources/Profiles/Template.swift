public import Ledger
public import PCRE2

/// One form of alert of one bank: `parsers/<bank>/<name>.yaml`.
public struct Template: Sendable {
    public enum Kind: Sendable {
        case transaction(Extraction)
        /// No transaction; the reason says of which sort.
        case ignore(IgnoreReason)
    }

    /// The path under `parsers/` without its ending, such as `hdfc/card-spend`.
    public let name: String
    public internal(set) var kind: Kind
    public internal(set) var match: Match
    public let samples: [Sample]
    /// Where it was read from, for messages.
    public let path: String

    /// When the template claims a mail of its bank: all that is set must hold.
    public struct Match: Sendable {
        public var from: Set<String> = []
        public var subject: Pattern?
        /// The fields that the subject sets if the text does not.
        var subjectGroups: FieldGroups?
        public var body: Condition?
        /// Found: the template does not claim.
        public var unless: Condition?
    }

    /// How the fields are read. Shared, not copied: it is handed on for every mail.
    public final class Extraction: Sendable {
        /// Tried in order; the first that matches sets its named groups.
        public let bodies: [TextPattern]
        /// Each sets one field that no body pattern set.
        public let fields: [(field: Field, pattern: TextPattern)]
        public let type: TransactionType
        public let channel: Channel
        public let currency: Currency?
        public let dateOrders: [DateText.Order]
        /// `hh:mm:ss`: a 12-hour clock printed without am/pm.
        public let isTwelveHourUnmarked: Bool
        /// The account that it is about: a mail that prints other digits is not claimed.
        public let accountDigits: String?

        init(
            bodies: [TextPattern], fields: [(field: Field, pattern: TextPattern)], type: TransactionType,
            channel: Channel, currency: Currency?,
            dateOrders: [DateText.Order], isTwelveHourUnmarked: Bool, accountDigits: String? = nil
        ) {
            self.bodies = bodies
            self.fields = fields
            self.type = type
            self.channel = channel
            self.currency = currency
            self.dateOrders = dateOrders
            self.isTwelveHourUnmarked = isTwelveHourUnmarked
            self.accountDigits = accountDigits
        }

        /// The fields that some pattern can set.
        public var readable: Set<Field> {
            var result = Set(fields.map(\.field))
            for body in bodies {
                result.formUnion((body.pattern?.groups ?? []).compactMap { Field(rawValue: $0.name) })
            }
            return result
        }
    }
}
