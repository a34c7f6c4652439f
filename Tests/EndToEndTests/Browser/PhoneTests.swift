import BrowserFixture
import LoopbackFixture
import Testing

extension EndToEnd {
    /// The page as wide as a phone, and under a finger.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct OnAPhone {
        @Test(.timeLimit(.minutes(5))) func barChartsAndReview() throws {
            let site = try InTheBrowser.Site()
            let browser = try site.browser(width: 390)
            try barAtTheBottom(site, browser)
            try nothingIsCovered(site, browser)
            try aTapShowsTheValue(site, browser)
            try arrowKeysShowTheValues(site, browser)
            #expect(try browser.complaints() == [])
            try theBarWithoutScript(site)
        }

        private func isTrue(_ browser: Browser, _ condition: String) throws -> Bool {
            try browser.script("return Boolean(\(condition))") as? Bool ?? false
        }

        private let bar = """
            (() => {
              const nav = document.querySelector('.top nav');
              const bar = nav.getBoundingClientRect();
              const parts = [...nav.querySelectorAll('ul:not([popover]) a, .more')];
              return getComputedStyle(nav).position === 'fixed' && bar.bottom === innerHeight && parts.length === 5
                && parts.every(part => {
                  const box = part.getBoundingClientRect();
                  const title = part.querySelector('span');
                  return box.height >= 44 && box.width >= 44 && box.right <= innerWidth
                    && title.scrollWidth <= title.clientWidth + 1;
                });
            })()
            """

        private func barAtTheBottom(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            #expect(try isTrue(browser, bar))
            #expect(try browser.text(".top nav [aria-current]").contains("Overview"))
            #expect(try browser.text(".top nav .badge").contains("1"))
            try browser.click(".top nav .more")
            try browser.click(".top nav [popover] a", saying: "Accounts")
            try browser.waits(for: "Accounts", in: "h1")
            try browser.click(".top nav a", saying: "Review")
            try browser.waits(for: "Review", in: "h1")
            try browser.click("footer button", saying: "हिन्दी")
            try browser.waits(until: "Hindi") { try browser.count("html[lang=hi]") == 1 }
            #expect(try isTrue(browser, bar))
            try browser.click("footer button", saying: "English")
            try browser.waits(until: "English") { try browser.count("html[lang=en]") == 1 }
        }

        /// The buttons of the review are above the bar, and so is the end of a page.
        private func nothingIsCovered(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/app/review"))
            try browser.click("main a", saying: "LAKE BAKERY")
            try browser.waits(for: "What the mail says", in: "main")
            let isAbove = """
                (() => {
                  const box = document.querySelector('.sticky button').getBoundingClientRect();
                  const bar = document.querySelector('.top nav').getBoundingClientRect();
                  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                  return box.bottom <= bar.top && hit.closest('.sticky') !== null;
                })()
                """
            #expect(try isTrue(browser, isAbove))
            let field = """
                (() => {
                  const fields = [...document.querySelectorAll('main input:not([type=hidden]), main select')];
                  const sticky = document.querySelector('.sticky').getBoundingClientRect();
                  return fields.every(field => {
                    window.scrollTo(0, 0);
                    field.focus();
                    return field.getBoundingClientRect().bottom <= sticky.top || field.closest('details:not([open])');
                  });
                })()
                """
            #expect(try isTrue(browser, field))
            let end = """
                (() => {
                  window.scrollTo(0, document.body.scrollHeight);
                  const last = document.querySelector('footer form:last-child').getBoundingClientRect();
                  return last.bottom <= document.querySelector('.top nav').getBoundingClientRect().top;
                })()
                """
            try browser.open(site.address("/app/transactions"))
            #expect(try isTrue(browser, end))
        }

        private func aTapShowsTheValue(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/"))
            try browser.tap(".chart .mark.spent")
            try browser.waits(for: "₹", in: ".chart [data-value]")
            #expect(try browser.text("h1") == "Overview")
            #expect(try browser.count(".chart a.chosen") == 1)
            #expect(try browser.count(".chart [data-value] a[href]") == 1)
            try browser.tap(".chart .mark.spent")
            try browser.waits(for: "Transactions", in: "h1")
            try browser.open(site.address("/"))
            try browser.tap(".chart .mark.spent")
            try browser.click(".chart [data-value] a", saying: "Show the rows")
            try browser.waits(for: "Transactions", in: "h1")
        }

        private func arrowKeysShowTheValues(_ site: InTheBrowser.Site, _ browser: Browser) throws {
            try browser.open(site.address("/"))
            _ = try browser.script("document.querySelector('.chart').focus({ focusVisible: true })")
            try browser.press("\u{E012}")
            try browser.waits(for: "₹", in: ".chart [data-value]")
            let first = try browser.text(".chart [data-value]")
            try browser.press("\u{E012}")
            #expect(try browser.text(".chart [data-value]") != first)
            try browser.press("\u{E007}")
            try browser.waits(for: "Transactions", in: "h1")
        }

        private func theBarWithoutScript(_ site: InTheBrowser.Site) throws {
            let browser = try site.browser(script: false, width: 390)
            try browser.click(".top nav .more")
            try browser.click(".top nav [popover] a", saying: "Export")
            try browser.waits(for: "Export", in: "h1")
            try browser.open(site.address("/"))
            #expect(try browser.text(".chart [data-value]") == "")
            try browser.click(".chart .mark.spent")
            try browser.waits(for: "Transactions", in: "h1")
        }
    }
}
