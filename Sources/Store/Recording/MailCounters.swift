import Chronology
import Codecs
import GRDB
import Ledger

/// A mail counted for drift: the template that claimed it, or its shape if none did.
struct TemplateHit {
    let profile: String
    let template: String
    /// Bits as in the column `fields`.
    let fields: Int64
    /// Set if no template claims the mail.
    let shape: MailShape?

    /// `nil` if the mail does not count: not from a bank, not authentic, failed, or a copy of a counted one.
    init?(_ decision: Decision, _ verdict: EntryVerdict) {
        guard let profile = decision.profile, let template = decision.template, !verdict.isSameMail else { return nil }
        guard decision.outcome != .quarantined, decision.outcome != .failed else { return nil }
        self.profile = profile
        self.template = template
        fields = decision.draft.map(FieldBits.bits) ?? 0
        shape = decision.shape
    }
}

/// Counts of one batch, added to the tables at its end: one write for each template and day.
struct MailCounters {
    private struct Place: Hashable {
        var mailbox: String
        var folder: String
        var outcome: Outcome
        var profile: String?
        var template: String?
    }

    private struct TemplateDay: Hashable {
        var profile: String
        var template: String
        var day: CalendarDate
    }

    private struct ShapeSeen {
        var words: String
        var mails: Int64 = 0
        var drafts: Int64 = 0
        var first: CalendarDate
        var last: CalendarDate
        var example: String
    }

    private struct ShapeKey: Hashable {
        var profile: String
        var digest: UInt64
    }

    /// Time of the batch.
    let time: UnixTime
    private var places: [Place: Int64] = [:]
    /// Number of mails, and of those with each field.
    private var days: [TemplateDay: [Int64]] = [:]
    private var shapes: [ShapeKey: ShapeSeen] = [:]
    private var transactions: [TransactionStatus: Int64] = [:]

    init(time: UnixTime) { self.time = time }

    mutating func add(_ entry: MailEntry, _ outcome: Outcome, _ hit: TemplateHit?, id: String) {
        let decision = entry.decision
        places[
            Place(
                mailbox: entry.mailbox, folder: entry.folder, outcome: outcome, profile: decision.profile,
                template: decision.template), default: 0] += 1
        guard let hit else { return }
        Self.count(
            hit.fields,
            in: &days[
                TemplateDay(profile: hit.profile, template: hit.template, day: day(entry)),
                default: Self.zeros])
        addShape(entry, hit, id: id)
    }

    private static let zeros = [Int64](repeating: 0, count: 1 + FieldBits.read.count)

    private static func count(_ fields: Int64, in counts: inout [Int64]) {
        counts[0] += 1
        for bit in 1..<counts.count { counts[bit] += fields >> Int64(bit - 1) & 1 }
    }

    mutating func addTransaction(_ status: TransactionStatus) { transactions[status, default: 0] += 1 }

    /// Called for changed rows as well, because no trigger knows the words of a shape.
    mutating func addShape(_ entry: MailEntry, _ hit: TemplateHit?, id: String) {
        guard let hit, let shape = hit.shape else { return }
        let day = day(entry)
        let key = ShapeKey(profile: hit.profile, digest: shape.digest)
        var seen = shapes[key] ?? ShapeSeen(words: shape.words, first: day, last: day, example: id)
        seen.mails += 1
        seen.drafts += hit.fields & 1
        seen.first = min(seen.first, day)
        if day >= seen.last { (seen.last, seen.example) = (day, id) }
        shapes[key] = seen
    }

    /// Day as in the triggers.
    private func day(_ entry: MailEntry) -> CalendarDate {
        ((entry.receivedAt ?? entry.sentAt).map { min($0, time) } ?? time).day()
    }

    func flush(_ db: Database) throws {
        try flushPlaces(db)
        try flushDays(db)
        try flushShapes(db)
        guard !transactions.isEmpty else { return }
        let add = try PreparedStatement(
            db,
            "INSERT INTO main.transaction_counts VALUES (?, ?) ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions"
        )
        for (status, count) in transactions {
            try add.run {
                $0.bind(status.rawValue)
                $0.bind(count)
            }
        }
    }

    private func flushPlaces(_ db: Database) throws {
        let add = try PreparedStatement(
            db,
            "INSERT INTO main.mail_counts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET mails = mails + excluded.mails"
        )
        for (place, count) in places {
            try add.run {
                $0.bind(place.mailbox)
                $0.bind(place.folder)
                $0.bind(place.outcome.rawValue)
                $0.bind(place.profile ?? "")
                $0.bind(place.template ?? "")
                $0.bind(count)
            }
        }
    }

    private func flushDays(_ db: Database) throws {
        guard !days.isEmpty else { return }
        let columns = ["mails"] + FieldBits.columns
        let add = try PreparedStatement(
            db,
            """
            INSERT INTO main.template_days (profile, template, day, \(columns.joined(separator: ", ")))
            VALUES (?, ?, ?\(String(repeating: ", ?", count: columns.count)))
            ON CONFLICT DO UPDATE SET \(columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
            """)
        for (key, counts) in days {
            try add.run { row in
                row.bind(key.profile)
                row.bind(key.template)
                row.bind(key.day)
                for count in counts { row.bind(count) }
            }
        }
    }

    private func flushShapes(_ db: Database) throws {
        guard !shapes.isEmpty else { return }
        let add = try PreparedStatement(
            db,
            """
            INSERT INTO main.unclaimed_shapes (profile, shape, words, mails, drafts, first_day, last_day, example) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET mails = mails + excluded.mails, drafts = drafts + excluded.drafts,
              first_day = min(first_day, excluded.first_day), example = iif(excluded.last_day >= last_day, excluded.example, example),
              last_day = max(last_day, excluded.last_day)
            """)
        for (key, seen) in shapes {
            try add.run {
                $0.bind(key.profile)
                $0.bind(Int64(bitPattern: key.digest))
                $0.bind(seen.words)
                $0.bind(seen.mails)
                $0.bind(seen.drafts)
                $0.bind(seen.first)
                $0.bind(seen.last)
                $0.bind(seen.example)
            }
        }
    }
}

/// Text form of a shape's digest.
enum ShapeID {
    /// 16 hexadecimal digits.
    static func text(_ stored: Int64) -> String {
        Hexadecimal.text(UInt64(bitPattern: stored))
    }

    static func stored(_ text: String) -> Int64? { UInt64(text, radix: 16).map { Int64(bitPattern: $0) } }
}
