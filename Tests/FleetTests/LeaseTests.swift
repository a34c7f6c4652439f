import PostgreSQL
import Testing

@testable import Fleet
@testable import Store

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct LeaseTests {
    @Test func aLeaseIsHeldByOneWorkerUntilOthersEndIt() throws {
        let sample = try FleetSample()
        let first = try sample.leased()
        let other = try sample.leases.register("other", capacity: 100)
        try sample.leases.endDead()
        #expect(try sample.leases.acquire(other).isEmpty)
        #expect(try sample.leases.renew(first.worker)?.held[first.household]?.lease == first)
        try sample.sql(
            "UPDATE fleet.workers SET seen_at = seen_at - interval '1 minute' WHERE id = $1", [.bigint(first.worker)])
        #expect(try sample.leases.acquire(other).isEmpty)
        try sample.leases.endDead()
        #expect(try sample.leases.renew(first.worker) == nil)
        let second = try #require(try sample.leases.acquire(other).first)
        #expect((second.household, second.fence) == (first.household, first.fence + 1))
        #expect(try sample.leases.acquire(first.worker).isEmpty)
    }

    /// After PostgreSQL was unavailable all workers are late. Each that was not ended keeps its households.
    @Test func aLateWorkerKeepsWhatNobodyTook() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        #expect(try sample.leases.renew(lease.worker)?.isLate == false)
        let copy = try sample.copy(lease)
        try sample.sql("UPDATE fleet.workers SET seen_at = seen_at - interval '1 minute'")
        // Until it has renewed it sends no notification: another worker may end it at any time.
        #expect(throws: StoreError.self) { try copy.confirmWriter() }
        #expect(copy.hasEnded)
        let late = try #require(try sample.leases.renew(lease.worker))
        #expect(late.isLate && late.held[lease.household]?.lease == lease)
        try sample.leases.endDead()
        #expect(try sample.copy(lease, "next").recording.record([mail(1)]).first?.isNew == true)
        #expect(try sample.leases.renew(lease.worker)?.isLate == false)
    }

    @Test func aWorkerThatWasPausedCannotWrite() throws {
        let sample = try FleetSample()
        let first = try sample.leased()
        let paused = try sample.copy(first)
        try paused.recording.record([mail(1)])
        try sample.expireLeases()
        let error = #expect(throws: StoreError.self) { try paused.recording.record([mail(2)]) }
        #expect(error?.message.contains("the lease of the household has ended") == true)
        #expect(paused.hasEnded)
        // The other worker goes on from the first mail.
        let second = try #require(try sample.leases.acquire(sample.leases.register("other", capacity: 9)).first)
        let copy = try sample.copy(second)
        #expect(try copy.recording.record([mail(1), mail(2)]).map(\.isNew) == [false, true])
        #expect(throws: StoreError.self) { try paused.recording.record([mail(3)]) }
        try sample.households.export("anna", to: sample.path("after.db"))
        #expect(try rows(of: Store(path: sample.path("after.db"))) == rows(of: copy))
    }

    @Test func anOldFenceIsRefused() throws {
        let sample = try FleetSample()
        let first = try sample.leased()
        let old = try sample.copy(first)
        try sample.expireLeases()
        let second = try #require(try sample.leases.acquire(sample.leases.register("again", capacity: 9)).first)
        #expect(second.fence == first.fence + 1)
        #expect(throws: StoreError.self) { try old.recording.record([mail(1)]) }
        #expect(try sample.copy(second).recording.record([mail(1)]).first?.isNew == true)
    }

    @Test func aCopyThatMissedACommitCatchesUpFirst() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let stale = try sample.copy(lease, "stale")
        let copy = try sample.copy(lease, "copy")
        try copy.recording.record([mail(1)])
        #expect(try stale.recording.record([mail(1), mail(2)]).map(\.isNew) == [false, true])
        #expect(!stale.hasEnded && !copy.hasEnded)
        #expect(try rows(of: sample.copy(lease, "next")) == rows(of: stale))
    }

    @Test func whatIsGivenBackIsFreeAtOnce() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let other = try sample.leases.register("other", capacity: 100)
        try sample.leases.release(lease)
        #expect(try sample.leases.acquire(other).map(\.household) == [lease.household])
        // A late release of the former lease does not end the present one.
        try sample.leases.release(lease)
        #expect(try sample.leases.renew(other).map { Set($0.held.keys) } == [lease.household])
        try sample.leases.unregister(other)
        #expect(try sample.leases.acquire(lease.worker).map(\.household) == [lease.household])
    }

    @Test func aDrainingWorkerLearnsOfItAndGetsNothing() throws {
        let sample = try FleetSample()
        try sample.add("anna")
        let worker = try sample.leases.register("w", capacity: 100)
        #expect(try sample.leases.renew(worker)?.isDraining == false)
        #expect(try sample.leases.drain("w"))
        #expect(try sample.leases.drain("unknown") == false)
        #expect(try sample.leases.renew(worker)?.isDraining == true)
        #expect(try sample.leases.acquire(worker).isEmpty)
    }

    @Test func aWorkerTakesItsShareAndTheRestLater() throws {
        let sample = try FleetSample()
        for number in 0..<6 { try sample.add("h\(number)") }
        let workers = try (0..<3).map { try sample.leases.register("w\($0)", capacity: 100) }
        #expect(try sample.leases.acquire(workers[0]).count == 2)
        #expect(try sample.leases.acquire(workers[0]).isEmpty)
        #expect(try sample.leases.acquire(workers[1]).count == 2)
        // Nobody takes the others for a while: any worker may.
        try sample.sql(
            "UPDATE fleet.leases SET free_since = free_since - interval '11 seconds' WHERE worker_id IS NULL")
        #expect(try sample.leases.acquire(workers[0]).count == 2)
    }

    @Test func aNewWorkerGetsItsShareFromTheOthers() throws {
        let sample = try FleetSample()
        for number in 0..<4 { try sample.add("h\(number)") }
        let first = try sample.leases.register("w0", capacity: 100)
        var held = Dictionary(uniqueKeysWithValues: try sample.leases.acquire(first).map { ($0.household, $0) })
        #expect(held.count == 4)
        #expect(try sample.leases.surplus(of: first).isEmpty)
        let second = try sample.leases.register("w1", capacity: 100)
        let surplus = try sample.leases.surplus(of: first)
        #expect(surplus.count == 2)
        for household in surplus {
            let given = held.removeValue(forKey: household)
            try sample.leases.release(#require(given))
            // It does not take back what it gave.
            #expect(try sample.leases.acquire(first).isEmpty)
            #expect(try sample.leases.acquire(second).map(\.household) == [household])
        }
        #expect(try sample.leases.surplus(of: first).isEmpty)
        #expect(try sample.leases.surplus(of: second).isEmpty)
    }

    /// The mailboxes of a household that cannot be opened are not read until its lease is free. After a restart of
    /// PostgreSQL this concerns all households that were being opened.
    @Test func aFaultOfPostgreSQLKeepsALeaseForSeconds() throws {
        let unreachable = #expect(throws: PostgresError.self) { try PostgresConnection("host=/nowhere") }
        #expect(HouseholdRun.pause(after: try #require(unreachable)) == 5)
        #expect(HouseholdRun.pause(after: StoreError(PrimaryError(.nothing, "away"), path: "copy.db")) == 5)
        #expect(HouseholdRun.pause(after: StoreError(PrimaryError.leaseEnded, path: "copy.db")) == 60)
        #expect(HouseholdRun.pause(after: FleetError("the settings are wrong")) == 60)
    }

    @Test func aWorkerCountsTheMailboxesThatItHas() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        func held() throws -> [Int64?] {
            try sample.database.withConnection { try $0.run("SELECT held FROM fleet.workers") { $0.bigint(0) } }
        }
        #expect(try held() == [1])
        try sample.households.set("anna", settings: "", mailboxes: [("a", "imap.example"), ("b", "imap.example")])
        #expect(try sample.leases.renew(lease.worker) != nil)
        #expect(try held() == [2])
        try sample.leases.release(lease)
        #expect(try held() == [0])
    }

    /// A commit has the lease of its household locked. The renewal must not wait for it.
    @Test func aCommitDoesNotDelayARenewal() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let impatient = LeaseTable(FleetDatabase(sample.conninfo + " options='-c lock_timeout=200'"))
        try sample.database.withConnection { connection in
            try connection.transaction {
                try connection.run("SELECT FROM fleet.leases FOR UPDATE")
                #expect(try impatient.renew(lease.worker)?.held[lease.household]?.lease == lease)
            }
        }
    }

    /// A worker that opens its households some at a time leaves the others to those that have opened theirs.
    @Test func aWorkerTakesNoMoreThanItAsksFor() throws {
        let sample = try FleetSample()
        for name in ["anna", "ben", "cara"] { try sample.add(name) }
        let worker = try sample.leases.register("one", capacity: 100)
        #expect(try sample.leases.acquire(worker, atMost: 2).count == 2)
        #expect(try sample.leases.acquire(worker, atMost: 2).count == 1)
        #expect(try sample.leases.versions(leasedBy: worker).count == 3)
    }

    @Test func capacityCountsMailboxes() throws {
        let sample = try FleetSample()
        try sample.add("large", mailboxes: 5)
        try sample.add("a", mailboxes: 2)
        try sample.add("b", mailboxes: 2)
        try sample.add("none", mailboxes: 0)
        let worker = try sample.leases.register("w", capacity: 3)
        try sample.sql("UPDATE fleet.leases SET free_since = free_since - interval '11 seconds'")
        // The large one fits into no worker of this size and does not keep the others waiting.
        let leases = try sample.leases.acquire(worker)
        #expect(leases.count == 1)
        #expect(try sample.leases.acquire(worker).isEmpty)
    }

    @Test func workersThatLeaseAtOnceNeverShareAHousehold() async throws {
        let sample = try FleetSample()
        for number in 0..<20 { try sample.add("h\(number)") }
        let leases = try await withThrowingTaskGroup(of: [Lease].self) { group in
            for number in 0..<4 {
                group.addTask {
                    let worker = try sample.leases.register("w\(number)", capacity: 100)
                    return try (0..<5).flatMap { _ in try sample.leases.acquire(worker) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(leases.map(\.household)).count == leases.count)
    }

    @Test func aDeadWorkersConnectionLosesItsLocks() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let connection = try PostgresConnection(
            sample.conninfo, settings: [("application_name", "spendwise-fleet \(lease.worker)")])
        // Stopped between its first statement and its COMMIT.
        try connection.script("BEGIN")
        let beginning = HouseholdWriter.worker(lease).beginning(on: CommitMark(version: 0, writer: 0), by: 1)
        try connection.run(beginning.sql, beginning.values)
        let other = try sample.leases.register("other", capacity: 100)
        try sample.sql(
            "UPDATE fleet.workers SET seen_at = seen_at - interval '1 minute' WHERE id = $1", [.bigint(lease.worker)])
        try sample.leases.endDead()
        #expect(try sample.leases.acquire(other).map(\.household) == [lease.household])
        #expect(throws: PostgresError.self) { try connection.script("COMMIT") }
        #expect(try sample.leases.renew(lease.worker) == nil)
    }
}
