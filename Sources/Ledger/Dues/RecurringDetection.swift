public import Chronology

/// A payment that was repeated at regular intervals, found in the booked transactions.
public struct RecurringCandidate: Hashable, Sendable {
    /// A lasting change of the amount.
    public struct PriceChange: Hashable, Sendable {
        public var day: CalendarDate
        public var before: Money
        public var after: Money
    }

    /// The payee as printed last.
    public var payee: String
    public var account: Int64?
    public var isIncome: Bool
    /// The amount of the last payment.
    public var amount: Money
    /// Largest deviation between two payments in a row, in percent, rounded up; price changes do not count.
    public var band: Int64
    public var rule: RecurrenceRule
    /// The payments, oldest first: the evidence.
    public var payments: [DueMovement]
    public var priceChanges: [PriceChange]
    /// The day on which the next payment is expected.
    public var next: CalendarDate
}

/// Finds recurring payments: same payee, account and direction, similar amounts, and regular intervals from a week to
/// a year.
public struct RecurringDetection {
    private struct Period {
        var days: ClosedRange<Int>
        var rule: RecurrenceRule
        /// Payments needed: fewer for long intervals, of which a ledger has few.
        var needed = 3
    }

    private static let periods = [
        Period(days: 6...8, rule: RecurrenceRule(.weekly), needed: 4),
        Period(days: 13...15, rule: RecurrenceRule(.weekly, interval: 2), needed: 4),
        Period(days: 26...35, rule: RecurrenceRule(.monthly)),
        Period(days: 57...66, rule: RecurrenceRule(.monthly, interval: 2)),
        Period(days: 86...97, rule: RecurrenceRule(.monthly, interval: 3)),
        Period(days: 176...190, rule: RecurrenceRule(.monthly, interval: 6)),
        Period(days: 355...375, rule: RecurrenceRule(.yearly), needed: 2),
    ]

    /// Proportion of the intervals that must be regular: one mail in five may be missing.
    private static let regularPercent = 80
    /// Largest change of the amount from one payment to the next, in percent.
    private static let widestBand: Int64 = 35
    /// Fewer payments are evidence only if their amounts are within the narrow band, in percent.
    private static let fewPayments = 5
    private static let narrowBand: Int64 = 5
    /// Payments of one payee that are compared: newer ones first.
    private static let mostPayments = 400

    private struct Group: Hashable {
        var payee: String
        var account: Int64?
        var isIncome: Bool
        var currency: Currency
    }

    /// Posted occurrences of known items are no evidence.
    ///
    /// - Parameter today: items whose next payment is overdue by more than a period are not returned: they ended.
    public static func find(_ movements: [DueMovement], on today: CalendarDate) -> [RecurringCandidate] {
        // A payment costs ten words to copy: places are grouped and sorted in its stead.
        var groups: [Group: [Int]] = [:]
        var keys: [String: String] = [:]
        for (place, movement) in movements.enumerated()
        where !movement.isTransfer && movement.counterpart == nil && movement.postedKey == nil {
            let payee = keys[movement.payee] ?? PayeeText.key(movement.payee)
            keys[movement.payee] = payee
            guard !payee.isEmpty else { continue }
            let group = Group(
                payee: payee, account: movement.account, isIncome: movement.isIncome,
                currency: movement.amount.currency)
            groups[group, default: []].append(place)
        }
        var found: [RecurringCandidate] = []
        for places in groups.values where places.count >= 2 {
            let order = places.map { (day: movements[$0].day, id: movements[$0].id, place: $0) }.sorted {
                ($0.day, $0.id) < ($1.day, $1.id)
            }
            let recent = order.suffix(mostPayments).map { movements[$0.place] }
            if let candidate = candidate(recent, today) {
                found.append(candidate)
                continue
            }
            // A payee of which a person also buys other things: each amount by itself.
            for same in clusters(recent) where same.count >= 2 {
                if let candidate = candidate(same, today, band: 0) { found.append(candidate) }
            }
        }
        return found.sorted { ($0.next, $0.payee, $0.payments[0].id) < ($1.next, $1.payee, $1.payments[0].id) }
    }

    /// Payments of about the same amount, at most a tenth apart. Both are in the order of their days.
    private static func clusters(_ payments: [DueMovement]) -> [[DueMovement]] {
        var clusters: [[Int]] = []
        var last: Int64?
        for (amount, place) in payments.enumerated().map({ ($1.amount.minorUnits, $0) }).sorted(by: <) {
            if let last, amount - last <= last / 10 {
                clusters[clusters.count - 1].append(place)
            } else {
                clusters.append([place])
            }
            last = amount
        }
        return clusters.map { $0.sorted().map { payments[$0] } }
    }

    /// - Parameter band: maximum deviation of few payments, in percent. Of a payee of which a person also buys other
    ///   things, a few similar amounts at regular intervals are often chance: these must be equal.
    private static func candidate(
        _ payments: [DueMovement], _ today: CalendarDate, band fewBand: Int64 = narrowBand
    ) -> RecurringCandidate? {
        guard let last = payments.last, payments.count >= 2 else { return nil }
        let days = payments.map(\.day.daysSince1970)
        let gaps = zip(days.dropFirst(), days).map { $0 - $1 }
        let middle = gaps.sorted()[gaps.count / 2]
        guard let period = periods.first(where: { $0.days.contains(middle) }), payments.count >= period.needed else {
            return nil
        }
        // A gap of two periods is one lost mail.
        let regular = gaps.filter { period.days.contains($0) || period.days.contains($0 / 2) && $0 > middle }.count
        guard regular * 100 >= gaps.count * regularPercent else { return nil }
        guard let (band, changes) = amounts(payments), payments.count >= fewPayments || band <= fewBand else {
            return nil
        }
        var rule = period.rule
        if rule.frequency == .monthly {
            let ofMonth = payments.map(\.day.day).sorted()[payments.count / 2]
            rule.monthDays = [ofMonth > 28 ? -1 : ofMonth]
        }
        let after = CalendarDate(daysSince1970: last.day.daysSince1970 + period.days.lowerBound / 2 + 1)
        guard let next = rule.next(from: last.day, onOrAfter: after),
            today.daysSince1970 - next.daysSince1970 <= rule.typicalDays
        else { return nil }
        return RecurringCandidate(
            payee: last.payee, account: last.account, isIncome: last.isIncome, amount: last.amount, band: band,
            rule: rule, payments: payments, priceChanges: changes, next: next)
    }

    /// The widest deviation and the changes of price; `nil` if the amounts differ too much to be one item.
    private static func amounts(
        _ payments: [DueMovement]
    ) -> (band: Int64, changes: [RecurringCandidate.PriceChange])? {
        let sums = payments.map(\.amount.minorUnits)
        var band: Int64 = 0
        var changes: [RecurringCandidate.PriceChange] = []
        for index in sums.indices.dropFirst() {
            let (old, new) = (sums[index - 1], sums[index])
            guard old > 0, new > 0 else { return nil }
            let percent = (abs(new - old) * 100 + old - 1) / old
            guard percent <= widestBand else { return nil }
            guard percent > 0 else { continue }
            // The old price was charged at least twice, and the new one is not followed by the old one.
            let wasConstant = index >= 2 && sums[index - 2] == old
            let isLasting = index + 1 == sums.count || sums[index + 1] == new
            if wasConstant, isLasting {
                changes.append(
                    .init(day: payments[index].day, before: payments[index - 1].amount, after: payments[index].amount))
            } else {
                band = max(band, percent)
            }
        }
        return (band, changes)
    }
}
