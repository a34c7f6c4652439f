import BrowserFixture
import Testing

extension EndToEnd {
    /// Every kind of page, checked by axe-core: each language, both colours and a phone's width in as few looks as show
    /// them all. Letters of Hindi are wider and higher.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled && Axe.source != nil, "needs axe-core, see CONTRIBUTING.md"))
    struct Accessibility {
        struct Look: Sendable, CustomStringConvertible {
            var language: String
            var isDark: Bool
            var width: Int

            var description: String { "\(language), \(isDark ? "dark" : "light"), \(width)" }
        }

        static let looks = [
            Look(language: "English", isDark: false, width: 1280), Look(language: "English", isDark: true, width: 1280),
            Look(language: "English", isDark: false, width: 390), Look(language: "हिन्दी", isDark: false, width: 1280),
            Look(language: "हिन्दी", isDark: true, width: 360),
        ]

        @Test(.timeLimit(.minutes(15))) func noPageHasAFault() throws {
            let axe = try #require(Axe.source)
            let site = try InTheBrowser.Site()
            let browser = try site.browser()
            for look in Self.looks {
                try browser.prefer(dark: look.isDark)
                try browser.resize(to: look.width)
                if try browser.count("footer button[lang]") > 0,
                    try browser.text("footer").contains(look.language)
                {
                    try browser.click("footer button", saying: look.language)
                }
                for path in InTheBrowser.pages {
                    try browser.open(site.address(path))
                    try browser.waits(until: "a heading of \(path)") { try browser.count("h1") == 1 }
                    #expect(try browser.faults(by: axe) == [], "\(path), \(look)")
                }
            }
        }
    }
}
