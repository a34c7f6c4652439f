public import Ledger

/// Signs that a bank changed its mails: what is missing now of what used to come, and what comes now that nothing
/// reads. As of one instant.
///
/// Holds the names of banks, templates and fields and, in ``Shape/words``, words of mails without their values.
public struct Drift: Hashable, Sendable {
    /// The day up to which mail was read, `yyyy-mm-dd` UTC: silence is told of the banks, never of a mailbox that could
    /// not be read.
    public var through: String
    /// By key.
    public var banks: [Bank]
    /// Sorted by name.
    public var templates: [Template]
    /// Of the last ``DriftLimits/shapeDays``: those that tell of money first, then the most frequent.
    public var shapes: [Shape]

    public struct Bank: Hashable, Sendable {
        /// Such as `hdfc`.
        public var bank: String
        /// Authentic mails that a template claimed, of all that a template claimed or that tell of a movement of money.
        public var recent: Proportion
        public var before: Proportion
        /// Authentic mails of the recent days that nothing claimed and that tell of none.
        public var otherRecent: Int
        public var silence: Silence
        public var matchesLess: Bool { DriftLimits.fell(from: before, to: recent) }
    }

    public struct Template: Hashable, Sendable {
        public var bank: String
        /// Such as `hdfc/card-spend`.
        public var template: String
        public var mails: Int
        public var silence: Silence
        /// Fields that it ever filled; none for a template that ignores.
        public var fields: [Fill]
    }

    /// The intervals between mails.
    public struct Silence: Hashable, Sendable {
        /// `yyyy-mm-dd` UTC.
        public var firstSeen: String
        public var lastSeen: String
        /// Days between two days with such mails that only one gap in ten exceeds; `nil` where too few came to say.
        public var usualGap: Int?
        /// Days since the last one.
        public var days: Int
        public var isOverdue: Bool {
            guard let usualGap else { return false }
            let patience = DriftLimits.patience(usualGap: usualGap)
            return days > patience && days <= patience + DriftLimits.memory
        }
    }

    /// The proportion of a template's drafts that have a field.
    public struct Fill: Hashable, Sendable {
        public var field: Field
        public var recent: Proportion
        public var before: Proportion
        public var isMissing: Bool { DriftLimits.fell(from: before, to: recent) }
    }

    /// Authentic mails of one bank that no template claims and that differ in their values only.
    public struct Shape: Hashable, Sendable {
        public var bank: String
        /// As in ``MailRow/shape``.
        public var id: String
        /// The words that they share, `*` for values.
        public var words: String
        public var mails: Int
        /// Of these, such as tell of a movement of money.
        public var drafts: Int
        /// `yyyy-mm-dd` UTC.
        public var firstSeen: String
        public var lastSeen: String
        /// The newest of them, `processed_emails.id`.
        public var example: String
        /// Came up within the recent days and tells of money.
        public var isNew: Bool
    }

    /// One sign, by which programs tell it from others.
    public struct Alarm: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A bank, or one of its templates, is not seen any more.
            case bankSilent = "bank_silent"
            case templateSilent = "template_silent"
            /// More of a bank's mails than before are claimed by no template.
            case matchRate = "match_rate"
            /// A template does not find a field any more that it used to find.
            case fieldMissing = "field_missing"
            /// Mails of a form that was not seen before tell of money, and nothing claims them.
            case newShape = "new_shape"
        }

        public var kind: Kind
        public var bank: String
        /// The template, `template field`, or the shape; empty where it is the bank itself.
        public var subject: String
        /// For people; holds no text of a mail.
        public var message: String
    }
}

/// Thresholds that separate a change from chance.
public enum DriftLimits {
    /// Days that count as now. Most people's templates come several times a month.
    public static let recentDays = 30
    /// Days before these that count as usual: half a year, so that a change of the season is not one of the bank.
    public static let beforeDays = 180
    /// Fewer days with mails than this say nothing about the gaps between them: after n gaps the next one is the
    /// longest with probability 1/(n+1).
    public static let minimumSightings = 8
    /// Of the gaps between days with mails, the share that `usualGap` is not exceeded by. Not the median: payments come
    /// in bursts, and between bursts a median of one day would sound an alarm every holiday.
    static let usualShare = 0.9
    /// Overdue after so many usual gaps. Where mails come at random, a gap of three times the one that one in ten
    /// exceeds comes once in a thousand.
    static let patienceFactor = 3
    /// Days of silence that are never a sign: a holiday.
    static let shortestSilence = 7
    /// Days for which an overdue template or bank is told: then the account was closed, or the profile names its
    /// template otherwise now.
    static let memory = 180
    /// The newest gaps that are looked at: habits change.
    static let gaps = 64
    /// Drafts of the recent days below which nothing is concluded.
    static let minimumRecent = 3
    /// Days after which a shape that came no more is not listed.
    public static let shapeDays = 180
    /// Shapes listed: who has more of them reads the first.
    public static let shapes = 100

    static func patience(usualGap: Int) -> Int { max(shortestSilence, patienceFactor * usualGap) }

    /// Standard deviations of the intervals of both shares that must not meet. Some hundred pairs of template and field
    /// are compared each time: with the usual two, chance alone would show one or the other all the time.
    static let deviations = 3.0

    static func fell(from before: Proportion, to recent: Proportion) -> Bool {
        before.whole >= minimumSightings && recent.whole >= minimumRecent
            && recent.interval(deviations: deviations).upperBound < before.interval(deviations: deviations).lowerBound
    }
}
