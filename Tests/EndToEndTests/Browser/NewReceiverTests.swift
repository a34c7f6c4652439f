import BrowserFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// A receiver of notifications that a person adds in a browser: the web role asks, the ingest role sends.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct NewReceiver {
        private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        private static let path = "hook-with-t0ken"

        @Test(.timeLimit(.minutes(10))) func addedTestedChangedAndRemoved() throws {
            let site = try NewMailbox.Site(", authentication: none")
            let browser = try Browser(try WebDriver())
            try browser.resize(to: 1280)
            try browser.open(site.address("/app/settings"))
            try browser.click("a[href='/app/settings/notifications/new']")
            try browser.waits(for: "Add a receiver of notifications", in: "h1")
            #expect(try browser.complaints() == [])
            try browser.click("a", saying: "Webhook")
            try browser.waits(for: "Standard Webhooks", in: "main")
            try browser.type("home", into: "input[name=name]")
            // Nothing listens there, which the test message finds out.
            let address = "https://localhost:\(try freePort())/\(Self.path)"
            try browser.type(address, into: "input[name=url]")
            try browser.type("short", into: "input[name=secret]")
            try browser.click("button", saying: "Add")
            try browser.waits(for: "24 to 64 bytes in Base64", in: "#secret-problem")
            #expect(try browser.value("input[name=url]") == address)
            // The browser reports the status of the refusal, and nothing else.
            #expect(try browser.complaints().allSatisfy { $0.contains("422") })
            for width in [390, 1280] {
                try browser.resize(to: width)
                let isWide =
                    try browser.script("return document.documentElement.scrollWidth > window.innerWidth") as? Bool
                #expect(isWide == false, "\(width)")
            }
            try browser.type(Self.secret, into: "input[name=secret]")
            try browser.click("button", saying: "Add")
            try browser.waits(for: "The receiver is being taken into use.", in: ".notice")
            try site.ingest.logs("receiver of the page in use")
            let state = try site.state()
            func secrets() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: state + "/sinks") }
            let secret = try #require(try secrets().first)
            #expect(try String(contentsOfFile: state + "/sinks/" + secret, encoding: .utf8) == Self.secret + "\n")

            try waitUntil("the receiver") {
                try site.station.ledger.column("SELECT name FROM notification_sinks") == ["home"]
            }
            try browser.open(site.address("/app/settings"))
            try browser.click("button[aria-label='Send a test to home']")
            try browser.waits(for: "A test message is requested", in: ".notice")
            try waitUntil("the result of the test") {
                try site.station.ledger.column("SELECT trial_at IS NOT NULL FROM notification_sinks") == ["1"]
            }
            try browser.open(site.address("/app/settings"))
            try browser.waits(for: "not accepted: ", in: "section[aria-labelledby=sinks]")

            try browser.click("a[aria-label='Change home']")
            try browser.waits(for: "It is sent to localhost", in: "main")
            try browser.click("input[value=transaction]")
            try browser.click("button", saying: "Save")
            try waitUntil("the change") {
                try site.station.ledger.column("SELECT events FROM added_sinks WHERE asked_at IS NULL")
                    .allSatisfy { !$0.contains("transaction") }
            }
            #expect(try String(contentsOfFile: state + "/notifications.yaml", encoding: .utf8).contains(address))

            try browser.open(site.address("/app/settings"))
            try browser.click("a[aria-label='Remove home']")
            try browser.waits(for: "nothing is sent there any more", in: "main")
            try browser.click("button", saying: "Remove")
            try site.ingest.logs("receiver removed on the page")
            try waitUntil("its end") { try site.station.ledger.column("SELECT name FROM notification_sinks") == [] }
            #expect(try secrets().isEmpty)
            try site.expectDiscreet([Self.secret, Self.path])
        }
    }
}
