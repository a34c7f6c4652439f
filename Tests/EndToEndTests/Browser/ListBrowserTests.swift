import BrowserFixture
import Testing

extension EndToEnd {
    /// The search and the periods of the list in a real browser.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct ListInTheBrowser {
        @Test(.timeLimit(.minutes(5))) func completionPeriodsAndBulkChanges() throws {
            let site = try InTheBrowser.Site()
            let browser = try site.browser()
            try completion(site, browser)
            try periods(site, browser)
            try typedDaysReplaceThePeriod(site, browser)
            try severalAreTagged(site, browser)
            #expect(try browser.complaints() == [])
        }

        private static let choices =
            "return [...document.querySelectorAll('#search-choices option')].map(option => [option.value, option.label])"

        /// Names with blanks are in quotes, which nobody types first.
        private func completion(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/transactions"))
            for (typed, choice) in [
                ("category:fo", "category:\"Food & Dining\""), ("category:dining", "category:\"Food & Dining\""),
                ("Category:\"food & d", "category:\"Food & Dining\""),
                ("coffee category:fo", "coffee category:\"Food & Dining\""), ("is:inc", "is:income"),
            ] {
                try browser.type(typed, into: "input[name=q]")
                try browser.waits(until: "the completion of \(typed)") {
                    let pairs = try browser.script(Self.choices) as? [[String]] ?? []
                    // The browser shows a choice whose value or label has the typed text.
                    return pairs.contains { pair in
                        pair.first == choice && pair.contains { $0.lowercased().contains(typed.lowercased()) }
                    }
                }
            }
            try browser.type("nobody-has-this", into: "input[name=q]")
            try browser.waits(until: "no completion") {
                (try browser.script(Self.choices) as? [[String]])?.isEmpty == true
            }
        }

        private func periods(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/statistics?period=2026-10&compare=year"))
            for page in ["Review", "Mails", "Accounts", "Payees", "Dues", "Export", "Transactions", "Statistics"] {
                try browser.click("nav a", saying: page)
                try browser.waits(for: page, in: "h1")
                #expect(try browser.address.hasSuffix("?period=2026-10&compare=year"), "\(page)")
            }
            #expect(try browser.text(".period strong") == "Oct 2026")
            #expect(try browser.text("[role=group] [aria-current]") == "a year ago")
        }

        private func typedDaysReplaceThePeriod(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/transactions?period=2020"))
            try browser.waits(for: "Nothing matches", in: "#results")
            _ = try browser.script(
                """
                const field = document.querySelector('input[name=since]');
                field.value = '2020-01-01';
                field.dispatchEvent(new Event('change', { bubbles: true }));
                """)
            try browser.waits(for: "4 transactions", in: "#results")
            #expect(try browser.count("#results .problems") == 0)
        }

        /// Rows that are selected one by one, and one undo.
        private func severalAreTagged(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/transactions?q=hill"))
            for box in 1...2 { try browser.click("tr[data-row]:nth-child(\(box)) input[name=id]") }
            try browser.waits(for: "2 selected, -₹579.00", in: "[data-selected]")
            try browser.click("button", saying: "Another change")
            try browser.waits(for: "Change 2 transactions", in: "h1")
            try browser.type("goa", into: "input[name=tag]")
            try browser.click("form:has(input[name=tag]) button")
            try browser.waits(for: "2 transactions would change.", in: "main")
            try browser.click("button", saying: "Change 2 transactions")
            try browser.waits(for: "The transactions were changed.", in: ".notice")
            try browser.open(site.address("/app/tags"))
            try browser.click("main li a", saying: "goa")
            try browser.waits(for: "goa", in: "h1")
            try browser.click("button", saying: "Remove it from 2 transactions")
            try browser.waits(for: "The tag was removed", in: ".notice")
            try browser.click(".notice button")
            try browser.waits(for: "goa", in: "main ul")
        }
    }
}
