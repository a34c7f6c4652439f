import Access
import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Dues and recurring items on the page, in the API and in the calendar.
@Suite struct DuePageTests {
    private static func rent(_ store: Store) throws {
        var item = RecurringItem(
            name: "Rent, flat; 2", amount: Money(minorUnits: 1_500_000, currency: .inr),
            rule: try RecurrenceRule("FREQ=MONTHLY"), start: store.today)
        item.mode = .expected
        try store.recurring.add(item, by: .terminal)
    }

    @Test func itemsAreAddedListedAndRemoved() async throws {
        let site = try PageSite()
        let added = try await site.ask {
            try await $0.submit(
                "/app/dues/recurring",
                [
                    ("name", "Rent <b>"), ("amount", "15,000.00"), ("currency", "inr"), ("mode", "expected"),
                    ("rule", "FREQ=MONTHLY"), ("start", site.store.today.description),
                ])
        }
        #expect(added.status == .seeOther && added.undo != nil)
        let page = try await site.ask { try await $0.page("/app/dues") }
        #expect(page.status == .ok)
        for words in ["Rent &lt;b&gt;", "₹15,000.00", "Recurring", "FREQ=MONTHLY", "aria-current=\"page\""] {
            #expect(page.words.contains(words), "\(words)")
        }
        let row = try #require(try site.store.recurring.all().first)
        let removed = try await site.ask { try await $0.submit("/app/dues/recurring/\(row.id)/delete", []) }
        #expect(removed.status == .seeOther)
        #expect(try site.store.recurring.all().isEmpty)
    }

    /// Values of days to come have no transactions, so they lead to the list of what is to come.
    @Test func cashAheadIsAChart() async throws {
        let site = try PageSite()
        try Self.rent(site.store)
        let without = try await site.ask { try await $0.page("/app/dues") }.words
        #expect(!without.contains("Cash ahead"), "no balance is known")
        var cash = UserAccountEdit()
        (cash.name, cash.type) = ("Purse", .cash)
        (cash.initialBalance, cash.initialDate) = (1_000_000, .set(site.store.today))
        _ = try site.store.userAccounts.add(cash, by: .terminal)
        let page = try await site.ask { try await $0.page("/app/dues") }.words
        for words in [
            "Cash ahead", "The cash does not suffice: −₹20,000.00 on ", "href=\"#open\"", "id=\"open\"",
            "<th scope=\"col\">Day</th>",
        ] { #expect(page.contains(words), "\(words)") }
        #expect(page.split(separator: "class=\"hit\"").count == 1 + 46)
    }

    @Test func aFaultyFormIsShownAgain() async throws {
        let site = try PageSite()
        let answer = try await site.ask {
            try await $0.submit(
                "/app/dues/recurring",
                [("name", "Rent"), ("amount", "1"), ("rule", "FREQ=HOURLY"), ("start", "2026-01-01")])
        }
        #expect(
            answer.status == .unprocessableContent && answer.words.contains("FREQ must be one of")
                && answer.words.contains("FREQ=HOURLY"))
        #expect(try site.store.recurring.all().isEmpty)
    }

    @Test func theAPIMakesChangesAndRefuses() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let body =
                #"{"name":"Salary","amount":"90000","transaction_type":"income","mode":"posted","rule":"freq=monthly;bymonthday=-1"}"#
            let made = try await client.ask(.post, "/recurring/", json: body)
            #expect(
                made.status == .created && made.text.contains(#""rule":"FREQ=MONTHLY;BYMONTHDAY=-1""#), "\(made.text)")
            let id = try #require(try site.store.recurring.all().first).id
            let changed = try await client.ask(
                .put, "/recurring/\(id)", json: #"{"name":"Salary","amount":"95000","rule":"FREQ=MONTHLY"}"#)
            #expect(changed.status == .ok && changed.text.contains(#""mode":"posted""#), "\(changed.text)")
            for (body, field) in [
                (#"{"name":"x","amount":"1","rule":"FREQ=SECONDLY"}"#, "rule"),
                (#"{"name":"x","amount":"0","rule":"FREQ=DAILY"}"#, "amount"),
                (#"{"name":"x","amount":"1","rule":"FREQ=DAILY","starts_on":"1970-01-01"}"#, "starts_on"),
                (#"{"name":"x","amount":"1","rule":"FREQ=DAILY","transaction_type":"transfer"}"#, "transaction_type"),
            ] {
                let refused = try await client.ask(.post, "/recurring/", json: body)
                #expect(
                    refused.status == .unprocessableContent && refused.text.contains(#""\#(field)""#), "\(refused.text)"
                )
            }
            let dues = try await client.ask(.get, "/dues/?ahead=60")
            #expect(dues.status == .ok && dues.text.contains(#""title":"Salary""#), "\(dues.text)")
            #expect(try await client.ask(.get, "/dues/?ahead=4000").status == .unprocessableContent)
            #expect(try await client.ask(.get, "/recurring/detected").text == "[]")
            #expect(try await client.ask(.delete, "/recurring/\(id)").status == .noContent)
        }
    }

    /// A token in an address is logged by other programs: it must not open anything else.
    @Test func theCalendarTakesATokenThatCanDoNothingElse() async throws {
        let site = try Site()
        try Self.rent(site.store)
        let calendar = try site.token(.calendar, name: "calendar")
        let reader = try site.token(Scopes([.read]), name: "reader")
        let wide = try site.token(Scopes([.calendar, .read]), name: "wide")
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/calendar.ics?token=\(calendar)")
            #expect(answer.status == .ok && answer.headers[.contentType] == "text/calendar; charset=utf-8")
            #expect(answer.text.hasPrefix("BEGIN:VCALENDAR\r\n") && answer.text.hasSuffix("END:VCALENDAR\r\n"))
            #expect(answer.text.contains(#"SUMMARY:Rent\, flat\; 2 INR 15000.00"#), "\(answer.text)")
            #expect(try await client.ask(.get, "/calendar.ics", token: calendar).status == .ok)
            for token in [reader, wide, "spw_", "x"] {
                #expect(try await client.ask(.get, "/calendar.ics?token=\(token)").status == .unauthorized)
            }
            #expect(try await client.ask(.get, "/calendar.ics").status == .unauthorized)
            for path in ["/dues/", "/transactions/", "/probe", "/app/dues"] {
                #expect(try await client.ask(.get, path, token: calendar).status == .forbidden, "\(path)")
                #expect(try await client.ask(.get, "\(path)?token=\(calendar)").status == .unauthorized, "\(path)")
            }
        }
    }
}
