import BrowserFixture
import DovecotFixture
import Foundation
import GRDB
import LoopbackFixture
import Testing

extension EndToEnd {
    /// A template from the page, by the real roles: drafted by the web role, proven and written by the mail reader, and
    /// used for the next mail.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct TemplateActivations {
        private final class Place {
            let station: Station
            let port: UInt16
            var ingest: Program
            let web: Program
            let browser: Browser
            private let driver: WebDriver

            init(prepare: (Station) throws -> Void = { _ in }) throws {
                station = try Station()
                port = try freePort()
                station.settings = "web: { listen: '127.0.0.1:\(port)', requests_per_minute: 0 }"
                try prepare(station)
                let input = try station.scratch.write(WebSite.passphrase + "\n", to: "passphrase")
                ingest = try station.start(["ingest"])
                try ingest.logs("watching")
                let set = try station.start(["passphrase", "set"], of: "parserctl", input: input)
                guard try set.exit() == 0 else { throw Failed(description: set.errors) }
                web = try station.start(["web"])
                try web.logs("info serving")
                driver = try WebDriver()
                browser = try Browser(driver)
                try browser.resize(to: 1280)
                try open("/")
                try browser.type(WebSite.passphrase, into: "input[name=passphrase]")
                try browser.click("button[type=submit]")
                try browser.waits(for: "Overview", in: "h1")
            }

            func open(_ path: String) throws { try browser.open("http://127.0.0.1:\(port)\(path)") }

            /// Reloads the list until it has these words.
            func waits(for words: String) throws {
                try waitUntil("'\(words)' in \((try? browser.text("main")) ?? "")\n\(ingest.errors)") {
                    try open("/app/settings/templates")
                    return try browser.text("main").contains(words)
                }
            }

            /// Ends the mail reader as a power cut would.
            func kill() throws {
                ingest.signal(SIGKILL)
                _ = try ingest.exit(within: 10)
            }

            func restart() throws {
                ingest = try station.start(["ingest"])
                try ingest.logs("watching")
            }

            /// From the waiting mail to the request.
            func ask(_ item: String) throws {
                try open("/app/review/\(item)/template")
                try browser.waits(for: "A template for this kind of mail", in: "h1")
                for (name, value) in [
                    ("amount", "450.00"), ("merchant", "HILL COFFEE"), ("account", "4410"), ("name", "kiosk-paid"),
                ] { try browser.type(value, into: "input[name=\(name)]:not([type=hidden])") }
                try browser.click("button", saying: "Draft and test")
                try browser.waits(for: "hdfc/kiosk-paid, new", in: "main")
                #expect(try browser.complaints() == [])
                try browser.type("wrong", into: "main input[name=passphrase]")
                try browser.click("button", saying: "Use this template")
                try browser.waits(for: "Passphrase: it is wrong.", in: "main")
                // The log of the browser has the status of the refusal.
                _ = try browser.complaints()
                try browser.type(WebSite.passphrase, into: "main input[name=passphrase]")
                try browser.click("button", saying: "Use this template")
                try browser.waits(for: "The mail reader tests the template once more", in: ".notice")
            }
        }

        private static func kiosk(_ id: String, _ minor: Int, at name: String, minute: Int) -> Mail {
            let moment = India.daysAgo(2, 10, minute)
            return Mail(
                id: id, from: "HDFC Bank InstaAlerts <alerts@hdfcbank.bank.in>", subject: "Kiosk",
                text:
                    "Dear Customer,\nKiosk slip for account 4410 of \(India.text("%d-%m-%y", moment)): \(name), amount paid Rs.\(Mail.rupees(minor)), settled by us.\nGreetings from HDFC Bank.\n",
                arrived: moment, outcome: "recorded")
        }

        private func state(_ place: Place, of id: String) throws -> [[String]] {
            try place.station.ledger.rows(
                "SELECT status, coalesce(template, '') FROM processed_emails WHERE message_id LIKE '%\(id)@%'")
        }

        @Test(.timeLimit(.minutes(10))) func aDraftedTemplateBooksTheNextMail() throws {
            var disk: SmallDisk?
            let place = try Place { station in
                guard SmallDisk.isPossible else { return }
                let full = try SmallDisk(kilobytes: 64, in: station.scratch)
                _ = FileManager.default.createFile(atPath: full.path + "/filler", contents: Data(count: 1 << 16))
                try FileManager.default.createSymbolicLink(
                    atPath: station.scratch.path + "/activated", withDestinationPath: full.path)
                disk = full
            }
            let (station, browser, ledger) = (place.station, place.browser, place.station.ledger)
            try station.deliver([Self.kiosk("first", 45_000, at: "HILL COFFEE", minute: 1)])
            try waitUntil("the mail") { ledger.mails == 1 }
            #expect(try state(place, of: "first").first?.first == "review")
            let item = try #require(
                try ledger.column("SELECT id FROM transactions WHERE status = 'needs_review'").first)

