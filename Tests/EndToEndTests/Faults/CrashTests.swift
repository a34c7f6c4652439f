import DovecotFixture
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Crashes {
        @Test(.timeLimit(.minutes(5))) func repeatedKillsGiveTheSameResult() throws {
            let station = try Station()
            let mails = Catalogue.many(1000)
            try station.deliver(mails)

            let disturbed = station.database
            // Before the first row, then at increasing numbers of rows.
            var interrupted = 0
            for rows in [0, 1, 1, 200, 400, 600, 800] {
                let daemon = try station.start(["ingest", "--once"])
                try waitUntil("\(rows) rows") {
                    if rows == 0 { return access(disturbed, F_OK) == 0 || daemon.hasEnded }
                    return station.ledger.mails >= rows || daemon.hasEnded
                }
                try daemon.crash()
                let recorded = station.ledger.mails
                if recorded > 0, recorded < mails.count { interrupted += 1 }
                #expect(try recorded == 0 || station.ledger.column("PRAGMA integrity_check") == ["ok"])
                // A commit is a whole batch: the cursor is never below the last recorded message.
                if recorded > 0 {
                    let next = try station.ledger.count("SELECT next_uid FROM mailbox_cursors")
                    #expect(try next == station.ledger.count("SELECT max(uid) + 1 FROM processed_emails"))
                    #expect(recorded == next - 1)
                }
            }
            #expect(interrupted >= 3, "the passes were over before they could be killed")
            try station.pass()

            station.database = station.scratch.path + "/undisturbed.db"
            try station.pass()
            let expected = try station.ledger.facts()
            #expect(
                try station.ledger.mails == mails.count
                    && station.ledger.count("SELECT count(*) FROM transactions") > mails.count / 2)
            #expect(try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'duplicate'") > 0)

            station.database = disturbed
            #expect(try station.ledger.facts() == expected)
            #expect(try station.ledger.column("PRAGMA foreign_key_check") == [])
            #expect(Set(station.server.flags(of: "user").values) == [""])
        }
    }

    @Suite struct Renumbering {
        @Test(.timeLimit(.minutes(3))) func newUIDValidityBooksNothingTwice() throws {
            let station = try Station()
            let mails = Catalogue.mixed()
            try station.deliver(mails)
            try station.pass()
            let booked = try station.ledger.rows("SELECT * FROM transactions ORDER BY id")
            let outcomes = try station.ledger.outcomes()

            try station.server.setUIDValidity(77, of: "user")
            let newer = Mail.iciciCard("after", 9_900, at: "LATE COFFEE", India.daysAgo(1, 10, 1), in: Catalogue.cafe)
            try station.deliver([newer])
            try station.pass()
            #expect(try station.ledger.rows("SELECT * FROM transactions ORDER BY id").dropLast() == booked[...])
            #expect(try station.ledger.booked()["after"] == newer.booked)
            // Every message has a row under its new UID.
            let again = outcomes.map { $0.hasSuffix("unclaimed") ? $0 : String($0.prefix { $0 != " " }) + " duplicate" }
            let renumbered = try station.ledger.rows(
                "SELECT message_id, status FROM processed_emails WHERE uid_validity = 77 ORDER BY uid"
            )
            .map { "\($0[0].split(separator: "@").first ?? "") \($0[1])" }
            #expect(renumbered == again + ["after recorded"])
            #expect(
                try station.ledger.count(
                    "SELECT count(*) FROM processed_emails WHERE uid_validity = 77 AND status = 'duplicate' AND duplicate_of IS NULL"
                ) == 0)
            #expect(try station.ledger.column("SELECT uid_validity FROM mailbox_cursors") == ["77"])

            let dump = try station.ledger.dump()
            try station.pass()
            #expect(try station.ledger.dump() == dump)
        }
    }
}
