import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// The behaviour of `parserctl` that scripts rely on.
    @Suite struct ParserControl {
        private let scratch: Scratch
        private let profiles: [String]

        init() throws {
            scratch = try Scratch()
            profiles = ["--parsers", try scratch.threeBanks()]
        }

        @discardableResult
        private func run(
            _ arguments: [String], expecting status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
        ) throws -> (output: String, errors: String) {
            let program = try Program("parserctl", arguments, in: scratch)
            let got = try program.exit()
            #expect(got == status, "\(program.errors)\(program.output)", sourceLocation: location)
            return (program.output, program.errors)
        }

        @Test(.timeLimit(.minutes(2))) func everySampleHolds() throws {
            let text = try run(["test"] + profiles).output
            #expect(text.contains(try Regex(#"^(\d+) of \1 samples hold"#)), "\(text)")
            let lines = try JSONOutput.lines(
                try run(["test", "--json", "--parsers", Program.root + "/parsers"]).output)
            #expect(lines.count > 200 && lines.allSatisfy { $0["holds"] as? Bool == true })
        }

        @Test(.timeLimit(.minutes(2))) func exitStatusNamesTheFault() throws {
            try scratch.write(Reloading.bank, to: "none/acme/_bank.yaml")
            try run(["test", "--parsers", scratch.path + "/none"], expecting: 3)

            let sample = """

                samples:
                  - name: a coffee
                    text: Rs.71.50 spent at HILL COFFEE on 05-05-2026 card 9090
                    expect: { amount: '71.05', merchant: HILL COFFEE, date: 2026-05-05, account: '9090' }

                """
            try scratch.write(Reloading.bank, to: "differs/acme/_bank.yaml")
            let path = try scratch.write(Reloading.spend + sample, to: "differs/acme/spend.yaml")
            let differs = try run(["test", "--parsers", scratch.path + "/differs"], expecting: 2).output
            #expect(
                differs.contains("\(path):9:") && differs.contains("- amount: 71.05")
                    && differs.contains("+ amount: 71.50"), "\(differs)")

            let broken = try scratch.write("template: acme/spend\nkind: [", to: "broken/acme/spend.yaml")
            for command in ["test", "lint"] {
                let output = try run([command, "--parsers", scratch.path + "/broken"], expecting: 1)
                #expect(
                    output.errors.contains("parserctl: ") && output.errors.contains(broken) && output.output.isEmpty,
                    "\(output)")
            }
            #expect(
                try run(["test", scratch.path + "/nothing.eml"] + profiles, expecting: 1).errors.contains("nothing.eml")
            )
        }

        @Test(.timeLimit(.minutes(2))) func lintReportsMissingSample() throws {
            let proof = """

                samples:
                  - name: a coffee
                    text: Rs.71.50 spent at HILL COFFEE on 05-05-2026 card 9090
                    expect: { amount: '71.50', merchant: HILL COFFEE, date: 2026-05-05, account: '9090' }
                  - name: a refund
                    text: Rs.71.50 refunded by HILL COFFEE on 05-05-2026 card 9090
                    expect: none

                """
            for name in ["proven", "bare"] { try scratch.write(Reloading.bank, to: "\(name)/acme/_bank.yaml") }
            try scratch.write(Reloading.spend + proof, to: "proven/acme/spend.yaml")
            try scratch.write(Reloading.spend, to: "bare/acme/spend.yaml")
            #expect(try run(["lint", "--parsers", scratch.path + "/proven"]).output.contains(" 0 findings"))
            let found = try JSONOutput.lines(
                try run(["lint", "--json", "--parsers", scratch.path + "/bare"], expecting: 2).output)
            #expect(
                !found.isEmpty
                    && found.allSatisfy { $0["template"] as? String == "acme/spend" && $0["remedy"] is String })
        }

        @Test(.timeLimit(.minutes(2))) func explainDescribesAMessage() throws {
            let mail = Mail.iciciCard(
                "explain", 141_200, at: "KITE PETROL PUMP", India.daysAgo(3, 16, 6, 33), in: Catalogue.fuel)
            let file = try scratch.write(mail.bytes, to: "mail.eml")
            let line = try JSONOutput.object(
                try run(["explain", file, "--json", "--authserv-id", "mx.google.com"] + profiles).output)
            for key in [
                "outcome", "profile", "template", "fields", "confidence", "reasons", "authentication", "category",
            ] { #expect(line[key] != nil, "\(key)") }
            #expect(
                line["outcome"] as? String == "recorded" && line["template"] as? String == "icici/card-spend"
                    && line["profile"] as? String == "icici")
            #expect((line["authentication"] as? String)?.hasPrefix("pass") ?? false)
            #expect(line["category"] as? String == Catalogue.fuel.0)
            #expect((line["confidence"] as? Double ?? 0) >= 0.85 && line["reasons"] is [Any])
            let fields = try #require(line["fields"] as? [String: Any])
            let expected: [String: String?] = [
                "amount": "1412.00", "currency": "INR", "type": "expense", "channel": "card", "date": mail.booked?.date,
                "time": "16:06:33",
                "merchant": "KITE PETROL PUMP", "account": "6021", "reference": nil, "balance": nil,
            ]
            for (key, value) in expected {
                #expect(fields.keys.contains(key), "\(key)")
                #expect(fields[key] as? String == value, "\(key)")
            }
            // An offline file is unverified, which is shown and blocks nothing.
            let offline = try JSONOutput.object(try run(["explain", file, "--json"] + profiles).output)
            #expect(offline["authentication"] as? String == "unverified" && offline["outcome"] as? String == "recorded")
            let text = try run(["explain", file] + profiles).output
            #expect(
                text.contains("[merchant: KITE PETROL PUMP]") && text.contains("icici/card-spend")
                    && !text.contains("\u{1B}["))
        }

        @Test(.timeLimit(.minutes(2))) func explainShowsForgeryAndTemplateProgress() throws {
            var forged = Mail.iciciCard(
                "forged", 141_200, at: "KITE PETROL PUMP", India.daysAgo(3, 16, 6, 33), in: Catalogue.fuel)
            forged.origin = .forgedWithResults
            var changed = Mail.iciciCard(
                "changed", 141_200, at: "KITE PETROL PUMP", India.daysAgo(3, 16, 6, 33), in: Catalogue.fuel)
            changed.text = changed.text.replacing(
                "has been used for a transaction of", with: "was debited in a transaction of")
            let files = [
                try scratch.write(forged.bytes, to: "forged.eml"), try scratch.write(changed.bytes, to: "changed.eml"),
            ]
            let lines = try JSONOutput.lines(
                try run(["explain", "--json", "--authserv-id", "mx.google.com"] + files + profiles).output)
            try #require(lines.count == 2)
            #expect(
                lines[0]["outcome"] as? String == "quarantined"
                    && (lines[0]["authentication"] as? String)?.hasPrefix("fail") ?? false)
            #expect(lines[1]["outcome"] as? String == "review" && lines[1]["template"] as? String == "generic")
            let templates = try #require(lines[1]["templates"] as? [[String: Any]])
            #expect(templates.contains { $0["template"] as? String == "icici/card-spend" && $0["step"] is String })
        }

        @Test(.timeLimit(.minutes(2))) func everyArchiveFormatIsRead() throws {
            let mails = Catalogue.mixed()
            var mbox: [UInt8] = []
            for (index, mail) in mails.enumerated() {
                try scratch.write(mail.bytes, to: "maildir/\(index % 2 == 0 ? "cur" : "new")/\(100 + index).host:2,S")
                mbox +=
                    Array("From sender@example.com Mon Jan  5 10:00:00 2026\n".utf8) + mail.bytes.filter { $0 != 0x0D }
                    + Array("\n".utf8)
            }
            let paths = [
                "maildir": scratch.path + "/maildir", "mbox": try scratch.write(mbox, to: "archive.mbox"),
                "eml": try scratch.write(mails[0].bytes, to: "one.eml"),
            ]
            let expected = Dictionary(grouping: mails) { mail in
                // Without the ledger duplicates are unknown. Other senders are unclaimed.
                mail.outcome == "duplicate" ? "recorded" : mail.outcome == "not fetched" ? "unclaimed" : mail.outcome
            }.mapValues(\.count)
            for kind in ["maildir", "mbox"] {
                let lines = try JSONOutput.lines(
                    try run(["test", "--json", "--authserv-id", "mx.google.com", try #require(paths[kind])] + profiles)
                        .output)
                #expect(
                    Dictionary(grouping: lines) { $0["outcome"] as? String ?? "" }.mapValues(\.count) == expected,
                    "\(kind)")
            }
            #expect(try run(["test", try #require(paths["eml"])] + profiles).output.contains("1 mails: 1 recorded"))
            let all = try run(["test"] + paths.values + profiles).output
            #expect(all.contains("\(2 * mails.count + 1) mails: "), "\(all)")
            try scratch.write("", to: "empty.mbox")
            try run(["test", scratch.path + "/empty.mbox"] + profiles, expecting: 3)
        }
    }
}