            // A full disk refuses, with its reason; then there is room.
            if let disk {
                try place.ask(item)
                try place.waits(for: "No space left on device")
                try FileManager.default.removeItem(atPath: disk.path + "/filler")
            }
            // The mail reader is killed, and decides about the request when it is back.
            try place.kill()
            try place.ask(item)
            try place.waits(for: "waits for the mail reader")
            try place.restart()
            try place.waits(for: "in use since")
            let file = station.scratch.path + "/activated/hdfc/kiosk-paid.yaml"
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(try browser.complaints() == [])

            try station.deliver([Self.kiosk("second", 78_900, at: "ZEBRA LAMPS", minute: 2)])
            try waitUntil("the next mail") { ledger.mails == 2 }
            #expect(try state(place, of: "second") == [["recorded", "hdfc/kiosk-paid"]])
            #expect(
                try ledger.column(
                    "SELECT amount_minor || ' ' || parsed_vendor FROM transactions WHERE profile = 'hdfc' AND status = 'confirmed'"
                ) == ["78900 ZEBRA LAMPS"])
            try place.waits(for: "1 mail read by it")

            // The commands know the folder, and a start too.
            #expect(try station.control(["lint", "hdfc/kiosk-paid"]).contains("0 findings"))
            #expect(try station.control(["test"]).contains("samples hold"))

            // The notice on the overview, until it is acknowledged.
            try place.open("/")
            try browser.waits(for: "The template hdfc/kiosk-paid was activated on the page", in: "main")
            try browser.click("main button", saying: "I know")
            try browser.waits(until: "the overview without the notice") { try browser.count(".notice") == 0 }

            // Deactivated: the next mail waits again, what is booked stays.
            try place.open("/app/settings/templates")
            try browser.click("main a", saying: "Deactivate")
            try browser.waits(for: "Deactivate hdfc/kiosk-paid?", in: "main")
            try browser.click("main button", saying: "Deactivate")
            try place.waits(for: "· deactivated")
            #expect(!FileManager.default.fileExists(atPath: file))
            try station.deliver([Self.kiosk("third", 12_300, at: "LAKE BAKERY", minute: 3)])
            try waitUntil("a third mail") { ledger.mails == 3 }
            #expect(try state(place, of: "third").first?.first == "review")
            #expect(try state(place, of: "second") == [["recorded", "hdfc/kiosk-paid"]])
            for program in [place.ingest, place.web] {
                program.signal(SIGTERM)
                #expect(try program.exit(within: 10) == 0)
                station.expectDiscreet(program)
            }
        }

        /// A file that does not load any more stops no role: it is left out, logged and part of the health.
        @Test(.timeLimit(.minutes(3))) func aFaultyFileIsLeftOutAtTheStart() throws {
            let station = try Station()
            try station.scratch.write("template: hdfc/gone\nkind: nonsense\n", to: "activated/hdfc/gone.yaml")
            try station.pass()
            let database = station.database
            try Self.insertActive("hdfc/gone", in: database)
            let daemon = try station.start(["ingest"])
            try daemon.logs("activated template left out")
            try daemon.logs("watching")
            try waitUntil("the fault") {
                try station.ledger.count("SELECT count(*) FROM template_activations WHERE fault IS NOT NULL") == 1
            }
            #expect(
                try station.control(["status", "--json"]).contains("the activated template hdfc/gone does not load"))
            let check = try station.start(["check", "--offline"])
            #expect(try check.exit() != 0)
            #expect(check.output.contains("an activated template is left out"), "\(check.output)")
            let lint = try station.start(["lint", "hdfc/otp", "--no-attacks"], of: "parserctl")
            #expect(try lint.exit() == 2)
            #expect(lint.errors.contains("activated/hdfc/gone.yaml"), "\(lint.errors)")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        private static func insertActive(_ template: String, in database: String) throws {
            let text = """
                INSERT INTO template_activations (template, yaml, digest, mail_id, asked_at, asked_by, state, decided_at)
                VALUES ('\(template)', 'x', '\(String(repeating: "0", count: 64))', 'm', '2026-01-05T00:00:00Z', 'person',
                  'active', '2026-01-05T00:00:00Z')
                """
            try DatabaseQueue(path: database).write { try $0.execute(sql: text) }
        }
    }
}
