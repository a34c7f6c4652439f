import PostgreSQL
import Testing

@testable import Fleet

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct ProviderTests {
    private func add(_ sample: FleetSample, _ name: String, _ hosts: String...) throws {
        try sample.households.add(
            name, settings: "", mailboxes: hosts.enumerated().map { ("box\($0)", $1) }, ledger: sample.ledger(name))
    }

    /// As if nobody took the free households for longer than the share of a worker counts.
    private func makeOverdue(_ sample: FleetSample) throws {
        try sample.sql(
            "UPDATE fleet.leases SET free_since = free_since - interval '1 minute' WHERE worker_id IS NULL")
    }

    @Test func theFleetsLimitIsKeptAndStatusSaysWhy() throws {
        let sample = try FleetSample()
        let providers = ProviderTable(sample.database)
        for name in ["a", "b"] { try add(sample, name, "IMAP.example", "imap.example") }
        try add(sample, "c", "imap.example")
        try add(sample, "d", "other.example")
        try providers.set("Imap.Example", fleet: 3, worker: nil)
        let worker = try sample.leases.register("one", capacity: 100)
        #expect(try sample.leases.acquire(worker).count == 3)
        #expect(try sample.leases.acquire(worker).isEmpty)
        let other = try sample.leases.register("two", capacity: 100)
        try makeOverdue(sample)
        #expect(try sample.leases.acquire(other).isEmpty)
        let status = try sample.households.status()
        #expect(
            status.map { $0.wait?.description } == [
                nil, "imap.example: needs 2 connections, and 3 of 3 for the fleet are used", nil, nil,
            ])
        #expect(
            try providers.all().map { "\($0.host) \($0.mailboxes) \($0.used) \($0.mostOfWorker)" } == [
                "imap.example 5 3 3", "other.example 1 1 1",
            ])
        // A higher limit, or none, lets it go on.
        #expect(try providers.remove("imap.example"))
        #expect(try providers.remove("imap.example") == false)
        #expect(try sample.leases.acquire(other).count == 1)
    }

    @Test func aWorkersLimitLeavesTheRestToOthers() throws {
        let sample = try FleetSample()
        try ProviderTable(sample.database).set("imap.example", fleet: nil, worker: 2)
        for name in ["a", "b", "c"] { try add(sample, name, "imap.example") }
        try add(sample, "large", "imap.example", "imap.example", "imap.example")
        let workers = try (0..<2).map { try sample.leases.register("w\($0)", capacity: 100) }
        try makeOverdue(sample)
        #expect(try sample.leases.acquire(workers[0]).count == 2)
        #expect(try sample.leases.acquire(workers[0]).isEmpty)
        #expect(try sample.leases.acquire(workers[1]).count == 1)
        #expect(try sample.leases.acquire(workers[1]).isEmpty)
        let status = try #require(try sample.households.status().first { $0.household == "large" })
        #expect(status.wait == .workerLimit(host: "imap.example", needed: 3, limit: 2))
    }

    /// A worker with more than its share gives nothing back that no other may take.
    @Test func aHouseholdIsNotPassedToAWorkerAtItsLimit() throws {
        let sample = try FleetSample()
        for name in ["a", "b", "c", "d", "e"] { try add(sample, name, "imap.example") }
        let first = try sample.leases.register("one", capacity: 100)
        #expect(try sample.leases.acquire(first).count == 5)
        try ProviderTable(sample.database).set("imap.example", fleet: nil, worker: 1)
        let second = try sample.leases.register("two", capacity: 100)
        let surplus = try sample.leases.surplus(of: first)
        #expect(surplus.count == 1)
        let given = try #require(surplus.first)
        try sample.sql(
            "UPDATE fleet.leases SET worker_id = $2, fence = fence + 1 WHERE household_id = $1",
            [.bigint(given), .bigint(second)])
        try sample.sql("UPDATE fleet.workers SET held = fleet.held(id)")
        // Four and one of five: the share of the other is three.
        #expect(try sample.leases.surplus(of: first).isEmpty)
        #expect(try ProviderTable(sample.database).remove("imap.example"))
        #expect(try !sample.leases.surplus(of: first).isEmpty)
    }

    @Test func workersThatLeaseAtOnceKeepTheLimitTogether() async throws {
        let sample = try FleetSample()
        for number in 0..<24 { try add(sample, "h\(number)", "imap.example") }
        try ProviderTable(sample.database).set("imap.example", fleet: 10, worker: 4)
        try makeOverdue(sample)
        let leases = try await withThrowingTaskGroup(of: [Lease].self) { group in
            for number in 0..<4 {
                group.addTask {
                    let database = FleetDatabase(sample.conninfo)
                    let worker = try LeaseTable(database).register("w\(number)", capacity: 100)
                    return try (0..<5).flatMap { _ in try LeaseTable(database).acquire(worker) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(leases.count == 10)
        for (_, held) in Dictionary(grouping: leases, by: \.worker) { #expect(held.count <= 4) }
    }

    @Test func theReasonOfEachWaitIsFound() throws {
        let sample = try FleetSample()
        try sample.add("none", mailboxes: 0)
        try sample.add("old")
        try sample.add("large", mailboxes: 5)
        try sample.add("small")
        try sample.sql("UPDATE fleet.households SET ledger_migration = 'later' WHERE name = 'old'")
        func waits() throws -> [WaitReason?] { try sample.households.status().map(\.wait) }
        #expect(try waits() == [.noWorker, .noMailboxes, .otherTables, .noWorker])
        _ = try sample.leases.register("w", capacity: 4)
        #expect(try waits() == [.noRoom(mailboxes: 5), .noMailboxes, .otherTables, .soon])
    }
}

@Suite struct LeaseChoiceTests {
    private static let candidates = [
        LeaseChoice.Candidate(household: 1, mailboxes: 2, isOverdue: false, connections: ["a": 2]),
        LeaseChoice.Candidate(household: 2, mailboxes: 3, isOverdue: false, connections: ["a": 1, "b": 2]),
        LeaseChoice.Candidate(household: 3, mailboxes: 1, isOverdue: true),
    ]

    @Test(
        arguments: [
            (10, 10, [:], [1, 2, 3]), (2, 10, [:], [1, 3]), (2, 2, [:], [1]), (0, 10, [:], [3]), (-3, 10, [:], [3]),
            (10, 0, [:], []), (10, 10, ["a": 2], [1, 3]), (10, 10, ["a": 1], [2, 3]),
            (10, 10, ["a": 9, "b": 1], [1, 3]),
            (10, 10, ["a": -1], [3]),
        ] as [(Int64, Int64, [String: Int64], [Int64])]) func roomAndLimitsAreKept(
            _ fair: Int64, _ most: Int64, _ left: [String: Int64], _ expected: [Int64]
        )
    {
        var choice = LeaseChoice(fair: fair, most: most, left: left)
        #expect(choice.choose(from: Self.candidates) == expected)
    }
}
