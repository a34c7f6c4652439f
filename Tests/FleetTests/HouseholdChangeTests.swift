import Chronology
import Ledger
import PostgreSQL
import Testing

@testable import Fleet
@testable import Store

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct HouseholdChangeTests {
    @Test func aRenewalReportsOtherSettings() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let before = try #require(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision)
        try sample.households.set("anna", settings: "timezone: Europe/Berlin", mailboxes: [("new", "imap.example")])
        #expect(
            try sample.leases.renew(lease.worker)?.held.mapValues(\.revision) == [lease.household: before + 1])
        // The copy of the former settings is as good as any: their rows are the same.
        let copy = try sample.copy(lease)
        try copy.recording.record([mail(1)])
        try sample.leases.release(lease)
        let next = try #require(try sample.leases.acquire(lease.worker).first)
        var seen: Household?
        _ = try sample.households.copy(next) { household, primary, rows in
            seen = household
            let file = sample.path("next.db")
            try LedgerRowCopy.write(file, isCopy: true, rows)
            return try Store(path: file, readOnly: false, primary: primary, now: { FleetSample.now })
        }
        #expect(seen == Household(name: "anna", settings: "timezone: Europe/Berlin", revision: before + 1))
        #expect(try sample.households.mailboxes().map(\.name) == ["new"])
    }

    @Test func mailboxesThatStayAreNotWrittenAnew() throws {
        let sample = try FleetSample()
        try sample.households.add(
            "anna", settings: "", mailboxes: [("a", "one.example"), ("b", "one.example"), ("c", "one.example")],
            ledger: sample.ledger("anna"))
        func rows() throws -> [String] {
            try sample.database.withConnection {
                try $0.run("SELECT name || ' ' || host || ' ' || xmin FROM fleet.mailboxes ORDER BY name") {
                    $0.text(0) ?? ""
                }
            }
        }
        let before = try rows()
        try sample.households.set(
            "anna", settings: "", mailboxes: [("a", "one.example"), ("b", "two.example"), ("d", "one.example")])
        let after = try rows()
        #expect(
            after.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "a one.example", "b two.example", "d one.example",
            ])
        #expect(after.first == before.first)
        try sample.households.set("anna", settings: "", mailboxes: [])
        #expect(try rows().isEmpty)
    }

    @Test func nothingOfARemovedHouseholdStays() throws {
        let sample = try FleetSample()
        for name in ["anna", "ben"] {
            let ledger = try sample.ledger(name)
            try ledger.recording.record([
                mail(1, .book(draft(100, reference: "600012345671"))), mail(2, .review(draft(200))),
                mail(3, .unclaimed),
                mail(4, .book(draft(100, reference: "600012345671")), id: 1),
            ])
            try ledger.mailboxes.setHealth(
                MailboxHealth(mailbox: "box0", state: .watching, since: FleetSample.now))
            try sample.households.add(name, settings: "", mailboxes: [("box0", "imap.example")], ledger: ledger)
        }
        let before = try count(sample)
        #expect(before.values.contains { $0 > 2 })
        try sample.households.remove("anna")
        // Each had the same rows.
        #expect(try count(sample) == before.mapValues { $0 / 2 })
        #expect(try sample.households.all().map(\.name) == ["ben"])
        let error = #expect(throws: FleetError.self) { try sample.households.remove("anna") }
        #expect(error?.description == "there is no household 'anna'")
        try sample.households.export("ben", to: sample.path("ben-after.db"))
        #expect(try rows(of: Store(path: sample.path("ben-after.db"))) == rows(of: Store(path: sample.path("ben.db"))))
    }

    /// Rows of every table that belongs to households, as the administrator sees them.
    private func count(_ sample: FleetSample) throws -> [String: Int64] {
        let connection = try PostgresConnection(sample.conninfo + " user=postgres")
        let tables = try connection.run(
            """
            SELECT DISTINCT table_schema || '.' || quote_ident(table_name) FROM information_schema.columns
            WHERE table_schema = 'ledger' OR table_schema = 'fleet' AND column_name = 'household_id'
              AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'fleet')
            """
        ) { $0.text(0) ?? "" }
        var counts: [String: Int64] = [:]
        for table in tables + ["fleet.households"] {
            counts[table] = try connection.run("SELECT count(*) FROM \(table)") { $0.bigint(0) }.first ?? nil
        }
        return counts
    }

    @Test func aWorkerCannotWriteToARemovedHousehold() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let copy = try sample.copy(lease)
        try copy.recording.record([mail(1)])
        try sample.households.remove("anna")
        #expect(throws: StoreError.self) { try copy.recording.record([mail(2)]) }
        #expect(copy.hasEnded)
        #expect(try sample.leases.renew(lease.worker)?.held.isEmpty == true)
        #expect(try count(sample).values.allSatisfy { $0 == 0 })
        // The same name is a household of its own.
        try sample.add("anna")
        #expect(try sample.leases.acquire(lease.worker).first?.household != lease.household)
    }

    /// The deletion of a large ledger takes longer than a worker may wait for its leases.
    @Test func aRemovalKeepsNoOtherLeaseWaiting() throws {
        let sample = try FleetSample()
        try sample.add("anna")
        try sample.add("ben")
        let worker = try sample.leases.register("one", capacity: 100)
        let leases = try sample.leases.acquire(worker)
        #expect(leases.count == 2)
        // Something holds a row of the ledger, so that the deletion waits for it.
        let connection = try PostgresConnection(sample.conninfo)
        let anna = try #require(
            try connection.run("SELECT id FROM fleet.households WHERE name = 'anna'") { $0.bigint(0) }.first ?? nil)
        try connection.script("BEGIN")
        try connection.name(household: anna)
        try connection.script("SELECT id FROM ledger.categories FOR UPDATE")
        let impatient = FleetDatabase(sample.conninfo + " options='-c lock_timeout=100'")
        #expect(throws: PostgresError.self) { try Households(impatient).remove("anna") }
        #expect(
            try sample.leases.renew(worker).map { Set($0.held.keys) }
                == Set(leases.map(\.household)).subtracting([anna]))
        #expect(try sample.leases.acquire(worker).isEmpty)
        #expect(try sample.households.status().map(\.wait) == [.removal, nil])
        try connection.script("ROLLBACK")
        try sample.households.remove("anna")
        #expect(try sample.households.all().map(\.name) == ["ben"])
    }

    @Test func mailboxesAreListedWithTheirHealth() throws {
        let sample = try FleetSample()
        let now = UnixTime.now
        for (name, state) in [("anna", MailboxHealth.State.watching), ("ben", .refused)] {
            let ledger = try sample.ledger(name)
            try ledger.mailboxes.setHealth(
                MailboxHealth(mailbox: "box", state: state, since: now - 60) {
                    $0.lastProbe = now - 5
                    $0.due = state == .watching ? now + 600 : now - 600
                    $0.reason = state == .refused ? "the server refused the login" : nil
                })
            try sample.households.add(
                name, settings: "", mailboxes: [("box", "imap.example"), ("new", "other.example")], ledger: ledger)
        }
        let all = try sample.households.mailboxes()
        #expect(
            all.map { "\($0.household) \($0.name) \($0.host) \($0.state ?? "-") \($0.isOverdue)" } == [
                "anna box imap.example watching false", "anna new other.example - false",
                "ben box imap.example refused true", "ben new other.example - false",
            ])
        #expect(all.map(\.lastSuccess) == [now - 5, nil, now - 5, nil])
        #expect(all[2].reason == "the server refused the login")
        #expect(try sample.households.mailboxes(of: "ben") == Array(all[2...]))
        #expect(throws: FleetError.self) { try sample.households.mailboxes(of: "nobody") }
    }

    /// The function that reads the health of all households leaves none of them named.
    @Test func readingTheHealthOfAllNamesNoHousehold() throws {
        let sample = try FleetSample()
        let (anna, ben) = (try sample.add("anna"), try sample.add("ben"))
        let connection = try PostgresConnection(sample.conninfo)
        try connection.script("BEGIN")
        try connection.name(household: anna)
        _ = try connection.run("SELECT mailbox FROM fleet.mailbox_health()") { $0.text(0) }
        #expect(try connection.run("SELECT fleet.household()") { $0.bigint(0) } == [anna])
        try connection.script("COMMIT")
        #expect(try connection.run("SELECT fleet.household()") { $0.bigint(0) } == [nil])
        #expect(anna != ben)
    }
}
