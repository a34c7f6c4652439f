import Chronology
import Ledger
import PostgreSQL
import Testing

@testable import Fleet
@testable import Store

/// Replicas write beside the worker that holds the lease: all copies end with the rows of PostgreSQL.
@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct ReplicaTests {
    @Test func aReplicaShowsWhatTheWorkerWroteAndTheWorkerWhatAPersonChanged() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let worker = try sample.copy(lease)
        let replica = try sample.replica(lease.household)
        let recorded = try worker.recording.record([mail(1), mail(2, .review(draft(7)))])
        #expect(try replica.catchUp(to: 1))
        #expect(try replica.mails.find(recorded[0].mailID)?.uid == 1)
        let coffee = try replica.categories.add(name: "Coffee")
        try replica.mappings.add(NewMapping(keyword: "noir") { $0.categoryID = coffee.id }, by: .terminal)
        // The worker does not know of it until it looks or writes.
        #expect(try worker.categories.rules().match("CAFÉ NOIR") == nil)
        #expect(try worker.catchUp(to: sample.version(lease.household)))
        #expect(try worker.categories.rules().match("CAFÉ NOIR")?.mapping.category == "Coffee")
        #expect(try rows(of: worker) == rows(of: replica))
    }

    @Test func twoReplicasWriteInTurn() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let replicas = try (0..<2).map { try sample.replica(household, "r\($0)") }
        for turn in 0..<10 { try replicas[turn % 2].save("s\(turn)") }
        #expect(try sample.version(household) == 10)
        for replica in replicas {
            try replica.catchUp(to: 10)
            #expect(try replica.searches.all().count == 10)
        }
        #expect(try rows(of: replicas[0]) == rows(of: replicas[1]))
    }

    @Test func writesAtOnceLoseNothing() async throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        try sample.keepLeases()
        let copies =
            [try sample.copy(lease, on: Households(FleetDatabase(sample.conninfo)))]
            + (try (0..<3).map {
                try sample.replica(lease.household, on: Households(FleetDatabase(sample.conninfo)), "r\($0)")
            })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, copy) in copies.enumerated() {
                group.addTask {
                    for turn in 0..<15 { try copy.save("s\(number)-\(turn)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try sample.version(lease.household) == 60)
        let next = try sample.replica(lease.household, "next")
        #expect(try next.searches.all().count == 60)
        for copy in copies {
            try copy.catchUp(to: 60)
            #expect(try rows(of: copy) == rows(of: next))
        }
    }

    @Test func aReplicaNeedsNoLeaseButAWorkerDoes() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let worker = try sample.copy(lease)
        let replica = try sample.replica(lease.household)
        try sample.expireLeases()
        try replica.save("a")
        // It is behind as well; the lease counts.
        let error = #expect(throws: StoreError.self) { try worker.recording.record([mail(1)]) }
        #expect(error?.message.contains("the lease of the household has ended") == true)
        #expect(worker.hasEnded)
        #expect(try sample.version(lease.household) == 1)
    }

    @Test func aCopyBehindTheLogIsMadeAnew() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let late = try sample.replica(household, "late")
        let replica = try sample.replica(household)
        try replica.save("a")
        try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.name(household: household)
                try connection.run("DELETE FROM fleet.changes")
            }
        }
        let error = #expect(throws: StoreError.self) { try late.catchUp(to: 1) }
        #expect(error?.message.contains("does not reach back") == true)
        #expect(late.hasEnded)
        #expect(throws: StoreError.self) { try late.save("b") }
        #expect(try rows(of: sample.replica(household, "next")) == rows(of: replica))
    }

    /// A server that takes over may miss the newest commits. Their numbers come again, with other contents.
    @Test func aCopyOfALostCommitTakesNoOtherForIt() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let (lost, late) = (try sample.replica(household, "lost"), try sample.replica(household, "late"))
        try lost.save("a")
        try late.catchUp(to: 1)
        try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.name(household: household)
                try connection.run("UPDATE fleet.leases SET last_writer = 7")
                try connection.run("UPDATE fleet.changes SET writer = 7")
            }
        }
        #expect(throws: StoreError.self) { try lost.save("b") }
        #expect(lost.hasEnded)
        #expect(try sample.version(household) == 1)
        let other = try sample.replica(household, "other")
        try other.save("c")
        #expect(throws: StoreError.self) { try late.catchUp(to: 2) }
        #expect(late.hasEnded)
    }

    @Test func theLogKeepsTheNewestCommits() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let replica = try sample.replica(household)
        try sample.sql("UPDATE fleet.leases SET version = $1", [.bigint(2 * ChangeLog.length - 2)])
        let next = try sample.replica(household, "next")
        let old = [ChangeLog.length, ChangeLog.length + 1]
        try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.name(household: household)
                for version in old {
                    try connection.run(
                        "INSERT INTO fleet.changes (version, writer, keys) VALUES ($1, 0, '')", [.bigint(version)])
                }
            }
        }
        for name in ["a", "b", "c"] { try next.save(name) }
        let kept = try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.name(household: household)
                return try connection.run("SELECT version FROM fleet.changes ORDER BY 1") { $0.bigint(0) }
            }
        }
        #expect(kept == [513, 1023, 1024, 1025])
        #expect(throws: StoreError.self) { try replica.catchUp(to: 1) }
    }

    /// What is deleted from the ledger is not kept elsewhere.
    @Test func theLogHoldsKeysOnly() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        try sample.replica(household).save("confidential", "private")
        let entries = try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.name(household: household)
                return try connection.run("SELECT keys FROM fleet.changes") { $0.bytes(0) ?? [] }
            }
        }
        let entry = try #require(entries.first)
        #expect(!String(decoding: entry, as: UTF8.self).contains("confidential"))
        var changed = ChangedRows()
        let isRead = changed.add(entry)
        #expect(isRead)
        #expect(changed.tables["saved_searches"] == [[.integer(1)]])
        // Every other prefix is refused, none ends the program.
        for length in 0..<entry.count {
            var part = ChangedRows()
            _ = part.add(Array(entry.prefix(length)))
        }
    }

    @Test func aLostConnectionOfAReplicaLosesAndDoublesNothing() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let database = FleetDatabase(sample.conninfo, connections: 1)
        let replica = try sample.replica(household, on: Households(database))
        for name in ["a", "b"] {
            try replica.save(name)
            try sample.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        }
        #expect(!replica.hasEnded)
        #expect(try sample.version(household) == 2)
        #expect(try rows(of: sample.replica(household, "next")) == rows(of: replica))
    }

    @Test func aHouseholdThatIsGoneEndsItsCopies() throws {
        let sample = try FleetSample()
        let household = try sample.add("anna")
        let replica = try sample.replica(household)
        try sample.sql("DELETE FROM fleet.households WHERE id = $1", [.bigint(household)])
        let error = #expect(throws: StoreError.self) { try replica.save("a") }
        #expect(error?.message.contains("was removed") == true)
        #expect(replica.hasEnded)
    }

    /// Random writes of a worker and of two replicas in a random order, with catching up at random times: in the end
    /// every copy has the rows of PostgreSQL, and the file is sound.
    @Test(arguments: [UInt64(1), 2, 3]) func manyWritesOfAllLeaveTheSameRows(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let sample = try FleetSample()
        let lease = try sample.leased()
        try sample.keepLeases()
        let worker = try sample.copy(lease)
        let replicas = try (0..<2).map { try sample.replica(lease.household, "r\($0)") }
        var uid: UInt32 = 0
        for step in 0..<120 {
            if random.next(6) == 0 {
                try ([worker] + replicas).randomElement(using: &random)?.catchUp(to: sample.version(lease.household))
            }
            let replica = replicas[random.next(2)]
            switch random.next(9) {
            case 0, 1, 2:
                uid += 1
                let amount = Int64(100 + random.next(3) * 100)
                try worker.recording.record([
                    mail(uid, random.next(3) == 0 ? .review(draft(amount)) : .book(draft(amount))),
                    mail(uid + 1000, .ignored),
                ])
            case 3:
                if let waiting = try Self.newest(replica, "status = 'needs_review'") {
                    _ = try? replica.review.accept(.transaction(waiting), group: "g\(step)")
                }
            case 4: try replica.save("s\(random.next(5))", "q\(step)")
            case 5: _ = try? replica.journal.undo(group: "g\(max(step - 1 - random.next(9), 0))")
            case 6:
                try replica.writeDatabase { db in
                    try PreparedStatement(
                        db, "UPDATE transactions SET notes = 'n\(step)' WHERE id = (SELECT max(id) FROM transactions)"
                    ).run { _ in }
                }
            case 7:
                try replica.writeDatabase { db in
                    try PreparedStatement(
                        db,
                        "DELETE FROM main.processed_emails WHERE uid = (SELECT max(uid) FROM processed_emails WHERE uid > 1000)"
                    ).run { _ in }
                }
            default:
                try replica.audit.append(AuditEvent(at: FleetSample.now, event: "request", who: "x"))
            }
        }
        let copies = [worker] + replicas
        let version = try sample.version(lease.household)
        let next = try sample.replica(lease.household, "next")
        for copy in copies {
            try copy.catchUp(to: version)
            #expect(try rows(of: copy) == rows(of: next))
            #expect(try copy.integrityDefects() == [])
            #expect(!copy.hasEnded)
        }
    }

    private static func newest(_ store: Store, _ condition: String) throws -> Int64? {
        try store.readDatabase {
            try PreparedStatement($0, "SELECT max(id) FROM transactions WHERE \(condition)").first({ _ in }) {
                $0.optionalInt(0)
            }
        } ?? nil
    }
}

extension Store {
    fileprivate func save(_ name: String, _ query: String = "x") throws {
        try searches.save(name, query: query, by: .terminal)
    }
}

/// A sequence of numbers that a seed fixes (Steele, Lea, Flood 2014).
fileprivate struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
