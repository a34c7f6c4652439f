import BrowserFixture
import LoopbackFixture
import Testing

extension EndToEnd {
    /// An open page while another program books mails.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct LiveUpdates {
        @Test(.timeLimit(.minutes(5))) func whatArrivesIsShownOrOffered() throws {
            let site = try InTheBrowser.Site()
            let browser = try site.browser()
            let overview = try site.browser()
            #expect(try overview.text(".figures").contains("₹79,479.00"))
            try browser.open(site.address("/app/transactions"))
            try browser.type("hill", into: "input[name=q]")
            try browser.waits(for: "2 transactions", in: "#results")
            try site.station.deliver([
                .iciciCard("four", 100_000, at: "HILL COFFEE", India.daysAgo(1, 12, 4), in: Catalogue.cafe)
            ])
            try site.station.pass()
            // Nobody does anything there.
            try overview.waits(for: "₹80,479.00", in: ".figures")
            #expect(try overview.text("[data-live]").isEmpty)
            // Somebody types here.
            try browser.waits(for: "There is something new.", in: "[data-live]")
            #expect(try browser.value("input[name=q]") == "hill")
            #expect(try browser.text("#results").contains("2 transactions"))
            try browser.click("[data-live] button", saying: "Show")
            try browser.waits(for: "3 transactions", in: "#results")
            #expect(try browser.complaints() == [] && overview.complaints() == [])
        }
    }
}
