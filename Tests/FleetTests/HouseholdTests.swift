import Ledger
import PostgreSQL
import Testing

@testable import Fleet
@testable import Store

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct HouseholdTests {
    /// A ledger with rows in many tables, values of every type, and a gap in its numbers.
    private func filled(_ sample: FleetSample, _ name: String) throws -> Store {
        let ledger = try sample.ledger(name)
        try ledger.recording.record(
            [
                mail(1, .book(draft(100, reference: "600012345671"))), mail(2, .review(draft(200))),
                mail(3, .ignored), mail(4, .unclaimed, subject: "a\u{0}b \u{10FFFD}00"),
                mail(5, .book(draft(100, reference: "600012345671")), id: 1),
            ], advancing: (FolderKey(mailbox: "box0", folder: "INBOX"), FolderCursor(uidValidity: 1, nextUID: 6)))
        try ledger.writeDatabase { db in
            try PreparedStatement(db, "INSERT INTO saved_searches (name, query, created_at) VALUES ('a', 'b', 'c')").run
            { _ in }
            try PreparedStatement(db, "DELETE FROM saved_searches").run { _ in }
        }
        return ledger
    }

    @Test func aLedgerComesBackRowByRow() throws {
        let sample = try FleetSample()
        let ledger = try filled(sample, "before")
        try sample.households.add("anna", settings: "", mailboxes: [("box0", "imap.example")], ledger: ledger)
        try sample.households.export("anna", to: sample.path("after.db"))
        let after = try Store(path: sample.path("after.db"))
        #expect(try rows(of: after) == rows(of: ledger))
        #expect(try after.integrityDefects() == [])
        // The next number is one that was never used.
        try after.writeDatabase { db in
            try PreparedStatement(db, "INSERT INTO saved_searches (name, query, created_at) VALUES ('a', 'b', 'c')").run
            { _ in }
            #expect(try PreparedStatement(db, "SELECT id FROM saved_searches").first({ _ in }) { $0.int(0) } == 2)
        }
    }

    @Test func manyRowsAreWrittenInSeveralStatements() throws {
        let sample = try FleetSample()
        let ledger = try sample.ledger("before")
        try ledger.recording.record((1...2500).map { mail($0, .ignored, raw: nil) })
        try sample.households.add("anna", settings: "", mailboxes: [], ledger: ledger)
        try sample.households.export("anna", to: sample.path("after.db"))
        #expect(try rows(of: Store(path: sample.path("after.db"))) == rows(of: ledger))
    }

    @Test func namesAreCheckedAndUnique() throws {
        let sample = try FleetSample()
        try sample.add("anna")
        for (name, words) in [("anna", "a household 'anna' exists"), ("Anna B", "is not a name of a household")] {
            let error = #expect(throws: FleetError.self) { try sample.add(name) }
            #expect(error?.description.contains(words) == true)
        }
        let error = #expect(throws: FleetError.self) { try sample.households.export("ben", to: sample.path("x.db")) }
        #expect(error?.description == "there is no household 'ben'")
    }

    @Test func aHouseholdOfAnotherVersionIsNeitherLeasedNorRead() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        try sample.sql("UPDATE fleet.households SET ledger_migration = 'later'")
        #expect(throws: FleetError.self) { try sample.copy(lease) }
        #expect(throws: FleetError.self) { try sample.households.export("anna", to: sample.path("x.db")) }
        try sample.leases.release(lease)
        #expect(try sample.leases.acquire(lease.worker).isEmpty)
    }

    @Test func aHouseholdSeesAndChangesNothingOfAnother() throws {
        let sample = try FleetSample()
        let anna = try sample.households.add(
            "anna", settings: "", mailboxes: [], ledger: filled(sample, "a"))
        let ben = try sample.households.add("ben", settings: "", mailboxes: [], ledger: filled(sample, "b"))
        let connection = try PostgresConnection(sample.conninfo)
        let tables = try connection.run("SELECT tablename::text FROM pg_tables WHERE schemaname = 'ledger'") {
            $0.text(0) ?? ""
        }
        try connection.script("BEGIN")
        try connection.name(household: anna)
        for table in tables {
            let owners = try connection.run("SELECT DISTINCT household_id FROM ledger.\"\(table)\"") { $0.bigint(0) }
            #expect(owners.isEmpty || owners == [anna], "\(table)")
        }
        let changes = [
            "UPDATE ledger.processed_emails SET subject = 'x' WHERE household_id = $1 RETURNING id",
            "DELETE FROM ledger.processed_emails WHERE household_id = $1 RETURNING id",
        ]
        for change in changes {
            let changed = try connection.run(change, [.bigint(ben)]) { $0.text(0) }
            #expect(changed.isEmpty)
        }
        // The policy, not the default of the column, refuses this row.
        let insertion = "INSERT INTO ledger.deleted_accounts (household_id, id, deleted_at) VALUES ($1, 'x', 'y')"
        let error = #expect(throws: PostgresError.self) { try connection.run(insertion, [.bigint(ben)]) }
        #expect(error?.state == "42501")
        try connection.script("ROLLBACK")
        // Outside of a transaction that names a household there are no rows.
        let count = try connection.run("SELECT count(*) FROM ledger.processed_emails") { $0.bigint(0) }
        #expect(count == [0])
    }
}
