public import Chronology
public import Ledger

/// Signs that a bank changed its mails: mail that no longer comes, and mail that no template claims. As of one instant.
///
/// Holds the names of banks, templates and fields and, in ``Shape/words``, words of mails without their values.
public struct Drift: Hashable, Sendable {
    /// Last day of read mail, `yyyy-mm-dd` UTC: silence is reported for banks, never for a mailbox that could not be
    /// read.
    public var through: CalendarDate
    /// By key.
    public var banks: [Bank]
    /// Sorted by name.
    public var templates: [Template]
    /// Shapes of the last ``DriftLimits/shapeDays``: those about money first, then the most frequent.
    public var shapes: [Shape]

    public struct Bank: Hashable, Sendable {
        /// Key such as `hdfc`.
        public var bank: String
        /// Authentic mails that a template claimed, of all authentic mails about a movement of money.
        public var recent: Proportion
        public var before: Proportion
        /// Recent authentic mails that are unclaimed and not about money.
        public var otherRecent: Int
        public var silence: Silence
        public var matchesLess: Bool { DriftLimits.fell(from: before, to: recent) }
    }

    public struct Template: Hashable, Sendable {
        public var bank: String
        /// Name such as `hdfc/card-spend`.
        public var template: String
        public var mails: Int
        public var silence: Silence
        /// Fields that were ever read; empty for an ignore template.
        public var fields: [Fill]
    }

    /// The intervals between mails.
    public struct Silence: Hashable, Sendable {
        /// `yyyy-mm-dd` UTC.
        public var firstSeen: CalendarDate
        public var lastSeen: CalendarDate
        /// Number of days between days with such mails that one gap in ten exceeds; `nil` if there are too few.
        public var usualGap: Int?
        /// Days since the last such mail.
        public var days: Int
        public var isOverdue: Bool {
            guard let usualGap else { return false }
            let tolerance = DriftLimits.tolerance(usualGap: usualGap)
            return days > tolerance && days <= tolerance + DriftLimits.memory
        }
    }

    /// The proportion of a template's drafts that have a field.
    public struct Fill: Hashable, Sendable {
        public var field: Field
        public var recent: Proportion
        public var before: Proportion
        public var isMissing: Bool { DriftLimits.fell(from: before, to: recent) }
    }

    /// Unclaimed authentic mails of one bank that differ in their values only.
    public struct Shape: Hashable, Sendable {
        public var bank: String
        /// Identifier as in ``MailRow/shape``.
        public var id: String
        /// Common words, with `*` for values.
        public var words: String
        public var mails: Int
        /// Number of these mails that are about a movement of money.
        public var drafts: Int
        /// `yyyy-mm-dd` UTC.
        public var firstSeen: CalendarDate
        public var lastSeen: CalendarDate
        /// The newest of them, `processed_emails.id`.
        public var example: String
        /// First seen within the recent days, and about money.
        public var isNew: Bool
    }

    /// One sign, with an identity for programs.
    public struct Alarm: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// No more mail of a bank or of one of its templates.
            case bankSilent = "bank_silent"
            case templateSilent = "template_silent"
            /// More of a bank's mails than before are claimed by no template.
            case matchRate = "match_rate"
            /// A template no longer finds a field that it used to find.
            case fieldMissing = "field_missing"
            /// New unclaimed mails of one shape are about money.
            case newShape = "new_shape"
        }

        public var kind: Kind
        public var bank: String
        /// The template, `template field`, or the shape; empty for the bank itself.
        public var subject: String
        /// The measured values; `nil` for a sign that disappeared.
        public var measure: Measure?

        public init(kind: Kind, bank: String, subject: String, measure: Measure? = nil) {
            (self.kind, self.bank, self.subject, self.measure) = (kind, bank, subject, measure)
        }

        public enum Measure: Hashable, Sendable {
            case silence(Silence)
            /// Of a bank's mails the claimed ones, or of a template's those with the field.
            case proportion(recent: Proportion, before: Proportion)
            case mails(Int, since: CalendarDate)
        }
    }
}

/// Thresholds that separate a change from chance.
public enum DriftLimits {
    /// Days that count as recent. Most people receive mail of each template several times a month.
    public static let recentDays = 30
    /// Days before the recent ones that count as usual: half a year, so that a change of season is not taken for a
    /// change of the bank.
    public static let beforeDays = 180
    /// Minimum number of days with mails for a statement about gaps: after n gaps the next one is the longest with
    /// probability 1/(n+1).
    public static let minimumOccurrences = 8
    /// Quantile of the gaps that `usualGap` is. Not the median: payments come in bursts, and a median of one day would
    /// raise an alarm every holiday.
    static let usualProportion = 0.9
    /// Number of usual gaps after which mail is overdue. If mail comes at random, a gap of three times the 90 %
    /// quantile occurs once in a thousand.
    static let toleranceFactor = 3
    /// Days of silence that never raise an alarm, such as a holiday.
    static let shortestSilence = 7
    /// Days for which an overdue template or bank is reported: after that the account is closed, or the profile renamed
    /// the template.
    static let memory = 180
    /// Number of recent gaps that count, because habits change.
    static let gaps = 64
    /// Minimum number of recent drafts for any conclusion.
    static let minimumRecent = 3
    /// Days after which a shape without new mails is not listed.
    public static let shapeDays = 180
    /// Limit of the listed shapes.
    public static let shapes = 100

    static func tolerance(usualGap: Int) -> Int { max(shortestSilence, toleranceFactor * usualGap) }

    /// Standard deviations of the two intervals that must not overlap. Several hundred pairs of template and field are
    /// compared each time: with the usual two, chance alone would cause alarms all the time.
    static let deviations = 3.0

    static func fell(from before: Proportion, to recent: Proportion) -> Bool {
        before.whole >= minimumOccurrences && recent.whole >= minimumRecent
            && recent.interval(deviations: deviations).upperBound < before.interval(deviations: deviations).lowerBound
    }
}
