import DovecotFixture
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Reloading {
        static let bank =
            "name: Acme Bank\ndomains: [acme.example]\naddresses: [alerts@acme.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n"
        static let spend = #"""
            template: acme/spend
            kind: transaction
            extract:
              body_pattern: |-
                Rs\.(?<amount>[\d.]+) \s spent \s at \s (?<merchant>.{1,60}?) \s on \s (?<date>\S+) \s card \s (?<account>\d{4})
              type: expense
              channel: card
            """#

        @Test(.timeLimit(.minutes(3))) func invalidProfilesChangeNothingAndValidOnesFindOlderMail() throws {
            let station = try Station()
            let folder = station.scratch.path + "/parsers"
            try station.scratch.write("", to: "parsers/README")
            station.parsers.append(folder)
            let moment = India.daysAgo(4, 12, 0)
            let acme = Mail(
                id: "acme", from: "alerts@acme.example",
                text: "Rs.71.50 spent at HILL COFFEE on \(India.text("%d-%m-%Y", moment)) card 9090", arrived: moment,
                outcome: "recorded",
                booked: Booked(
                    channel: "card", amountMinor: 7_150, date: India.text("%Y-%m-%d", moment), merchant: "HILL COFFEE",
                    account: "9090",
                    category: Catalogue.cafe.0, subcategory: Catalogue.cafe.1))
            let first = Watching.coffee("first", minutes: 1)
            try station.deliver([acme, first])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            #expect(try station.ledger.booked() == ["first": try #require(first.booked)])

            try station.scratch.write(Self.bank, to: "parsers/acme/_bank.yaml")
            try station.scratch.write(Self.spend.replacing("[\\d.]+)", with: "[\\d.+"), to: "parsers/acme/spend.yaml")
            daemon.signal(SIGHUP)
            try daemon.logs("profiles not reloaded")
            #expect(daemon.errors.contains("\(folder)/acme/spend.yaml:"))
            #expect(daemon.errors.contains(try Regex(#"acme/spend\.yaml:\d+:\d+: "#)), "\(daemon.errors)")
            let second = Watching.coffee("second", minutes: 2)
            try station.deliver([second])
            try waitUntil("a mail by the profiles of before") { station.ledger.mails == 2 }

            try station.scratch.write(Self.spend, to: "parsers/acme/spend.yaml")
            daemon.signal(SIGHUP)
            try daemon.logs("profiles reloaded")
            try waitUntil("the older mail of the new bank") { station.ledger.mails == 3 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(
                try station.ledger.booked()
                    == ["first": first.booked, "second": second.booked, "acme": acme.booked].compactMapValues(\.self))
            let log = try station.ledger.rows(
                "SELECT who, event FROM audit_log WHERE event LIKE 'profiles%' ORDER BY id")
            #expect(log.count == 2 && log.first == ["ingest", "profiles not reloaded"], "\(log)")
            #expect(log.last?.last?.contains(/^profiles reloaded: \d+ banks, \d+ templates$/) == true, "\(log)")
            station.expectDiscreet(daemon)
        }

        /// After the first start templates are compiled with the first message. Their files may have changed by then.
        @Test(.timeLimit(.minutes(3))) func templateOfTheStartIsUsedUntilReload() throws {
            let station = try Station()
            let folder = station.scratch.path + "/parsers"
            try station.scratch.write(Self.bank, to: "parsers/acme/_bank.yaml")
            try station.scratch.write(Self.spend, to: "parsers/acme/spend.yaml")
            station.parsers.append(folder)
            try station.pass()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.scratch.write(Self.spend.replacing("spent", with: "sp(ent"), to: "parsers/acme/spend.yaml")
            func mail(_ id: String, _ hour: Int) -> Mail {
                let moment = India.daysAgo(4, hour, 0)
                return Mail(
                    id: id, from: "alerts@acme.example",
                    text: "Rs.71.50 spent at HILL COFFEE on \(India.text("%d-%m-%Y", moment)) card \(9000 + hour)",
                    arrived: moment,
                    outcome: "recorded",
                    booked: Booked(
                        channel: "card", amountMinor: 7_150, date: India.text("%Y-%m-%d", moment),
                        merchant: "HILL COFFEE", account: "\(9000 + hour)",
                        category: Catalogue.cafe.0, subcategory: Catalogue.cafe.1))
            }
            let (first, second) = (mail("first", 10), mail("second", 11))
            try station.deliver([first])
            try waitUntil("a mail by the files of the start") { station.ledger.mails == 1 }
            daemon.signal(SIGHUP)
            try daemon.logs("profiles not reloaded")
            try station.deliver([second])
            try waitUntil("a mail by the profiles of before") { station.ledger.mails == 2 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([first, second])
            // The next start reports an invalid template, whatever was cached.
            #expect(try station.pass(expecting: 1).contains("acme/spend.yaml:"))
        }
    }

    @Suite struct Folders {
        @Test(.timeLimit(.minutes(2))) func severalFoldersAreReadAndMissingOneIsReported() throws {
            let station = try Station()
            station.mailboxes[0].folders = "[INBOX, Gone, Bank/Alerts]"
            let (inbox, alerts) = (Watching.coffee("inbox", minutes: 1), Watching.coffee("alerts", minutes: 2))
            try station.deliver([inbox])
            try station.deliver([alerts], folder: "Bank.Alerts")
            let output = try station.pass(expecting: 1)
            #expect(output.contains("Gone"), "\(output)")
            #expect(
                try station.ledger.booked()
                    == ["inbox": inbox.booked, "alerts": alerts.booked].compactMapValues(\.self))
            #expect(
                try station.ledger.rows("SELECT folder, next_uid FROM mailbox_cursors ORDER BY folder") == [
                    ["Bank/Alerts", "2"], ["INBOX", "2"],
                ])

            station.mailboxes[0].folders = "[INBOX, Bank/Alerts]"
            let dump = try station.ledger.rows("SELECT * FROM transactions")
            try station.pass()
            #expect(try station.ledger.rows("SELECT * FROM transactions") == dump)
        }

        @Test(.timeLimit(.minutes(2))) func watchingContinuesWithMissingFolder() throws {
            let station = try Station()
            station.mailboxes[0].folders = "[INBOX, Gone]"
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let mail = Watching.coffee("inbox", minutes: 1)
            try station.deliver([mail])
            try waitUntil("its row") { station.ledger.mails == 1 }
            try waitUntil("the folder's name in the mailbox's state") {
                try station.ledger.count(
                    "SELECT count(*) FROM mailbox_health WHERE state = 'watching' AND reason LIKE '%Gone%'") == 1
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([mail])
        }
    }
}
