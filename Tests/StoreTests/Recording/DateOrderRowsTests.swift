import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// The order of dates that the mails of a bank prove, in the commit of these mails.
@Suite struct DateOrderRowsTests {
    /// A mail that proves an order.
    private static func proof(
        _ uid: UInt32, _ orders: Set<DateOrder>, bank: String = "hdfc", isAuthentic: Bool = true
    ) -> MailEntry {
        var sample = decision(.ignored, nil, bank: bank)
        sample.source?.isAuthentic = isAuthentic
        sample.dates.proven = orders
        return mail(uid, sample)
    }

    /// A mail of 03/04/2026.
    private static func open(_ uid: UInt32) -> MailEntry {
        var sample = decision(.review, draft(on: "2026-04-03", reference: "60000000\(uid)"))
        sample.dates.other = OtherDay(
            order: .monthFirst, date: CalendarDate("2026-03-04"), occurredAt: UnixTime(CalendarDate("2026-03-04")),
            reasons: [])
        return mail(uid, sample)
    }

    private static func day(_ f: Fixture, _ uid: UInt32) throws -> String? {
        try f.value(
            "SELECT parsed_date FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id WHERE m.uid = \(uid)"
        )
    }

    @Test(arguments: [
        ("two mails before it", [proof(1, [.monthFirst]), proof(2, [.monthFirst]), open(3)], "2026-03-04"),
        ("mails behind it", [open(3), proof(4, [.monthFirst]), proof(5, [.monthFirst])], "2026-04-03"),
        ("one mail", [proof(1, [.monthFirst]), open(3)], "2026-04-03"),
        ("the same mail twice", [proof(1, [.monthFirst]), proof(1, [.monthFirst]), open(3)], "2026-04-03"),
        ("a contradiction", [proof(1, [.monthFirst]), proof(2, [.monthFirst, .dayFirst]), open(3)], "2026-04-03"),
        (
            "forged mails",
            [proof(1, [.monthFirst], isAuthentic: false), proof(2, [.monthFirst], isAuthentic: false), open(3)],
            "2026-04-03"
        ),
        (
            "mails of another bank",
            [proof(1, [.monthFirst], bank: "chase"), proof(2, [.monthFirst], bank: "chase"), open(3)], "2026-04-03"
        ),
    ]) func isDatedByTheMailsBefore(name: String, entries: [MailEntry], expected: String) throws {
        let together = try Fixture()
        _ = try together.store.recording.record(entries)
        #expect(try Self.day(together, 3) == expected)
        let apart = try Fixture()
        for entry in entries { _ = try apart.store.recording.record([entry]) }
        #expect(try Self.day(apart, 3) == expected, "in separate commits")
    }

    @Test func countsAreReadAgain() throws {
        let f = try Fixture()
        let recorded = try f.store.recording.record([Self.proof(1, [.monthFirst]), Self.proof(2, [.monthFirst])])
        #expect(recorded.count == 2)
        #expect(try f.store.mails.dateOrders(of: "hdfc") == DateOrderCounts(monthFirst: 2))
        #expect(try f.store.mails.dateOrders(of: "chase") == DateOrderCounts())
        // Explaining shows what recording does.
        let dated = try f.store.dated(Self.open(3).decision)
        #expect(dated.draft?.date == CalendarDate("2026-03-04"))
        #expect(dated.reasons.contains { $0.factor == .dateOrderProven })
    }
}
