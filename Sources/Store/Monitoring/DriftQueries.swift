import Chronology
internal import GRDB
import Ledger

extension MonitoringRepository {
    /// Changes in the mails of the banks. Reads counts by template and day, not the mails: takes milliseconds with a
    /// million mails.
    public func drift() throws(StoreError) -> Drift {
        let now = now()
        return try read { db in try DriftReader(db, now: now).drift() }
    }
}

/// Queries of ``Store/drift()``, within one snapshot.
fileprivate struct DriftReader {
    let db: Database
    /// Days since 1970.
    let through: Int
    let recent: (after: CalendarDate, to: CalendarDate)
    let before: (after: CalendarDate, to: CalendarDate)
    private let first: PreparedStatement
    private let sums: PreparedStatement
    private let days: PreparedStatement

    init(_ db: Database, now: UnixTime) throws {
        self.db = db
        let today = now.day()
        // During a pass, which reads old mail first, mail that is not read yet is not missing.
        let read = try UnixTime.fetchOne(
            db,
            sql: """
                SELECT coalesce(max(CASE WHEN state = 'connecting' OR state = 'reading'
                    THEN (SELECT max(last_received_at) FROM mailbox_cursors c WHERE c.mailbox = h.mailbox) ELSE last_probe_at END),
                  (SELECT max(last_processed_at) FROM mailbox_cursors)) FROM mailbox_health h
                """)
        let last = min(read?.day() ?? today, today)
        through = last.daysSince1970
        let edge = Self.date(through - DriftLimits.recentDays)
        recent = (edge, last)
        before = (Self.date(through - DriftLimits.recentDays - DriftLimits.beforeDays), edge)
        first = try PreparedStatement(
            db,
            "SELECT day FROM template_days WHERE profile = ? AND template = ? AND mails > 0 ORDER BY day LIMIT 1")
        sums = try PreparedStatement(
            db,
            """
            SELECT coalesce(sum(mails), 0), \(FieldBits.columns.map { "coalesce(sum(\($0)), 0)" }.joined(separator: ", ")) FROM template_days
            WHERE profile = ? AND template = ? AND day > ? AND day <= ?
            """)
        days = try PreparedStatement(
            db,
            "SELECT day FROM template_days WHERE profile = ? AND template = ? AND mails > 0 ORDER BY day DESC LIMIT \(DriftLimits.gaps + 1)"
        )
    }

    func drift() throws -> Drift {
        var templates: [Drift.Template] = []
        var banks: [String: (bank: Drift.Bank, days: Set<Int>, first: Int)] = [:]
        for row in try Row.fetchAll(
            db,
            sql: """
                SELECT profile, template, sum(mails) FROM mail_counts WHERE profile <> '' AND template <> '' GROUP BY profile, template
                ORDER BY profile, template
                """)
        {
            let (bank, template, mails): (String, String, Int) = (row[0], row[1], row[2])
            let seen = try seenDays(bank, template)
            guard !seen.isEmpty, let first = try firstDay(bank, template) else { continue }
            let now = try counts(bank, template, recent)
            let then = try counts(bank, template, before)
            var total =
                banks[bank] ?? (
                    Drift.Bank(
                        bank: bank, recent: Proportion(0, of: 0), before: Proportion(0, of: 0), otherRecent: 0,
                        silence: silence([], first: first)), [], first
                )
            total.days.formUnion(seen)
            total.first = min(total.first, first)
            if template == Self.generic {
                // A bank without templates cannot drift.
                total.bank.recent = total.bank.recent + Proportion(0, of: now[1])
                total.bank.before = total.bank.before + Proportion(0, of: then[1])
                total.bank.otherRecent += now[0] - now[1]
            } else {
                total.bank.recent = total.bank.recent + Proportion(now[0], of: now[0])
                total.bank.before = total.bank.before + Proportion(then[0], of: then[0])
                templates.append(
                    Drift.Template(
                        bank: bank, template: template, mails: mails, silence: silence(seen, first: first),
                        fields: Self.fills(now, then)))
            }
            banks[bank] = total
        }
        let known = Dictionary(templates.map { ($0.bank, $0.silence.firstSeen) }, uniquingKeysWith: min)
        return Drift(
            through: Self.date(through),
            banks: banks.values.map { total in
                var bank = total.bank
                bank.silence = silence(total.days.sorted(by: >), first: total.first)
                return bank
            }.sorted { $0.bank < $1.bank },
            templates: templates, shapes: try shapes(known: known))
    }

    /// Name under which unclaimed mails are counted.
    private static let generic = TemplateName.generic

    /// Days with such mails, the newest first.
    private func seenDays(_ bank: String, _ template: String) throws -> [Int] {
        var found: [Int] = []
        try days.each {
            $0.bind(bank)
            $0.bind(template)
        } _: {
            found.append($0.day(0).daysSince1970)
            return true
        }
        return found
    }

    private func firstDay(_ bank: String, _ template: String) throws -> Int? {
        try first.first(
            {
                $0.bind(bank)
                $0.bind(template)
            }, { $0.day(0).daysSince1970 })
    }

    /// Number of mails, and of those with each field.
    private func counts(
        _ bank: String, _ template: String, _ span: (after: CalendarDate, to: CalendarDate)
    ) throws -> [Int] {
        try sums.first(
            {
                $0.bind(bank)
                $0.bind(template)
                $0.bind(span.after)
                $0.bind(span.to)
            }, { row in (0...FieldBits.columns.count).map { max(0, Int(row.int(CInt($0)))) } })
            ?? [Int](repeating: 0, count: FieldBits.columns.count + 1)
    }

    private func silence(_ seen: [Int], first: Int) -> Drift.Silence {
        let gaps = zip(seen, seen.dropFirst()).map { $0 - $1 }.sorted()
        let usual =
            seen.count >= DriftLimits.minimumOccurrences
            ? gaps[min(gaps.count - 1, Int(Double(gaps.count) * DriftLimits.usualProportion))] : nil
        let last = seen.first ?? first
        return Drift.Silence(
            firstSeen: Self.date(first), lastSeen: Self.date(last), usualGap: usual, days: max(0, through - last))
    }

    /// Fields that the template read in one of the spans, except the amount, without which it claims nothing.
    private static func fills(_ now: [Int], _ then: [Int]) -> [Drift.Fill] {
        FieldBits.read.enumerated().dropFirst().compactMap { bit, field in
            guard now[bit + 1] + then[bit + 1] > 0 else { return nil }
            return Drift.Fill(
                field: field, recent: Proportion(now[bit + 1], of: now[1]),
                before: Proportion(then[bit + 1], of: then[1]))
        }
    }

    /// - Parameter known: first day of claimed mail for each bank. Mail of the first weeks is new to the ledger but not
    ///   to the bank, and a bank without templates has none that could become outdated.
    private func shapes(known: [String: CalendarDate]) throws -> [Drift.Shape] {
        let oldest = Self.date(through - DriftLimits.shapeDays)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT profile, shape, words, mails, drafts, first_day, last_day, example FROM unclaimed_shapes
                WHERE mails > 0 AND last_day > ? ORDER BY drafts > 0 DESC, mails DESC, last_day DESC, shape LIMIT ?
                """, arguments: [oldest, DriftLimits.shapes]
        ).map {
            let drafts: Int = $0[4]
            let (bank, first): (String, CalendarDate) = ($0[0], $0[5])
            let isUsual = known[bank].map { $0.daysSince1970 > first.daysSince1970 - DriftLimits.recentDays } ?? true
            return Drift.Shape(
                bank: bank, id: ShapeID.text($0[1]), words: $0[2], mails: $0[3], drafts: drafts, firstSeen: first,
                lastSeen: $0[6], example: $0[7],
                isNew: drafts > 0 && first > recent.after && !isUsual)
        }
    }

    private static func date(_ day: Int) -> CalendarDate { CalendarDate(daysSince1970: day) }
}
