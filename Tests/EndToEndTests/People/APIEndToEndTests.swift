import DovecotFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    @Suite struct API {
        /// Deletions and changes by a client survive a rescan, a new UIDVALIDITY and the retained mail.
        @Test(.timeLimit(.minutes(3)), arguments: ["90d", "0"]) func clientChangesSurviveRescans(
            keepRaw: String
        ) throws {
            let station = try Station()
            let port = try freePort()
            station.settings = "keep_raw: \(keepRaw)\nweb: { listen: '127.0.0.1:\(port)', authentication: none }"
            let (gone, edited, kept) = (
                Watching.coffee("gone", minutes: 1), Watching.coffee("edited", minutes: 2),
                Watching.coffee("kept", minutes: 3)
            )
            try station.deliver([gone, edited, kept])
            let daemon = try station.start(["run"])
            try daemon.logs("watching")
            try waitUntil("their rows\n\(daemon.errors)") {
                try station.ledger.count("SELECT count(*) FROM transactions WHERE status = 'confirmed'") == 3
            }
            func id(_ mail: Mail) throws -> String {
                try #require(
                    try station.ledger.column(
                        "SELECT t.id FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id WHERE m.message_id LIKE '\(mail.id)@%'"
                    ).first)
            }
            let base = "http://127.0.0.1:\(port)/transactions"
            #expect(try HTTP.send("DELETE", "\(base)/\(id(gone))").status == 204)
            let answer = try HTTP.send(
                "PUT", "\(base)/\(id(edited))",
                json:
                    #"{"parsed_amount":"99.50","parsed_vendor":"CORNER TEA","category_name":"Food","notes":"split","parsed_time":null}"#
            )
            #expect(answer.status == 200, "\(answer.text)")
            let before = try station.ledger.rows("SELECT * FROM transactions ORDER BY id")
            let changes = try station.ledger.rows("SELECT * FROM changes ORDER BY id")
            #expect(before.count == 3 && changes.count == 2)

            func expectUnchanged(_ step: String) throws {
                #expect(try station.ledger.rows("SELECT * FROM transactions ORDER BY id") == before, "\(step)")
                #expect(try station.ledger.rows("SELECT * FROM changes ORDER BY id") == changes, "\(step)")
                #expect(try station.ledger.count("SELECT sum(transactions) FROM transaction_counts") == 2, "\(step)")
            }
            _ = try station.control(["rescan", "--wait"])
            try expectUnchanged("a rescan of the running daemon")
            let list = try HTTP.get("\(base)/?days=60")
            #expect(
                list.head.lowercased().contains("x-total-count: 2") && list.body.contains("CORNER TEA")
                    && !list.body.contains("GONE COFFEE"), "\(list.text)")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)

            try station.server.setUIDValidity(4711, of: "user")
            try station.pass()
            try expectUnchanged("another UIDVALIDITY")
            #expect(try station.ledger.count("SELECT count(*) FROM processed_emails WHERE uid_validity = 4711") == 3)
            _ = try station.control(["rescan"])
            try station.pass()
            try expectUnchanged("both")
            // The same message again with a new UID.
            try station.deliver([gone, edited])
            try station.pass()
            try expectUnchanged("the same mails again")
        }
    }
}
