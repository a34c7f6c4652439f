import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import Testing

@testable import Profiles

/// The order of day and month in mails of a bank whose country is or is not known.
@Suite struct DateOrderTests {
    private static func decide(
        _ printed: String, _ region: BankRegion, sent: String = "Mon, 20 Apr 2026 18:00:00 +0000"
    ) throws -> Decision {
        try RegionalReaderTests.decide(
            "You made a purchase of EUR 24.15 at HERON STORE on \(printed) with your card ending in 5520.", region,
            date: sent)
    }

    private static func region(_ country: String?, order: DateOrder? = nil) throws -> BankRegion {
        var region = try country.map(RegionalReaderTests.region) ?? BankRegion()
        region.dateOrder = order
        return region
    }

    @Test(
        arguments: [
            // printed, country, order of the configuration; day, other day, proven order, guessed
            ("03/04/2026", nil, nil, "2026-04-03", "2026-03-04", nil, true),
            ("03/04/2026", "DE", nil, "2026-04-03", "2026-03-04", nil, false),
            ("03/04/2026", "US", nil, "2026-03-04", "2026-04-03", nil, false),
            ("03/04/2026", nil, .monthFirst, "2026-03-04", nil, nil, false),
            ("03.04.2026", "HR", nil, "2026-04-03", "2026-03-04", nil, false),
            ("03.04.2026", "SK", nil, "2026-04-03", "2026-03-04", nil, false),
            // The year in front leaves no other reading, and proves none.
            ("26/04/19", "JP", nil, "2026-04-19", nil, nil, false),
            ("26/04/19", "SA", nil, "2026-04-19", nil, nil, false),
            // One order fits the arrival.
            ("04/20/2026", nil, nil, "2026-04-20", nil, .monthFirst, false),
            ("25/03/2026", "US", nil, "2026-03-25", nil, .dayFirst, false),
            ("04/04/2026", nil, nil, "2026-04-04", nil, nil, false),
            ("3 April 2026", nil, nil, "2026-04-03", nil, nil, false),
            ("2026-04-03", nil, nil, "2026-04-03", nil, nil, false),
        ] as [(String, String?, DateOrder?, String, String?, DateOrder?, Bool)])
    func isOpenOrProven(
        printed: String, country: String?, order: DateOrder?, day: String, other: String?, proven: DateOrder?,
        isGuessed: Bool
    ) throws {
        let decision = try Self.decide(printed, try Self.region(country, order: order))
        #expect(decision.draft?.date.description == day)
        #expect(decision.dates.other?.date.description == other)
        #expect(decision.dates.proven == Set([proven].compactMap { $0 }))
        #expect(decision.reasons.contains { $0.factor == .dateOrderUnproven } == isGuessed)
    }

    /// A day on which the mail arrived decides, and proves the order.
    @Test func theArrivalProves() throws {
        let decision = try Self.decide(
            "04/03/2026", try Self.region("DE"), sent: "Fri, 03 Apr 2026 18:00:00 +0000")
        #expect(decision.draft?.date.description == "2026-04-03")
        #expect(decision.dates.proven == [.monthFirst])
        #expect(decision.dates.other == nil)
    }

    /// The time of the other day is that of its zone's offset: summer time begins between the two.
    @Test func theOtherDayHasItsOwnInstant() throws {
        let decision = try Self.decide("03/04/2026 at 10:15", try Self.region("DE"))
        #expect(decision.draft?.occurredAt.description == "2026-04-03T08:15:00Z")
        #expect(decision.dates.other?.occurredAt.description == "2026-03-04T09:15:00Z")
    }

    @Test(
        arguments: [
            ("25/03/2026 and 26/03/2026", [.dayFirst]),
            ("25/03/2026, valid until 04/30/2026", [.dayFirst, .monthFirst]),
            ("version 10.25.2029", []), ("01/19 12:30", []), ("31/31/2026", []), ("05 JUN 2026", []), ("", []),
        ] as [(String, Set<DateOrder>)])
    func provesOrders(text: String, orders: Set<DateOrder>) throws {
        #expect(PrintedDate.provenOrders(in: Array(text.utf8), arrival: CalendarDate("2026-04-20")) == orders)
    }

    /// Mails of banks that are read by the common wording alone are not searched for dates.
    @Test func indianBanksAreNotSearched() throws {
        let mail =
            "From: alerts@hdfcbank.net\r\nSubject: Alert\r\nDate: Mon, 20 Apr 2026 18:00:00 +0000\r\n\r\nRs.5 was spent on 20/04/2026."
        let decision = try RegionalReaderTests.shipped.get().claim(Message(parsing: Array(mail.utf8))).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(decision.dates == PrintedDates())
    }
}
