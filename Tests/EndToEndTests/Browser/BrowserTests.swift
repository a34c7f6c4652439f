import BrowserFixture
import DovecotFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    /// The page in a real browser, served by the real program from a ledger of delivered messages.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct InTheBrowser {
        /// Size of a page and its resources, uncompressed.
        private static let weight =
            "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource')).reduce((sum, entry) => sum + entry.decodedBodySize, 0)"
        static let passphrase = "lamp river otter"

        /// A ledger with payments and one message in review, and the page.
        final class Site {
            let station: Station
            let driver: WebDriver
            let port: UInt16
            private let daemon: Program

            init() throws {
                station = try Station()
                driver = try WebDriver()
                port = try freePort()
                station.settings = "web: { listen: '127.0.0.1:\(port)', requests_per_minute: 0 }"
                var waiting = Mail.hdfcUPI(
                    "waits", 44_400, to: "LAKE BAKERY", vpa: "lake@ybl", reference: "608800000001",
                    at: India.daysAgo(1, 9, 5), in: Catalogue.cafe)
                waiting.from = "insta@hdfcbank.bank.in"
                waiting.outcome = "review"
                try station.deliver([
                    .iciciCard("one", 12_300, at: "HILL COFFEE", India.daysAgo(1, 10, 1), in: Catalogue.cafe),
                    .iciciCard("two", 45_600, at: "HILL COFFEE", India.daysAgo(2, 10, 2), in: Catalogue.cafe),
                    .iciciCard("three", 7_890_000, at: "ZEBRA LAMPS", India.daysAgo(3, 10, 3), in: Catalogue.cafe),
                    waiting,
                ])
                try station.pass()
                let input = try station.scratch.write(InTheBrowser.passphrase + "\n", to: "passphrase")
                let set = try station.start(["passphrase", "set"], of: "parserctl", input: input)
                guard try set.exit() == 0 else { throw Failed(description: set.errors) }
                daemon = try station.start(["web"])
                try waitUntil("the page\n\(daemon.errors)") {
                    if daemon.hasEnded { throw Failed(description: daemon.errors) }
                    return (try? HTTP.get("http://127.0.0.1:\(port)/health")) != nil
                }
            }

            func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

            func browser(script: Bool = true, width: Int = 1280) throws -> Browser {
                let browser = try Browser(driver, script: script)
                try browser.resize(to: width)
                try browser.open(address("/"))
                try browser.type(InTheBrowser.passphrase, into: "input[name=passphrase]")
                try browser.click("button[type=submit]")
                try browser.waits(for: "Overview", in: "h1")
                return browser
            }
        }

        /// One mail server, program and ledger for all parts. Every part but the last restores the ledger.
        @Test(.timeLimit(.minutes(10))) func pageInTheBrowser() throws {
            let site = try Site()
            let browser = try site.browser()
            try everyPageIsClean(site, browser, widths: [360, 768, 1280])
            try inHindi(site, browser)
            try browser.open(site.address("/"))
            try searchEditAndReview(site, browser)
            try ruleWithCondition(site, browser)
            try manualTransfer(site, browser)
            try ledgerExport(site, browser)
            try correctionOffersTemplateChange(site, browser)
            try wrongPassphrase(site)
            try withoutScript(site)
        }

        /// The language is chosen at the foot of a page and kept. Words of another length fit a phone.
        private func inHindi(_ site: Site, _ browser: Browser) throws {
            try browser.open(site.address("/"))
            try browser.click("footer button", saying: "हिन्दी")
            try browser.waits(for: "सारांश", in: "h1")
            #expect(try browser.count("html[lang=hi]") == 1)
            try everyPageIsClean(site, browser, widths: [360])
            try browser.resize(to: 1280)
            try browser.open(site.address("/"))
            #expect(try navigationLines(browser) == 1)
            try browser.resize(to: 360)
            try browser.open(site.address("/app/transactions"))
            try browser.click("tr[data-row]:nth-child(1) input[name=id]")
            try browser.waits(for: "1 चुने गए", in: "[data-selected]")
            try browser.press("?")
            try browser.waits(for: "बंद करें", in: "dialog[open]")
            try browser.click("dialog button", saying: "बंद करें")
            try browser.click("footer button", saying: "English")
            try browser.waits(for: "Transactions", in: "h1")
            #expect(try browser.count("html[lang=en]") == 1)
        }

        /// The number of lines on which the links of the navigation are.
        private func navigationLines(_ browser: Browser) throws -> Int? {
            try browser.script(
                "return new Set([...document.querySelectorAll('.top li')].map(item => item.offsetTop)).size") as? Int
        }

        private func searchEditAndReview(_ site: Site, _ browser: Browser) throws {
            #expect(try browser.text(".figures").contains("₹79,479.00"))
            // Three days with payments, each a bar that leads to them.
            #expect(try browser.count(".chart .mark.spent") == 3)
            #expect(try browser.count(".bars li") > 0)

            // Search while typing.
            try browser.click("nav a", saying: "Transactions")
            try browser.waits(for: "4 transactions", in: "#results")
            try browser.type("zebra", into: "input[name=q]")
            try browser.waits(for: "1 transaction", in: "#results")
            #expect(try browser.count("tr[data-row]") == 1)

            // Edit and undo.
            try browser.click("td a", saying: "ZEBRA LAMPS")
            try browser.waits(for: "ZEBRA LAMPS", in: "h1")
            #expect(try browser.text("mark.f-merchant").contains("ZEBRA LAMPS"))
            #expect(try browser.text("mark.f-amount").contains("78,900"))
            try browser.type("Zebra Lamps, Pune", into: "input[name=merchant]")
            try browser.click("button", saying: "Save")
            try browser.waits(for: "Saved.", in: ".notice")
            try browser.waits(for: "Zebra Lamps, Pune", in: "#results")
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            try browser.waits(for: "ZEBRA LAMPS", in: "#results")

            // Two transactions: preview, change, undo.
            try browser.open(site.address("/app/transactions?q=hill"))
            for box in 1...2 { try browser.click("tr[data-row]:nth-child(\(box)) input[name=id]") }
            try browser.waits(for: "2 selected", in: "[data-selected]")
            try browser.choose("Groceries", in: ".bulk select[name=category]")
            try browser.click("button", saying: "Preview")
            try browser.waits(for: "2 transactions would change.", in: "main")
            try browser.click("button", saying: "Change 2 transactions")
            try browser.waits(for: "The transactions were changed.", in: ".notice")
            #expect(
                try site.station.ledger.column(
                    "SELECT category_name FROM transactions WHERE parsed_vendor = 'HILL COFFEE'") == [
                        "Groceries", "Groceries",
                    ])
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            #expect(
                try site.station.ledger.column(
                    "SELECT category_name FROM transactions WHERE category_name = 'Groceries'") == [])

            // Review by keyboard.
            try browser.press("g", "r")
            try browser.waits(for: "1 item waits", in: "main")
            try browser.click("a", saying: "LAKE BAKERY")
            try browser.waits(for: "What the mail says", in: "main")
            #expect(try browser.text("mark.f-amount").contains("444.00"))
            try browser.press("a")
            try browser.waits(for: "LAKE BAKERY, ₹444.00: accepted and booked.", in: ".notice")
            try browser.waits(for: "Nothing waits", in: "main")
            // The undo shows the item again.
            try browser.press("u")
            try browser.waits(for: "Undone.", in: ".notice")
            try browser.waits(for: "LAKE BAKERY", in: "h1")

            try browser.press("?")
            try browser.waits(until: "the list of keys") { try browser.count("dialog[open]") == 1 }
            #expect(try browser.complaints() == [])
        }

        /// The rule applies to the larger of two payments. One undo removes the rule and its changes.
        private func ruleWithCondition(_ site: Site, _ browser: Browser) throws {
            let ledger = site.station.ledger
            try browser.open(site.address("/app/categories"))
            try browser.type("hill coffee", into: "input[name=keyword]")
            try browser.choose("Groceries", in: "form[action='/app/mappings/new'] select[name=category]")
            try browser.click("details summary", saying: "Conditions")
            try browser.type("400", into: "input[name=minimum]")
            try browser.click("button", saying: "Preview")
            try browser.waits(for: "1 past transaction would change", in: "main")
            let sentence = try browser.text(".sub")
            #expect(sentence.contains("400.00 or more"), "\(sentence)")
            try browser.click("button", saying: "Add the rule")
            try browser.waits(for: "The rule was added and the past transactions were changed.", in: ".notice")
            #expect(
                try ledger.column("SELECT amount_minor FROM transactions WHERE category_name = 'Groceries'") == [
                    "45600"
                ])
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            #expect(try ledger.column("SELECT amount_minor FROM transactions WHERE category_name = 'Groceries'") == [])
            try browser.open(site.address("/app/categories"))
            try browser.waits(for: "None yet", in: "main")
        }

        private func manualTransfer(_ site: Site, _ browser: Browser) throws {
            let ledger = site.station.ledger
            try browser.open(site.address("/app/transactions"))
            try browser.press("n")
            try browser.waits(for: "New transaction", in: "h1")
            try browser.type("456", into: "input[name=amount]")
            try browser.choose("Income", in: "select[name=type]")
            try browser.type("FROM SAVINGS", into: "input[name=merchant]")
            try browser.click("button", saying: "Add")
            try browser.waits(for: "Added.", in: ".notice")
            try browser.click("td a", saying: "FROM SAVINGS")
            try browser.waits(for: "Part of a transfer?", in: "main")
            try browser.click("summary", saying: "Choose the other side")
            try browser.click("button", saying: "Link as a transfer")
            try browser.waits(for: "Linked as a transfer", in: ".notice")
            #expect(
                try ledger.column("SELECT transaction_type FROM transactions WHERE amount_minor = 45600") == [
                    "transfer", "transfer",
                ])
            try browser.open(site.address("/app/transfers"))
            try browser.click("button", saying: "Unlink")
            try browser.waits(for: "The transfer was unlinked.", in: ".notice")
            #expect(
                try ledger.column("SELECT transaction_type FROM transactions WHERE amount_minor = 45600 ORDER BY id")
                    == ["expense", "income"])
            try browser.open(site.address("/app/transactions?q=from+savings"))
            try browser.click("td a", saying: "FROM SAVINGS")
            try browser.click("button", saying: "Delete")
            try browser.waits(for: "Deleted.", in: ".notice")
        }

        private func ledgerExport(_ site: Site, _ browser: Browser) throws {
            // Still the width of a phone.
            try browser.click(".top nav .more")
            try browser.click(".top nav [popover] a", saying: "Export")
            try browser.click("button", saying: "Download")
            let file =
                try browser.script(
                    "return fetch(document.querySelector('main a.button').href).then(answer => answer.text())")
                as? String
            #expect(
                file?.contains("ZEBRA LAMPS") == true && file?.contains("LAKE BAKERY") == false, "\(file ?? "nothing")")
        }

        /// The user corrects the merchant; then everything is reverted.
        private func correctionOffersTemplateChange(_ site: Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/transactions?q=zebra"))
            try browser.click("td a", saying: "ZEBRA LAMPS")
            try browser.type("ZEBRA", into: "input[name=merchant]")
            try browser.click("button", saying: "Save")
            try browser.waits(for: "read merchant differently", in: ".fix")
            try browser.click(".offer a", saying: "Fix the template")
            try browser.waits(for: "Fix the template", in: "h1")
            #expect(try browser.value("input[name=merchant]") == "ZEBRA")
            #expect(try browser.complaints() == [])
            try browser.open(site.address("/app/transactions?q=zebra"))
            try browser.click("td a", saying: "ZEBRA")
            try browser.click("main button", saying: "Undo")
            try browser.waits(for: "Undone.", in: ".notice")
        }

        private func wrongPassphrase(_ site: Site) throws {
            let browser = try Browser(site.driver)
            try browser.open(site.address("/app/review"))
            try browser.type("something else", into: "input[name=passphrase]")
            try browser.click("button[type=submit]")
            try browser.waits(for: "Wrong passphrase.", in: "main")
            try browser.type(Self.passphrase, into: "input[name=passphrase]")
            try browser.click("button[type=submit]")
            try browser.waits(for: "Review", in: "h1")
        }

        private func withoutScript(_ site: Site) throws {
            let browser = try site.browser(script: false, width: 390)
            #expect(try browser.count("html.scripted") == 0)
            try browser.open(site.address("/app/transactions"))
            try browser.type("zebra", into: "input[name=q]")
            try browser.click("button", saying: "Search")
            try browser.waits(for: "1 transaction", in: "#results")
            try browser.click("td a", saying: "ZEBRA LAMPS")
            try browser.waits(for: "ZEBRA LAMPS", in: "h1")
            try browser.click("button", saying: "Delete")
            try browser.waits(for: "Deleted.", in: ".notice")
            try browser.waits(for: "Nothing matches", in: "main")
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            try browser.open(site.address("/app/review"))
            try browser.click("a", saying: "LAKE BAKERY")
            try browser.type("555.00", into: "input[name=amount]")
            try browser.click("button", saying: "Accept")
            try browser.waits(for: "Nothing waits", in: "main")
            #expect(
                try site.station.ledger.column(
                    "SELECT amount_minor || status FROM transactions WHERE parsed_vendor = 'LAKE BAKERY'") == [
                        "55500confirmed"
                    ])
            try browser.click("footer button", saying: "Log out")
            try browser.waits(until: "the login") { try browser.count("input[name=passphrase]") == 1 }
        }

        /// A page of each kind.
        static let pages = [
            "/app/transactions/bulk?list=type%3Dexpense", "/app/history",
            "/", "/?period=year", "/?period=this-month&compare=year", "/?period=2026-13",
            "/app/statistics", "/app/statistics?part=days", "/app/statistics?part=groups",
            "/app/statistics?part=worth", "/app/statistics?category=Uncategorized&period=this-fy",
            "/app/transactions?period=this-year", "/app/budgets?period=last-month",
            "/app/transactions?type=foo&q=tag:nope", "/app/transactions/bulk?id=1&id=2", "/app/tags",
            "/app/transactions", "/app/transactions/1", "/app/transactions/new",
            "/app/transactions/bulk?id=1&id=2&category=2", "/app/transfers", "/app/questions", "/app/review",
            "/app/review/1",
            "/app/review/1/template", "/app/mappings/new",
            "/app/mappings/new?keyword=hill&kind=keyword&category=2", "/app/banks", "/app/banks/hdfc",
            "/app/banks/test",
            "/app/accounts", "/app/accounts/1", "/app/accounts/1/statements", "/app/budgets", "/app/dues",
            "/app/payees", "/app/payees/1",
            "/app/mails", "/app/mails?outcome=quarantined", "/app/categories",
            "/app/categories?change=1", "/app/mailboxes", "/app/export",
            "/app/settings", "/app/settings/templates", "/app/settings/passkeys", "/app/settings/passphrase",
            "/app/settings/tokens", "/app/settings/pair", "/app/settings/sms", "/app/settings/users",
            "/app/settings/notifications/new",
            "/app/settings/mailboxes/new", "/app/settings/mailboxes/new?address=asha@gmail.com",
            "/app/settings/mailboxes/new?address=asha@own.example&login=other", "/app/help",
        ]

        /// No page has a script error, violates the content security policy, is wider than the window, or exceeds 100
        /// kB.
        private func everyPageIsClean(_ site: Site, _ browser: Browser, widths: [Int]) throws {
            for width in widths {
                try browser.resize(to: width)
                for path in Self.pages {
                    try browser.open(site.address(path))
                    try browser.waits(until: "a heading of \(path)") { try browser.count("h1") == 1 }
                    #expect(try browser.complaints() == [], "\(path)")
                    let isWide =
                        try browser.script("return document.documentElement.scrollWidth > window.innerWidth") as? Bool
                    #expect(isWide == false, "\(path) is wider than \(width)")
                    let weight = try browser.script(Self.weight) as? Int
                    #expect((1..<100_000).contains(weight ?? 0), "\(path) weighs \(weight ?? 0) bytes")
                }
            }
        }
    }
}
