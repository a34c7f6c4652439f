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
        for words in ["Rent &lt;b&gt;", "₹15,000.00", "Recurring", "Monthly", "aria-current=\"page\""] {
            #expect(page.words.contains(words), "\(words)")
        }
        #expect(!page.words.contains("FREQ="))
        let row = try #require(try site.store.recurring.all().first)
        let removed = try await site.ask { try await $0.submit("/app/dues/recurring/\(row.id)/delete", []) }
        #expect(removed.status == .seeOther)
        #expect(try site.store.recurring.all().isEmpty)
    }

    /// A change of the amount keeps rule and first day; another interval begins on the next day.
    @Test func anItemIsChanged() async throws {
        let site = try PageSite()
        let start = CalendarDate(daysSince1970: site.store.today.daysSince1970 - 40)
        var item = RecurringItem(
            name: "Rent", amount: Money(minorUnits: 1_500_000, currency: .inr),
            rule: RecurrenceRule(.monthly, monthDays: [5]), start: start)
        (item.mode, item.band) = (.expected, 10)
        let id = try site.store.recurring.add(item, by: .terminal).id
        let next = try #require(item.rule.next(from: start, onOrAfter: site.store.today))
        let path = "/app/dues/recurring/\(id)"
        let form = try await site.ask { try await $0.page(path) }.words
        #expect(form.contains("value=\"monthly\" selected") && form.contains("value=\"\(next)\""))
        #expect(!form.contains("FREQ="))
        func change(
            _ amount: String, _ repeats: String, every: String = "2", rule: String = ""
        ) async throws -> TestResponse {
            let fields = [
                ("name", "Rent"), ("amount", amount), ("currency", "INR"), ("repeats", repeats), ("every", every),
                ("rule", rule), ("start", next.description), ("mode", "expected"),
            ]
            return try await site.ask { try await $0.submit(path, fields) }
        }
        func saved() throws -> RecurringItem? { try site.store.recurring.find(id)?.item }
        let raised = try await change("16000", "monthly")
        item.amount = Money(minorUnits: 1_600_000, currency: .inr)
        #expect(try saved() == item)
        let group = raised.undo ?? ""
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", group)]) }
        #expect(try saved()?.amount.minorUnits == 1_500_000)
        let same = try await change("15000", "monthly")
        #expect(same.status == .seeOther && same.undo == nil)
        for (repeats, every, rule, expected) in [
            ("quarterly", "", "", "FREQ=MONTHLY;INTERVAL=3"), ("weeks", "2", "", "FREQ=WEEKLY;INTERVAL=2"),
            ("weeks", "3", "", "FREQ=WEEKLY;INTERVAL=3"), ("month-end", "", "", "FREQ=MONTHLY;BYMONTHDAY=-1"),
            ("other", "", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
        ] {
            _ = try await change("15000", repeats, every: every, rule: rule)
            #expect(try saved()?.rule.description == expected && saved()?.start == next)
        }
        let unusual = try await site.ask { try await $0.page(path) }.words
        #expect(unusual.contains("<details open>") && unusual.contains("FREQ=MONTHLY;BYDAY=1MO"))
        #expect(try await site.ask { try await $0.page("/app/dues") }.words.contains("Monthly, on Mon number 1"))
        let faulty = try await change("15000", "days", every: "0")
        #expect(faulty.status == .unprocessableContent && faulty.words.contains("write a number from 1 to 1000"))
    }

    @Test(arguments: [
        ("FREQ=DAILY", "Daily"), ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "Every 2 weeks, on Mon, Thu"),
        ("FREQ=MONTHLY;BYMONTHDAY=5", "Monthly, on day 5"), ("FREQ=MONTHLY;INTERVAL=3", "Quarterly"),
        ("FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=-1", "Half-yearly, on the last day"),
        ("FREQ=MONTHLY;INTERVAL=4;BYDAY=-1FR", "Every 4 months, on the last Fri"),
        ("FREQ=YEARLY;COUNT=3", "Yearly, 3 times"), ("FREQ=MONTHLY;UNTIL=20271231", "Monthly, until 31 Dec 2027"),
    ]) func rulesAreWords(rule: String, words: String) throws {
        #expect(RuleText.words(try RecurrenceRule(rule)) == words)
    }

    /// The page names the likely payments; what is chosen, or excluded, can be undone.
    @Test func aDueIsLinkedToItsPayment() async throws {
        let site = try PageSite()
        let today = site.store.today
        let start = CalendarDate(daysSince1970: today.daysSince1970 - 20)
        var item = RecurringItem(
            name: "City Power", amount: Money(minorUnits: 120_000, currency: .inr), rule: RecurrenceRule(.monthly),
            start: start)
        item.mode = .expected
        let number = try site.store.recurring.add(item, by: .terminal).id
        let due = RecurringItem.key(number, start)
        try site.record(1, merchant: "TEA <b>", 4_000, on: start)
        let paid = try site.record(2, merchant: "POWER BOARD", 118_000, on: start)
        try site.record(3, merchant: "REFUND", 120_000, on: start, type: .income)
        func state() throws -> (DueItem.State?, [Int64]) {
            let row = try site.store.dues.list().first { $0.item.due.id == due }
            return (row?.item.state, row?.item.payments.map(\.transaction) ?? [])
        }
        let before = try state()
        #expect(before.0 == .missed)
        let list = try await site.ask { try await $0.page("/app/dues") }.words
        let path = DuePaymentPage.path(due)
        #expect(list.contains("href=\"\(path)\""))
        let page = try await site.ask { try await $0.page(path) }.words
        let names = page.matches(of: #/(TEA &lt;b&gt;|POWER BOARD|REFUND)<\/a>/#).map { String($0.output.1) }
        #expect(names == ["POWER BOARD", "TEA &lt;b&gt;"], "\(page)")
        let fields = [("due", due), ("transaction", "\(paid)")]
        let linked = try await site.ask { try await $0.submit("/app/dues/payment", fields) }
        #expect(try state() == (.settled, [paid]))
        let again = try await site.ask { try await $0.page(path) }.words
        #expect(again.contains("Paid by") && again.contains("Not this one"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", linked.undo ?? "")]) }
        #expect(try state() == before)
        _ = try await site.ask { try await $0.submit("/app/dues/payment", fields) }
        let refused = try await site.ask {
            try await $0.submit("/app/dues/payment", fields + [("action", "refuse")])
        }
        #expect(try state() == before && refused.undo != nil)
    }

    /// A due can be paid though the ledger has no transaction of it; what the program books itself cannot be declared.
    @Test func aDueIsPaidWithoutATransaction() async throws {
        let site = try PageSite()
        let start = CalendarDate(daysSince1970: site.store.today.daysSince1970 - 20)
        var item = RecurringItem(
            name: "City Power", amount: Money(minorUnits: 120_000, currency: .inr), rule: RecurrenceRule(.monthly),
            start: start)
        let due = RecurringItem.key(try site.store.recurring.add(item, by: .terminal).id, start)
        func state(_ id: String) throws -> DueItem.State? {
            try site.store.dues.list().first { $0.item.due.id == id }?.item.state
        }
        let page = try await site.ask { try await $0.page(DuePaymentPage.path(due)) }.words
        #expect(page.contains("Paid without a transaction?") && page.contains("It is paid"))
        let done = try await site.ask { try await $0.submit("/app/dues/settlement", [("due", due)]) }
        #expect(try state(due) == .settled)
        let list = try await site.ask { try await $0.page("/app/dues") }.words
        #expect(list.contains("as you stated"))
        let history = try await site.ask { try await $0.page("/app/history") }.words
        #expect(history.contains("due that is paid without a transaction"))
        let again = try await site.ask { try await $0.page(DuePaymentPage.path(due)) }.words
        #expect(
            again.contains("You stated that it is paid, without a transaction.") && again.contains("It is not paid"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try state(due) == .missed)
        for action in ["", "refuse"] {
            _ = try await site.ask {
                try await $0.submit("/app/dues/settlement", [("due", due), ("action", action)])
            }
            #expect(try state(due) == (action.isEmpty ? .settled : .missed))
        }
        (item.name, item.mode) = ("Rent", .posted)
        let posted = RecurringItem.key(try site.store.recurring.add(item, by: .terminal).id, start)
        let own = try await site.ask { try await $0.page(DuePaymentPage.path(posted)) }.words
        #expect(!own.contains("Paid without a transaction?"))
        let refused = try await site.ask { try await $0.submit("/app/dues/settlement", [("due", posted)]) }
        #expect(refused.status == .conflict)
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
