import Chronology
import ChronologyFixture
import Ledger
import Testing

/// The day of a draft that may be read in two orders: 3 April or 4 March.
@Suite struct DateOrderEvidenceTests {
    private static let day = CalendarDate("2026-04-03")
    private static let other = CalendarDate("2026-03-04")

    /// Read day first on 20 April, and 17 days late in that order.
    private static func decision(isGuessed: Bool) -> Decision {
        var reasons = [
            Reason(.genericReader, weight: 0.4, note: "no template"),
            Reason(.dateDistance, weight: 0.7, note: "17 days"),
        ]
        if isGuessed { reasons.append(.unprovenDateOrder("no country")) }
        let draft = TransactionDraft(
            amount: Money(minorUnits: 100, currency: .inr), type: .expense, channel: .other, date: day,
            occurredAt: UnixTime(day))
        var decision = Decision(.review(draft), confidence: reasons.confidence, reasons: reasons)
        decision.dates.other = OtherDay(
            order: .monthFirst, date: other, occurredAt: UnixTime(other),
            reasons: [Reason(.dateDistance, weight: 0.7, note: "47 days")])
        return decision
    }

    @Test(
        arguments: [
            // counts of day first and month first; guessed; day; factors
            (0, 0, false, day, ["generic_reader", "date_distance"]),
            (0, 0, true, day, ["generic_reader", "date_distance", "date_order_unproven"]),
            (1, 0, true, day, ["generic_reader", "date_distance", "date_order_unproven"]),
            (2, 0, true, day, ["generic_reader", "date_distance", "date_order_proven"]),
            (0, 1, false, day, ["generic_reader", "date_distance", "date_order_unproven"]),
            (0, 2, false, other, ["generic_reader", "date_distance", "date_order_proven"]),
            (0, 2, true, other, ["generic_reader", "date_distance", "date_order_proven"]),
            (5, 1, false, day, ["generic_reader", "date_distance", "date_order_unproven"]),
            (1, 5, true, day, ["generic_reader", "date_distance", "date_order_unproven"]),
        ] as [(Int, Int, Bool, CalendarDate, [String])])
    func isDatedByOtherMails(
        dayFirst: Int, monthFirst: Int, isGuessed: Bool, expected: CalendarDate, factors: [String]
    ) throws {
        let decision = Self.decision(isGuessed: isGuessed).dated(
            by: DateOrderCounts(dayFirst: dayFirst, monthFirst: monthFirst))
        let draft = try #require(decision.draft)
        #expect(draft.date == expected)
        #expect(draft.occurredAt == UnixTime(expected))
        #expect(decision.reasons.map(\.name) == factors)
        #expect(decision.confidence == decision.reasons.confidence)
        #expect(decision.outcome == .review)
        if expected == Self.other { #expect(decision.reasons.contains { $0.note == "47 days" }) }
    }

    /// A learned form books a mail whose country gives the order, unless another mail of the bank contradicts it.
    @Test func aContradictionPreventsBooking() throws {
        var decision = Self.decision(isGuessed: false)
        let draft = try #require(decision.draft)
        decision.disposition = .book(draft)
        #expect(decision.dated(by: DateOrderCounts(dayFirst: 2)).outcome == .recorded)
        #expect(decision.dated(by: DateOrderCounts(monthFirst: 2)).outcome == .recorded)
        #expect(decision.dated(by: DateOrderCounts(dayFirst: 2, monthFirst: 1)).outcome == .review)
    }

    @Test func aDayThatIsCertainStays() {
        var decision = Self.decision(isGuessed: false)
        decision.dates.other = nil
        #expect(decision.dated(by: DateOrderCounts(monthFirst: 9)).draft?.date == Self.day)
    }
}
