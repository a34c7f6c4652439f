public import Chronology
public import Ledger
public import PCRE2

/// One form of alert of one bank: `parsers/<bank>/<name>.yaml`. A class, because it is passed on for every mail.
public final class Template: Sendable {
    public enum Kind: Sendable {
        case transaction(Extraction)
        /// Not a transaction, with the reason.
        case ignore(IgnoreReason)
        /// Not a transaction: its mails announce values.
        case notice(NoticeExtraction)
    }

    /// The path under `parsers/` without its ending, such as `hdfc/card-spend`.
    public let name: String
    public let kind: Kind
    public let match: Match
    /// The kinds of alerts that it may claim.
    public let media: Set<AlertMedium>
    public let samples: [Sample]
    /// File of the template, for messages.
    public let path: String

    init(
        name: String, kind: Kind, match: Match, media: Set<AlertMedium> = [.mail], samples: [Sample], path: String
    ) {
        self.name = name
        self.kind = kind
        self.match = match
        self.media = media
        self.samples = samples
        self.path = path
    }

    /// True if the mails of the template are not transactions.
    var isIgnored: Bool {
        if case .transaction = kind { false } else { true }
    }

    /// The conditions under which the template claims a mail of its bank: all that are set must hold.
    public struct Match: Sendable {
        public var from: Set<String> = []
        public var subject: Pattern?
        /// The fields that the subject sets if the text does not.
        var subjectGroups: FieldGroups?
        public var body: Condition?
        /// If it matches, the template does not claim the mail.
        public var unless: Condition?
        /// The same for the subject.
        public var unlessSubject: Pattern?
    }

    /// The patterns that read the fields. A class, because it is passed on for every mail.
    public final class Extraction: Sendable {
        /// Tried in order; the first that matches sets its named groups.
        public let bodies: [TextPattern]
        /// Each sets one field that no body pattern set.
        public let fields: [(field: Field, pattern: TextPattern)]
        public let type: TransactionType
        public let channel: Channel
        public let notation: Notation

        /// The meaning of printed values that their text alone does not give.
        public struct Notation: Sendable {
            /// Currency of amounts printed without one; `nil` means the bank's.
            public var currency: Currency?
            /// Time zone of printed dates and times; `nil` means the bank's.
            public var timeZone: IANATimeZone?
            /// Tried in order.
            public var dateOrders: [DateOrder] = [.dayFirst]
            /// `hh:mm:ss`: a 12-hour clock printed without am or pm.
            public var isTwelveHourUnmarked = false
            /// Account of the template: a mail that prints other digits is not claimed.
            public var accountDigits: String?

            init() {}
        }

        init(
            bodies: [TextPattern], fields: [(field: Field, pattern: TextPattern)], type: TransactionType,
            channel: Channel, notation: Notation = Notation()
        ) {
            self.bodies = bodies
            self.fields = fields
            self.type = type
            self.channel = channel
            self.notation = notation
        }

        /// Fields that some pattern can set.
        public var readable: Set<Field> {
            var result = Set(fields.map(\.field))
            for body in bodies {
                result.formUnion((body.pattern?.groups ?? []).compactMap { Field(rawValue: $0.name) })
            }
            return result
        }
    }
}
