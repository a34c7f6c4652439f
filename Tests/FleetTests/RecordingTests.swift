import Chronology
import Ledger
import PostgreSQL
import Testing

@testable import Fleet
@testable import Store

/// What a ledger does must not depend on where its rows are durable: each story is told to a SQLite ledger and to a
/// working copy whose commits go to PostgreSQL, and both end with the same rows.
@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct RecordingTests {
    struct Story: CustomTestStringConvertible, Sendable {
        let name: String
        /// - Returns: what the calls answered.
        let tell: @Sendable (Store) throws -> [String]
        var testDescription: String { name }

        init(_ name: String, _ tell: @escaping @Sendable (Store) throws -> [String]) {
            (self.name, self.tell) = (name, tell)
        }
    }

    private static let inbox = FolderKey(mailbox: "box0", folder: "INBOX")

    /// Everything about recorded mails but their random identifiers.
    private static func told(_ mails: [RecordedMail]) -> [String] {
        mails.map { "\($0.uid) \($0.outcome) \($0.transactionID ?? 0) \($0.duplicateOf != nil) \($0.isNew)" }
    }

    static let stories = [
        Story("every outcome, and the cursor") { store in
            told(
                try store.recording.record(
                    [
                        mail(1), mail(2, .review(draft(200))), mail(3, .review(nil)), mail(4, .ignored),
                        mail(5, .unclaimed), mail(6, .quarantined), mail(7, .copy),
                        mail(8, .failed(.notFetched("larger than the limit"))),
                    ], advancing: (inbox, FolderCursor(uidValidity: 1, nextUID: 9))))
        },
        Story("mail that was recorded before") { store in
            try (0..<2).flatMap { _ in told(try store.recording.record([mail(1), mail(2, .ignored)])) }
        },
        Story("a mail twice, an event twice, two coffees") { store in
            told(try store.recording.record([mail(1, .book(draft(100, reference: "600012345671")))]))
                + told(
                    try store.recording.record([
                        mail(2, .book(draft(100, reference: "600012345671")), id: 1),
                        mail(3, .book(draft(100, reference: "600012345671"))),
                        mail(4, .book(draft(100, reference: "600012345672"))), mail(5, .book(draft(100))),
                    ]))
        },
        Story("a failed mail and its next attempt") { store in
            told(try store.recording.record([mail(1, .failed(.notFetched("broken")))]))
                + told(try store.recording.record([mail(1)]))
        },
        Story("a better decision") { store in
            told(try store.recording.record([mail(1, .unclaimed), mail(2, .review(draft(5)))]))
                + told(try store.recording.record([mail(1), mail(2)], redeciding: [.unclaimed, .review]))
        },
        Story("two sides of a transfer, and a refund") { store in
            told(
                try store.recording.record([
                    mail(1, .book(draft(70_000, reference: "600012345671"))),
                    mail(2, .book(draft(70_000, type: .income, reference: "600012345671"))),
                    mail(3, .book(draft(9_900))), mail(4, .book(draft(9_900, type: .income))),
                ]))
        },
        Story("health, downloads and marks of a mailbox") { store in
            try store.mailboxes.setCursor(FolderCursor(uidValidity: 1, nextUID: 4), of: inbox)
            try store.mailboxes.addDownload(1000, by: "box0")
            try store.mailboxes.addDownload(500, by: "box0")
            return ["\(try store.mailboxes.cursor(of: inbox)?.nextUID ?? 0)"]
        },
        Story("a person's edits and their undo") { store in
            let booked = try store.recording.record([mail(1), mail(2, .review(draft(7)))])
            let waiting = booked.compactMap(\.transactionID).last ?? 0
            let isAccepted = try store.review.accept(.transaction(waiting), group: "g")
            return ["\(isAccepted) \(try store.journal.undo(group: "g").count)"]
        },
        Story("a write that fails leaves nothing") { store in
            struct Stop: Error {}
            do {
                try store.write { store in
                    try store.recording.record([mail(1)])
                    throw Stop()
                }
            } catch is Stop {}
            return told(try store.recording.record([mail(2)]))
        },
    ]

    @Test(arguments: stories) func isTheSameOnBothSides(_ story: Story) throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        let plain = try sample.ledger("plain")
        #expect(try story.tell(copy) == story.tell(plain))
        #expect(try counts(copy) == counts(plain))
        #expect(!copy.hasEnded)
        #expect(try copy.integrityDefects() == [])
        // PostgreSQL holds what the copy holds, and a later copy goes on from there.
        let next = try sample.copy(lease, "next")
        #expect(try rows(of: next) == rows(of: copy))
        #expect(
            try next.recording.record([mail(100)]).first?.outcome == plain.recording.record([mail(100)]).first?.outcome)
    }

    private func counts(_ store: Store) throws -> [String: Int] { try rows(of: store).mapValues(\.count) }

    @Test func hostileTextsComeBackAsTheyWere() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        try copy.recording.record([mail(1, .unclaimed, subject: "a\u{0}b\u{10FFFD}00\u{FFFF}'\\")])
        #expect(try rows(of: sample.copy(lease, "next")) == rows(of: copy))
    }

    /// An index of PostgreSQL cannot hold a key of this length.
    @Test func longKeysAreStoredAndStillUnique() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        let reference = (0..<3000).map { "R\($0)" }.joined()
        let first = try copy.recording.record([mail(1, .book(draft(100, reference: reference)))])
        #expect(first.first?.outcome == .recorded)
        #expect(
            try copy.recording.record([mail(2, .book(draft(100, reference: reference)))]).first?.outcome == .duplicate)
        #expect(try rows(of: sample.copy(lease, "next")) == rows(of: copy))
        let connection = try PostgresConnection(sample.conninfo)
        try connection.script("BEGIN")
        try connection.name(household: lease.household)
        try connection.script("CREATE TEMP TABLE again AS SELECT * FROM ledger.transactions; UPDATE again SET id = 99")
        let error = #expect(throws: PostgresError.self) {
            try connection.script("INSERT INTO ledger.transactions SELECT * FROM again")
        }
        #expect(error?.state == "23P01")
    }

    @Test func everyCommitCountsOnce() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        for uid in UInt32(1)...3 { try copy.recording.record([mail(uid)]) }
        // Reading and writing nothing need no commit.
        try copy.recording.record([])
        let versions = try sample.database.withConnection {
            try $0.run("SELECT version FROM fleet.leases") { $0.bigint(0) }
        }
        #expect(versions == [3])
    }

    @Test func aLostConnectionLosesAndDoublesNothing() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let database = FleetDatabase(sample.conninfo, worker: lease.worker, connections: 1)
        let copy = try sample.copy(lease, on: Households(database))
        try copy.recording.record([mail(1)])
        // The server closes the connection while nobody uses it.
        try sample.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        #expect(try copy.recording.record([mail(2)]).first?.isNew == true)
        #expect(!copy.hasEnded)
        #expect(try rows(of: sample.copy(lease, "next")) == rows(of: copy))
    }

    @Test func aRefusalOfPostgreSQLRollsTheCopyBack() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        try copy.recording.record([mail(1)])
        let before = try rows(of: copy)
        try sample.sql("ALTER TABLE ledger.transactions ADD CONSTRAINT test_refusal CHECK (amount_minor < 50000)")
        let error = #expect(throws: StoreError.self) { try copy.recording.record([mail(2, .book(draft(60_000)))]) }
        #expect(error?.message.contains("test_refusal") == true)
        #expect(try rows(of: copy) == before)
        #expect(!copy.hasEnded)
        #expect(try copy.recording.record([mail(3)]).first?.isNew == true)
        #expect(try rows(of: sample.copy(lease, "next")) == rows(of: copy))
    }

    /// PostgreSQL plans the check of a foreign key once for a connection, here while the table has five rows.
    @Test func theCheckOfARowReadsNoOtherRowsOfTheHousehold() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let commits = FleetDatabase(sample.conninfo, worker: lease.worker, connections: 1)
        let copy = try sample.copy(lease, on: Households(sample.database, commits: commits))
        for mails: ClosedRange<UInt32> in [1...5, 6...400, 401...800] {
            try copy.recording.record(mails.map { mail($0, .book(draft(Int64($0)))) })
        }
        commits.closeIdle()
        func count(_ sql: String) throws -> Int64 {
            let found = try sample.database.withConnection { try $0.run(sql) { $0.bigint(0) } }
            return try #require(found.first ?? nil)
        }
        // A backend adds its figures before it leaves this view.
        let backends =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'spendwise-fleet \(lease.worker)'"
        while try count(backends) > 0 {}
        let figures = "FROM pg_stat_user_tables WHERE relname = 'processed_emails'"
        #expect(try count("SELECT n_tup_ins \(figures)") == 800)
        #expect(try count("SELECT idx_tup_fetch + seq_tup_read \(figures)") < 8 * 800)
    }
}
