import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    @Suite struct Demonstration {
        /// The check of `make demo ONCE=1` without a build: its messages, all profiles and its comparison.
        @Test(.timeLimit(.minutes(3))) func demoMailsHaveTheExpectedResult() throws {
            let station = try Station()
            station.parsers = [Program.root + "/parsers"]
            let folder = Program.root + "/demo-mailbox"
            func templates(_ name: String) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)").filter { $0.hasSuffix(".eml") }
                    .sorted().map { "\(folder)/\(name)/\($0)" }
            }
            func script(_ name: String, _ arguments: [String]) throws -> String {
                let program = try Program("\(Program.root)/scripts/\(name)", arguments, in: station.scratch)
                let status = try program.exit()
                #expect(status == 0, "\(name): \(program.output)\(program.errors)")
                return program.output
            }
            let (maildir, owner) = try station.server.maildir(of: "user")
            func deliver(_ mails: [String]) throws { _ = try script("demo-mail", ["deliver", maildir, owner] + mails) }
            let (now, later) = (try templates("mails"), try templates("later"))
            #expect(now.count > 50 && !later.isEmpty)
            try deliver(now)
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            #expect(try script("demo-check", [station.database] + now).contains("mails as expected"))
            // The message delivered during watching.
            let rows = station.ledger.mails
            try deliver(later.filter { $0.hasSuffix("/upi-bakery.eml") })
            try waitUntil("its row") { station.ledger.mails == rows + 1 }
            #expect(
                try station.ledger.column("SELECT status FROM processed_emails ORDER BY id DESC LIMIT 1") == [
                    "recorded"
                ])
            for mail in later { #expect(try !script("demo-mail", ["show", mail]).contains("@{"), "\(mail)") }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(Set(station.server.flags(of: "user").values) == [""])
        }
    }
}
