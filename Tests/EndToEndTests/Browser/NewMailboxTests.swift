import BrowserFixture
import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// A mailbox that a person adds in a browser: the web role asks, the ingest role tests it and reads it.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct NewMailbox {
        /// A mail server, and both roles in processes of their own, without a configured mailbox.
        final class Site {
            let station: Station
            let port: UInt16
            private(set) var ingest: Program
            let web: Program

            init(_ web: String = "", options: DovecotFixture.Options = .init()) throws {
                station = try Station(options: options)
                station.mailboxes = []
                port = try freePort()
                station.settings = "web: { listen: '127.0.0.1:\(port)', requests_per_minute: 0\(web) }"
                ingest = try station.start(["ingest"])
                try ingest.logs("no mailboxes are configured")
                self.web = try station.start(["web"])
                try self.web.logs("info serving")
            }

            func restartIngest() throws { ingest = try station.start(["ingest"]) }

            /// The link that sets the first passphrase.
            func link() throws -> String {
                try waitUntil("the link\n\(web.errors)") { web.errors.contains("open within an hour: http") }
                return String(try #require(web.errors.firstMatch(of: #/open within an hour: (\S+)/#)).1)
            }

            func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

            /// The folder that belongs to the ingest role alone.
            func state() throws -> String {
                let folder = station.scratch.path + "/state/spendwise"
                return folder + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first))
            }

            func expectDiscreet(_ secrets: [String], _ location: SourceLocation = #_sourceLocation) throws {
                for suffix in ["", "-wal"] {
                    let file = URL(filePath: station.database + suffix)
                    guard let bytes = try? Data(contentsOf: file) else { continue }
                    for secret in secrets {
                        #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(suffix)", sourceLocation: location)
                    }
                }
                for log in [ingest.errors, ingest.output, web.errors, web.output] {
                    for secret in secrets { #expect(!log.contains(secret), sourceLocation: location) }
                }
            }
        }

        private static let wrong = "not-the-password-7"

        /// Types what the address does not give, and sends the form.
        private func fill(_ browser: Browser, _ site: Site, password: String) throws {
            try browser.type(password, into: "input[name=password]")
            try browser.type(WebSite.passphrase, into: "input[name=passphrase]")
            try browser.click("button", saying: "Test the login")
        }

        private func describe(_ browser: Browser, _ site: Site) throws {
            let authority = try String(contentsOfFile: site.station.server.caFile, encoding: .utf8)
            try browser.type("user", into: "input[name=user]")
            try browser.type("localhost", into: "input[name=host]")
            try browser.type("\(site.station.server.port)", into: "input[name=port]")
            if try browser.count("details[open]") == 0 { try browser.click("main summary") }
            try browser.type(authority, into: "textarea[name=authority]")
        }

        private func clean(_ browser: Browser) throws {
            #expect(try browser.complaints() == [])
            for width in [360, 1280] {
                try browser.resize(to: width)
                let isWide =
                    try browser.script("return document.documentElement.scrollWidth > window.innerWidth") as? Bool
                let address = try browser.address
                #expect(isWide == false, "\(address) is wider than \(width)")
            }
        }

        @Test(.timeLimit(.minutes(10))) func fromTheFirstVisitToABookedMail() throws {
            let site = try Site()
            let (station, driver) = (site.station, try WebDriver())
            try station.deliver([
                .iciciCard("one", 12_300, at: "HILL COFFEE", India.daysAgo(1, 10, 1), in: Catalogue.cafe),
                .iciciCard("two", 45_600, at: "HILL COFFEE", India.daysAgo(2, 10, 2), in: Catalogue.cafe),
            ])
            let browser = try Browser(driver)
            try browser.resize(to: 1280)
            try browser.open(try site.link())
            for field in ["new", "again"] { try browser.type(WebSite.passphrase, into: "input[name=\(field)]") }
            try browser.click("button[type=submit]")
            try browser.waits(for: "Add a mailbox", in: "h1")
            try clean(browser)

            try browser.type("user@localhost.example", into: "input[name=address]")
            try browser.click("button", saying: "Continue")
            try browser.waits(for: "user@localhost.example", in: "h2")
            try clean(browser)
            try describe(browser, site)
            try fill(browser, site, password: Self.wrong)
            try browser.waits(for: "The server refused the user or the password.", in: "main")
            try clean(browser)
            // What was typed is there again, but for the secrets.
            #expect(try browser.value("input[name=host]") == "localhost")
            #expect(try browser.value("input[name=port]") == "\(station.server.port)")
            #expect(try browser.value("textarea[name=authority]").contains("BEGIN CERTIFICATE"))
            #expect(try browser.value("input[name=password]").isEmpty)
            #expect(try browser.value("input[name=passphrase]").isEmpty)

            try fill(browser, site, password: Station.password)
            try browser.waits(for: "The login works", in: "main")
            try clean(browser)
            let found = try browser.text("main")
            #expect(found.contains("ICICI: 2 mails"), "\(found)")
            #expect(found.contains("mx.google.com, which confirm 2 of 2 mails"), "\(found)")
            try browser.click("button", saying: "Read this mailbox")
            try browser.waits(for: "The mailbox is being read.", in: "main")
            try clean(browser)
            try waitUntil("the first mails\n\(site.ingest.errors)") { try station.ledger.booked().count == 2 }

            // Mail that arrives later, without a restart.
            try station.deliver([Watching.coffee("later", minutes: 1)])
            try waitUntil("the later mail\n\(site.ingest.errors)") { try station.ledger.booked().count == 3 }
            try browser.open(site.address("/app/mailboxes"))
            try browser.waits(for: "trusts the results of mx.google.com", in: "main")

            let state = try site.state()
            let password = state + "/mailboxes/personal"
            #expect(try String(contentsOfFile: password, encoding: .utf8) == Station.password + "\n")
            for path in [password, state + "/mailboxes.yaml", state + "/mailbox-key"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
            }
            try site.expectDiscreet([Station.password, Self.wrong])
            try remove(browser, site, password)
        }

        /// The page asks first. The files go, the books stay, also after a restart.
        private func remove(_ browser: Browser, _ site: Site, _ password: String) throws {
            try browser.click("a[aria-label='Remove personal']")
            try browser.waits(for: "Remove a mailbox", in: "h1")
            try clean(browser)
            try browser.click("button", saying: "Remove the mailbox")
            try browser.waits(for: "The mailbox is being removed.", in: ".notice")
            try waitUntil("the removal\n\(site.ingest.errors)") {
                site.ingest.errors.contains("mailbox removed on the page")
            }
            #expect(!FileManager.default.fileExists(atPath: password))
            try site.station.deliver([Watching.coffee("unread", minutes: 0)])
            try browser.open(site.address("/app/mailboxes"))
            try browser.waits(for: "No mailbox is configured", in: "main")
            site.ingest.signal(SIGTERM)
            #expect(try site.ingest.exit(within: 20) == 0, "\(site.ingest.errors)")
            try site.restartIngest()
            try site.ingest.logs("no mailboxes are configured")
            #expect(try site.station.ledger.booked().count == 3)
        }

        /// kill -9 after the acceptance, before the files are written: the next start takes the mailbox into use.
        @Test(.timeLimit(.minutes(10))) func aCrashAfterTheAcceptanceLosesNothing() throws {
            let site = try Site(", authentication: none")
            try site.station.deliver([Watching.coffee("one", minutes: 3)])
            let browser = try Browser(try WebDriver(), script: false)
            try browser.open(site.address("/app/settings/mailboxes/new?address=user@localhost.example"))
            try describe(browser, site)
            try browser.type(Station.password, into: "input[name=password]")
            try browser.click("button", saying: "Test the login")
            try browser.waits(for: "The login works", in: "main")
            try site.ingest.crash()
            try browser.click("button", saying: "Read this mailbox")
            try browser.waits(for: "The mailbox is being taken into use.", in: "main")
            #expect(try site.station.ledger.booked().isEmpty)
            try site.restartIngest()
            try browser.waits(for: "The mailbox is being read.", in: "main")
            try waitUntil("the mail\n\(site.ingest.errors)") { try site.station.ledger.booked().count == 1 }
            try site.expectDiscreet([Station.password])
        }

        @Test(.timeLimit(.minutes(5))) func theIngestRoleTakesNoneIfTheConfigurationSaysSo() throws {
            let site = try Site(", authentication: none, add_mailboxes: false")
            let browser = try Browser(try WebDriver())
            try browser.open(site.address("/app/settings/mailboxes/new"))
            try browser.waits(for: "The mail reader offers no key for passwords.", in: "main")
            try clean(browser)
            #expect(try browser.count("input[name=address]") == 0)
        }
    }
}
