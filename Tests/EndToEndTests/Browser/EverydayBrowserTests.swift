import BrowserFixture
import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// What people do every day, in a real browser at the real program: review, corrections, search, and what the page
    /// answers when something is in the way.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct EverydayInTheBrowser {
        private static let (escape, enter) = ("\u{E00C}", "\u{E007}")
        private static let shop = "LOTUS BOOKS"

        /// One booked payment to a shop and four to it that wait, another booked payment, and another that waits.
        private func site() throws -> WebSite {
            try WebSite(", requests_per_minute: 30") { station in
                func payment(_ number: Int, to name: String, waits: Bool) -> Mail {
                    var mail = Mail.hdfcUPI(
                        "\(name) \(number)", 10_000 + number * 100, to: name,
                        // An offer is about the address, if there is one.
                        vpa: name == Self.shop ? "lotus@ybl" : "shop\(number)@ybl",
                        reference: "60880000000\(number)", at: India.daysAgo(number, 9, 5), in: Catalogue.none)
                    guard waits else { return mail }
                    mail.from = "insta@hdfcbank.bank.in"
                    mail.outcome = "review"
                    return mail
                }
                try station.deliver(
                    [payment(6, to: Self.shop, waits: false), payment(7, to: "ZEBRA LAMPS", waits: false)]
                        + (1...4).map { payment($0, to: Self.shop, waits: true) }
                        + [payment(5, to: "LAKE BAKERY", waits: true)])
                try station.pass()
                return ""
            }
        }

        private func address(_ site: WebSite, _ path: String) -> String { "http://localhost:\(site.port)\(path)" }

        @Test(.timeLimit(.minutes(5))) func everydayWork() throws {
            let site = try site()
            try site.setPassphrase()
            let driver = try WebDriver()
            let browser = try Browser(driver)
            try browser.resize(to: 1280)
            try browser.open(address(site, "/app/review"))
            try logIn(browser)
            try browser.waits(for: "5 items wait", in: "main")
            try alwaysThisCategory(site, browser)
            try acceptAllAlike(site, browser)
            try conflictKeepsTypedText(site, browser)
            try longNote(site, browser)
            try searchKeys(site, browser)
            try categoriesAreAskedFor(site, browser)
            #expect(try browser.complaints() == [])
            try expiredSession(site, browser)
            try errorsArePages(site, browser)
        }

        private func logIn(_ browser: Browser) throws {
            try browser.type(WebSite.passphrase, into: "input[name=passphrase]")
            try browser.click("button[type=submit]")
        }

        private func waitsForFocus(_ selector: String, _ browser: Browser) throws {
            try browser.waits(until: "the focus on \(selector)") {
                try browser.script("return document.activeElement.matches('\(selector)')") as? Bool == true
            }
        }

        /// The counts of the offer are those of the ledger; the rule is made by keys, without leaving the queue.
        private func alwaysThisCategory(_ site: WebSite, _ browser: Browser) throws {
            try browser.click("a", saying: Self.shop)
            try browser.waits(for: Self.shop, in: "h1")
            try browser.choose("Groceries", in: "select[name=category]")
            try browser.click("button", saying: "Accept")
            try browser.waits(for: "accepted and booked.", in: ".notice")
            try waitsForFocus("h1", browser)
            let counts = try site.station.ledger.rows(
                """
                SELECT sum(status = 'confirmed'), sum(status = 'needs_review') FROM transactions
                WHERE parsed_vendor = '\(Self.shop)' AND category_name <> 'Groceries'
                """)
            #expect(counts == [["1", "3"]])
            try browser.waits(
                for: "one transaction booked so far changes, 3 transactions waiting for review change", in: ".offer")
            try browser.press("l")
            try browser.waits(for: "1 past transaction and 3 items waiting for review would change.", in: "main")
            #expect(try browser.count(".offer") == 0)
            try browser.press("a")
            try browser.waits(for: "The rule was added", in: ".notice")
            #expect(try browser.address.contains("/app/review/"))
            try browser.press("u")
            try browser.waits(for: "Undone.", in: ".notice")
        }

        private func acceptAllAlike(_ site: WebSite, _ browser: Browser) throws {
            try browser.open(address(site, "/app/review"))
            try browser.click("a", saying: Self.shop)
            try browser.waits(for: "3 alike wait", in: "main")
            try browser.press("A")
            try browser.waits(for: "\(Self.shop): 3 alike items were accepted and booked.", in: ".notice")
            try waitsForFocus("h1", browser)
            let booked =
                "SELECT count(*) FROM transactions WHERE parsed_vendor = '\(Self.shop)' AND status = 'confirmed'"
            #expect(try site.station.ledger.count(booked) == 5)
            try browser.press("u")
            try browser.waits(for: "Undone.", in: ".notice")
            #expect(try site.station.ledger.count(booked) == 2)
        }

        /// Another surface changes the transaction while a person edits it.
        private func conflictKeepsTypedText(_ site: WebSite, _ browser: Browser) throws {
            try browser.open(address(site, "/app/transactions?q=zebra"))
            try browser.click("td a", saying: "ZEBRA LAMPS")
            try browser.type("for the hall", into: "textarea[name=notes]")
            try site.sql(
                "UPDATE transactions SET reference = 'R99', revision = revision + 1 WHERE parsed_vendor = 'ZEBRA LAMPS'"
            )
            try browser.click("button", saying: "Save")
            try browser.waits(for: "R99", in: ".problems")
            #expect(try browser.value("textarea[name=notes]") == "for the hall")
            // The console names the status of the answer.
            #expect(try browser.complaints().allSatisfy { $0.contains("409") })
        }

        private func longNote(_ site: WebSite, _ browser: Browser) throws {
            try site.sql(
                "UPDATE transactions SET notes = '\(String(repeating: "x", count: 200))' WHERE parsed_vendor = 'ZEBRA LAMPS'"
            )
            for width in [1280, 768, 390] {
                try browser.resize(to: width)
                for path in ["/app/transactions?q=zebra", "/"] {
                    try browser.open(address(site, path))
                    try browser.waits(until: "an amount on \(path)") { try browser.count(".num") > 0 }
                    let fits = try browser.script(
                        """
                        return document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('main .num')]
                          .every(item => item.getBoundingClientRect().right <= innerWidth);
                        """)
                    #expect(fits as? Bool == true, "\(path) at \(width)")
                }
            }
            try browser.resize(to: 1280)
        }

        /// Escape keeps the text and leaves the field; Enter leaves it for the list.
        private func searchKeys(_ site: WebSite, _ browser: Browser) throws {
            try browser.open(address(site, "/app/transactions"))
            try browser.press("/")
            try waitsForFocus("input[name=q]", browser)
            try browser.type("zebra", into: "input[name=q]")
            try browser.press(Self.escape)
            try waitsForFocus("body", browser)
            #expect(try browser.value("input[name=q]") == "zebra")
            try browser.press("/")
            try waitsForFocus("input[name=q]", browser)
            try browser.press(Self.enter)
            try waitsForFocus("body", browser)
            try browser.waits(for: "1 transaction", in: "#results")
            try browser.press("j")
            try waitsForFocus("tr.current a", browser)
        }

        private func categoriesAreAskedFor(_ site: WebSite, _ browser: Browser) throws {
            try browser.open(address(site, "/app/categories"))
            try browser.type("Garden", into: "section[aria-labelledby=new] input[name=name]")
            try browser.click("section[aria-labelledby=new] button")
            try browser.waits(for: "The category was added.", in: ".notice")
            let id = try site.station.ledger.count("SELECT id FROM categories WHERE name = 'Garden'")
            func open() throws { try browser.open(address(site, "/app/categories?change=\(id)")) }
            try open()
            try browser.type("Seeds", into: "form[action='/app/categories/\(id)/subcategories'] input[name=name]")
            try browser.click("form[action='/app/categories/\(id)/subcategories'] button")
            try browser.waits(for: "Seeds", in: "main")
            try open()
            try browser.click("form[action$='/\(id)/subcategories/delete'] button")
            try browser.waits(for: "Delete the subcategory Seeds of Garden?", in: "h1")
            try browser.click("main button", saying: "Delete")
            try browser.waits(for: "The subcategory was deleted", in: ".notice")
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            try open()
            try browser.waits(for: "Nothing uses it. Can be undone.", in: "form[action='/app/categories/\(id)/delete']")
            try browser.click("form[action='/app/categories/\(id)/delete'] button")
            try browser.waits(for: "The category was deleted", in: ".notice")
            try browser.click(".notice button")
            try browser.waits(for: "Undone.", in: ".notice")
            #expect(
                try site.station.ledger.column(
                    "SELECT c.name || s.name FROM categories c JOIN subcategories s ON s.category_id = c.id WHERE c.id = \(id)"
                ) == ["GardenSeeds"])
        }

        /// The form arrives after the login that replaces the expired one.
        private func expiredSession(_ site: WebSite, _ browser: Browser) throws {
            try browser.open(address(site, "/app/transactions/new"))
            try browser.type("321", into: "input[name=amount]")
            try browser.type("AFTER EXPIRY", into: "input[name=merchant]")
            try site.sql("DELETE FROM login_sessions")
            try browser.click("button", saying: "Add")
            try browser.waits(until: "the login") { try browser.count("input[name=passphrase]") == 1 }
            try logIn(browser)
            try browser.waits(for: "Added.", in: ".notice")
            #expect(
                try site.station.ledger.column(
                    "SELECT amount_minor FROM transactions WHERE parsed_vendor = 'AFTER EXPIRY'") == ["32100"])
        }

        /// A browser gets pages, not JSON.
        private func errorsArePages(_ site: WebSite, _ browser: Browser) throws {
            for path in ["/app/nothing", "/app/transactions/4711"] {
                try browser.open(address(site, path))
                try browser.waits(for: "Not found", in: "h1")
            }
        }

        /// One request a minute: a slow machine too asks for the second page before the limit leaves room for it.
        @Test(.timeLimit(.minutes(5))) func limitIsPage() throws {
            let site = try WebSite(", requests_per_minute: 1")
            try site.setPassphrase()
            let driver = try WebDriver()
            let browser = try Browser(driver)
            try browser.waits(until: "the limit") {
                try browser.open(address(site, "/login"))
                return try browser.text("h1").contains("Too many requests")
            }
        }
    }
}
