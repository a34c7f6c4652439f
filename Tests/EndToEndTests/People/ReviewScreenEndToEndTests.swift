import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `parserctl review` in a terminal, on a ledger that the program wrote.
    @Suite struct ReviewOnAScreen {
        /// A ledger with three items: two from an unlisted address, and one with a wrong merchant.
        private static func ledger() throws -> (Scratch, LedgerFile, configuration: String) {
            let scratch = try Scratch()
            var mails: [Mail] = []
            for (index, name) in ["BLUE PEN SHOP", "PAPER MOON"].enumerated() {
                var mail = Mail.hdfcUPI(
                    "item\(index)", 10_000 + index, to: name, vpa: "shop\(index)@ybl", reference: "61000000000\(index)",
                    at: India.daysAgo(4, 5, index), in: Catalogue.none)
                mail.from = "insta@hdfcbank.bank.in"
                mail.subject = "Item \(index)"
                mails.append(mail)
            }
            var counter = mails[0]
            counter.id = "counter"
            counter.from = "alerts@hdfcbank.bank.in"
            counter.subject = "Counter"
            counter.encoding = .plain
            counter.text =
                "Dear Customer,\nRs.444.00 went out of your account ending 4410 and was paid over the counter of LAKE BAKERY, quoting 610000000009, on \(India.text("%d-%m-%y", counter.arrived)).\nGreetings from HDFC Bank.\n"
            for (index, mail) in (mails + [counter]).enumerated() {
                try scratch.write(mail.bytes, to: "mails/\(index).eml")
            }
            let database = scratch.path + "/ledger.db"
            let configuration = try scratch.write(
                "database: \(database)\nparsers: [\(try scratch.threeBanks()), \(scratch.path)/own]\ncategories: \(Program.root)/config/categories.yaml\nmailboxes: []\n",
                to: "spendwise.yaml")
            try FileManager.default.createDirectory(atPath: scratch.path + "/own", withIntermediateDirectories: true)
            let program = try Program(
                "parserctl", ["import", "--trust-delivery", scratch.path + "/mails", "--config", configuration],
                in: scratch)
            #expect(try program.exit() == 0, "\(program.errors)")
            return (scratch, LedgerFile(path: database), configuration)
        }

        private static func command(_ configuration: String) -> String {
            "\(Program.binaries)/parserctl review --config \(configuration)"
        }

        @Test(.timeLimit(.minutes(3))) func queueIsResolved() throws {
            let (scratch, ledger, configuration) = try Self.ledger()
            let pane = try Pane(in: scratch)
            try pane.run(Self.command(configuration))
            try pane.shows("1 of 3", "a accept")
            // Pasted text is not interpreted as keys.
            try pane.paste("a r a\nquit")
            try pane.shows("1 of 3", "pasted text is ignored")

            // Select the text of the merchant.
            try pane.press("/")
            try pane.shows("search:")
            try pane.type("counter")
            try pane.press("Enter")
            try pane.shows("went out of your account")
            try pane.press("e", "m")
            try pane.shows("arrows select")
            try pane.press("Left", "Right", "Space", "Right")
            try pane.shows("merchant: LAKE BAKERY,")
            try pane.press("Enter")
            try pane.shows("merchant is now LAKE BAKERY", "m merchant  LAKE BAKERY")
            try pane.press("a")
            try pane.shows("accepted: INR 444.00 LAKE BAKERY", "of 2  (1 done)")

            // Resize the window.
            try pane.resize(columns: 40, rows: 12)
            // The rule above the fields has the width of the window.
            try pane.shows("of 2  (1 done)", "\n" + String(repeating: "─", count: 40) + "\n")
            try pane.resize(columns: 80, rows: 24)
            try pane.shows("\n" + String(repeating: "─", count: 80) + "\n")

            try pane.press("/")
            try pane.shows("search:")
            try pane.paste("moon\n")
            try pane.shows("search: moon")
            try pane.press("Enter")
            try pane.shows("m merchant  PAPER MOON")
            try pane.press("r")
            try pane.shows("rejected: INR 100.01 PAPER MOON", "1 of 1  (2 done)")
            #expect(try ledger.booked()["item1"]?.status == "rejected")
            try pane.press("u")
            try pane.shows("undone: rejected: INR 100.01 PAPER MOON", "m merchant  PAPER MOON", "of 2  (1 done)")
            #expect(try ledger.booked()["item1"]?.status == "needs_review")
            try pane.press("r")
            try pane.shows("1 of 1  (2 done)", "m merchant  BLUE PEN SHOP")
            try pane.press("q")
            try pane.shows("2 decided, 1 left")
            try pane.expectRestored()

            let booked = try ledger.booked()
            #expect(
                booked.mapValues(\.status) == ["item0": "needs_review", "item1": "rejected", "counter": "confirmed"])
            #expect(booked["counter"]?.merchant == "LAKE BAKERY" && booked["counter"]?.category == "Food & Dining")

            // Changes of the screen can be undone later.
            let undo = try Program("parserctl", ["review", "undo", "--config", configuration], in: scratch)
            #expect(try undo.exit() == 0, "\(undo.errors)")
            #expect(try ledger.booked()["item1"]?.status == "needs_review")
        }

        @Test(.timeLimit(.minutes(3))) func terminalIsRestoredInEveryCase() throws {
            let (scratch, _, configuration) = try Self.ledger()
            let pane = try Pane(in: scratch, environment: ["NO_COLOR": "1"])
            try pane.run(Self.command(configuration))
            // Without colors fields are marked by letters.
            try pane.shows("1 of 3", "a<")
            try pane.press("C-z")
            try pane.shows("Stopped")
            try pane.expectRestored()
            try pane.run("clear; fg")
            try pane.shows("1 of 3", "a accept")
            for (signal, status) in [("TERM", 143), ("SEGV", 139)] {
                try pane.run("q")
                try pane.shows("ready>")
                try pane.run(
                    "clear; bash -c 'echo $$ >\(scratch.path)/pid; exec \(Self.command(configuration))'; echo status $?"
                )
                try pane.shows("1 of 3", "a accept")
                let text = try String(contentsOfFile: scratch.path + "/pid", encoding: .utf8)
                let process = try #require(Int32(text.filter(\.isNumber)))
                kill(process, signal == "TERM" ? SIGTERM : SIGSEGV)
                try pane.shows("status \(status)")
                try pane.expectRestored()
                try pane.run("clear; \(Self.command(configuration))")
                try pane.shows("1 of 3", "a accept")
            }
        }

        /// A ledger with two messages without a matching template and without a certain amount.
        private static func blanks() throws -> (Scratch, LedgerFile, configuration: String) {
            let scratch = try Scratch()
            for (index, shop) in ["LAKE BAKERY", "PAPER MOON"].enumerated() {
                var mail = Mail.hdfcUPI(
                    "blank\(index)", 10_000, to: shop, vpa: "shop@ybl", reference: "61000000000\(index)",
                    at: India.daysAgo(4, 5, index), in: Catalogue.none)
                mail.from = "alerts@hdfcbank.bank.in"
                mail.subject = "Blank \(index)"
                mail.encoding = .plain
                // The amount is not readable.
                mail.text =
                    "Dear Customer,\n44\(index).00 left us for \(shop).\nPaid amount: 4,4,\(index)\nGreetings from HDFC Bank.\n"
                try scratch.write(mail.bytes, to: "mails/\(index).eml")
            }
            let database = scratch.path + "/ledger.db"
            let configuration = try scratch.write(
                "database: \(database)\nparsers: [\(try scratch.threeBanks())]\ncategories: \(Program.root)/config/categories.yaml\nmailboxes: []\n",
                to: "spendwise.yaml")
            let program = try Program(
                "parserctl", ["import", "--trust-delivery", scratch.path + "/mails", "--config", configuration],
                in: scratch)
            #expect(try program.exit() == 0, "\(program.errors)")
            return (scratch, LedgerFile(path: database), configuration)
        }

        @Test(.timeLimit(.minutes(3))) func unreadableMailIsBookedByHand() throws {
            let (scratch, ledger, configuration) = try Self.blanks()
            #expect(try ledger.rows("SELECT id FROM transactions").isEmpty)
            let pane = try Pane(in: scratch)
            try pane.run(Self.command(configuration))
            try pane.shows("1 of 2", "No draft: nothing could be read", "a ask and book")
            try pane.press("a")
            try pane.shows("amount: 440.00")
            try pane.press("Enter", "Enter")
            try pane.shows("date: ")
            try pane.press("Enter")
            try pane.shows("merchant: LAKE BAKERY")
            try pane.press("Enter")
            try pane.shows("Tab leaves it out")
            try pane.press("Tab")
            try pane.shows("a books it: INR 440.00 expense LAKE BAKERY")
            #expect(try ledger.rows("SELECT id FROM transactions").isEmpty)
            try pane.press("a")
            try pane.shows("booked: INR 440.00 LAKE BAKERY", "of 1  (1 done)")
            try pane.press("u")
            try pane.shows("undone: booked: INR 440.00 LAKE BAKERY", "of 2", "m merchant  LAKE BAKERY")
            try pane.press("a")
            try pane.shows("booked: INR 440.00 LAKE BAKERY", "of 1  (1 done)")
            try pane.press("q")
            try pane.shows("1 decided, 1 left")
            #expect(
                try ledger.column(
                    "SELECT status || parsed_vendor || category_name FROM transactions WHERE deleted_at IS NULL") == [
                        "confirmedLAKE BAKERYFood & Dining"
                    ])

            // The other one by command, as in a script.
            func control(_ arguments: [String]) throws -> (output: String, errors: String, status: Int32) {
                let program = try Program(
                    "parserctl", ["review"] + arguments + ["--config", configuration], in: scratch)
                let status = try program.exit()
                return (program.output, program.errors, status)
            }
            let mail = try #require(
                try ledger.column("SELECT id FROM processed_emails WHERE subject = 'Blank 1'").first)
            let bare = try control(["accept", mail, "77"])
            #expect(
                bare.status == 1 && bare.errors.contains("nothing could be read")
                    && bare.errors.contains("there is no transaction 77"), "\(bare.errors)")
            let json = try control(["accept", mail, "77", "--json"])
            #expect(
                json.status == 1 && json.output.contains(#""result":"failed""#)
                    && json.output.contains(#""kind":"not_found""#), "\(json.output)")
            #expect(try control(["edit", mail, "--amount", "441.00"]).errors.contains("--type, --date"))
            let made = try control([
                "edit", mail, "--amount", "441.00", "--type", "expense", "--date", "2026-01-05", "--merchant",
                "PAPER MOON", "--category", "Shopping", "--accept", "--json",
            ])
            #expect(
                made.status == 0 && made.output.contains(#""accepted":true"#)
                    && made.output.contains(#""category":"Shopping""#)
                    && made.output.contains("parserctl new --review"), "\(made.output)\(made.errors)")
            for (arguments, kind) in [
                (["show", "77"], "refused"), (["edit", "77", "--amount", "1"], "not_found"),
                (["edit", mail, "--type", "gift"], "invalid"), (["undo", "77"], "refused"),
            ] {
                let result = try control(arguments + ["--json"])
                let object = try JSONOutput.object(result.output)
                let error = object["error"] as? [String: Any]
                #expect(
                    result.status == 1 && result.errors.isEmpty && object["result"] as? String == "failed"
                        && error?["kind"] as? String == kind && (error?["message"] as? String)?.isEmpty == false,
                    "\(result.output)")
            }
            let twice = try control(["accept", mail, "--json"])
            #expect(twice.status == 0 && twice.output.contains(#""changed":false"#), "\(twice.output)")
            #expect(try control(["undo"]).status == 0)
            #expect(try control(["list", "--json"]).output.contains(mail))
        }

        /// A running daemon loads a template that was created on the screen.
        @Test(.timeLimit(.minutes(3))) func runningDaemonLoadsNewTemplate() throws {
            let station = try Station()
            let own = station.scratch.path + "/own"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            station.parsers.append(own)
            func notice(_ index: Int) -> Mail {
                var mail = Mail.hdfcUPI(
                    "gift\(index)", 10_000 + index, to: "SHOP", vpa: "shop@ybl", reference: "61000000000\(index)",
                    at: India.daysAgo(4, 5, index), in: Catalogue.none)
                mail.subject = "Gift cards"
                mail.encoding = .plain
                mail.text =
                    "Dear Customer,\nRs.20\(index).00 was paid for your gift card of number 44\(index) by us.\nGreetings from HDFC Bank.\n"
                return mail
            }
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.deliver([notice(1), notice(2)])
            try waitUntil("both") {
                try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'review'") == 2
            }
            let pane = try Pane(in: station.scratch)
            try pane.run(Self.command(try station.configuration()))
            try pane.shows("1 of 2", "i ignore")
            try pane.press("i")
            try pane.shows("ignore mails of this form")
            try pane.type("adv")
            try pane.press("Enter")
            try pane.shows("y: write it")
            try pane.press("y")
            try pane.shows("written to", "uses it for new mail")
            try daemon.logs("profiles reloaded")
            try pane.press("Escape")
            try pane.shows("Nothing waits for review")
            try pane.press("q")
            try station.deliver([notice(3)])
            try waitUntil("a third, booked without review") {
                try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'ignored'") == 3
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        @Test(.timeLimit(.minutes(3))) func listIsPrintedWithoutTerminal() throws {
            let (scratch, ledger, configuration) = try Self.ledger()
            func control(_ arguments: [String]) throws -> (output: String, status: Int32) {
                let program = try Program("parserctl", arguments + ["--config", configuration], in: scratch)
                let status = try program.exit()
                return (program.output + program.errors, status)
            }
            let list = try control(["review"])
            #expect(
                list.status == 0 && list.output.contains("BLUE PEN SHOP")
                    && list.output.contains("parserctl review accept ID"))
            let id = try #require(
                try ledger.rows("SELECT id FROM transactions WHERE parsed_vendor = 'PAPER MOON'").first?.first)
            let one = try control(["review", "show", id])
            #expect(
                one.status == 0 && one.output.contains("[amount: 100.01]")
                    && one.output.contains("insta@hdfcbank.bank.in"), "\(one.output)")
            let object = try JSONOutput.object(control(["review", "show", id, "--json"]).output)
            #expect((object["spans"] as? [String: [Int]])?["amount"]?.count == 2 && object["text"] is String)
            #expect(try control(["review", "show", "99999"]).status == 1)
            #expect(try control(["review", "undo"]).status == 1)
            #expect(try control(["review", "release", id]).status != 0)
        }
    }
}
