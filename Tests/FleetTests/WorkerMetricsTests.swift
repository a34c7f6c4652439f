import Chronology
import Codecs
import ExpositionFixture
import Foundation
import Monitoring
import Testing

@testable import Fleet
@testable import Store

@Suite struct WorkerMetricsTests {
    private static let now = UnixTime(seconds: 1_767_600_000)

    private static func mailbox(
        _ host: String, _ state: MailboxHealth.State, answeredBefore age: Int64?
    )
        -> WorkerSnapshot.Mailbox
    {
        WorkerSnapshot.Mailbox(
            host: host,
            health: MailboxHealth(mailbox: "private name", state: state, since: now) {
                $0.lastProbe = age.map { now - $0 }
                $0.reason = state == .refused ? "private reason" : nil
            })
    }

    private static func worker() -> WorkerSnapshot {
        var worker = WorkerSnapshot()
        worker.leaseAge = 4
        worker.households = 2
        worker.mailboxes = [
            mailbox("imap.example", .watching, answeredBefore: 10),
            mailbox("IMAP.example", .refused, answeredBefore: 90),
            mailbox("other.example", .connecting, answeredBefore: nil),
        ]
        worker.commits = CommitMeter.Figures(commits: 3, failures: 1, nanoseconds: 1_500_000_000)
        return worker
    }

    private static func fleet() -> FleetSummary {
        var fleet = FleetSummary()
        fleet.health.mailboxes = ["watching": 5, "overdue": 1]
        fleet.health.oldestSuccess = 77
        (fleet.households, fleet.householdsWithoutWorker, fleet.workers) = (4, 1, 2)
        fleet.providers = [
            ProviderTable.Provider(
                host: "imap.example", mailboxes: 6, used: 5, mostOfWorker: 3, fleetLimit: 9, workerLimit: 4)
        ]
        return fleet
    }

    private static func page(_ fleet: FleetSummary?) throws -> ExpositionParser {
        try ExpositionParser(text(worker(), fleet))
    }

    private static func text(_ worker: WorkerSnapshot, _ fleet: FleetSummary?) -> String {
        WorkerMetrics(worker, fleet, version: "1", process: .now(startTime: now), now: now).text
    }

    @Test func everyFigureIsThere() throws {
        let page = try Self.page(Self.fleet())
        func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            page.samples.first { $0.name == "spendwise_fleet_" + name && $0.labels == labels }?.value
        }
        #expect(value("worker_lease_age_seconds") == 4)
        #expect(value("worker_commits_total") == 3 && value("worker_commit_failures_total") == 1)
        #expect(value("worker_commit_seconds_total") == 1.5)
        #expect(value("worker_mailboxes", ["state": "refused"]) == 1)
        #expect(value("worker_mailboxes", ["state": "waiting"]) == 0)
        #expect(value("worker_provider_mailboxes", ["host": "imap.example"]) == 2)
        #expect(value("worker_provider_failing_mailboxes", ["host": "imap.example"]) == 1)
        #expect(value("worker_provider_oldest_success_seconds", ["host": "imap.example"]) == 90)
        #expect(value("worker_provider_oldest_success_seconds", ["host": "other.example"]) == nil)
        #expect(value("database_up") == 1 && value("mailboxes", ["state": "overdue"]) == 1)
        #expect(value("households_without_worker") == 1 && value("workers") == 2)
        #expect(value("oldest_success_seconds") == 77)
        #expect(value("provider_connections", ["host": "imap.example"]) == 5)
        #expect(value("provider_connection_limit", ["host": "imap.example"]) == 9)
    }

    @Test func aDatabaseThatCannotBeReadIsAFigure() throws {
        let page = try Self.page(nil)
        #expect(page.samples.first { $0.name == "spendwise_fleet_database_up" }?.value == 0)
        #expect(!page.samples.contains { $0.name == "spendwise_fleet_households" })
        #expect(page.samples.contains { $0.name == "spendwise_fleet_worker_households" })
    }

    @Test func noMailboxIsNamed() { #expect(!Self.text(Self.worker(), Self.fleet()).contains("private")) }

    @Test func aWorkerFailsWithoutItsLeases() {
        var worker = Self.worker()
        #expect(worker.faults.isEmpty && worker.isAlive && worker.refused == 1)
        worker.leaseAge = LeaseTable.seconds + 1
        #expect(worker.faults == ["the leases were not renewed for 26 s; the log of the worker gives the reason"])
        // Another start would not bring PostgreSQL back.
        #expect(worker.isAlive)
        worker.stepAge = WorkerSnapshot.longestStep + 1
        #expect(!worker.isAlive && worker.faults.count == 2)
        var hanging = Self.worker()
        hanging.areAlive = false
        #expect(!hanging.isAlive && hanging.faults == ["the thread of a mailbox hangs"])
    }

    /// Every metric of a query of the dashboard exists, and so does every label.
    @Test func theDashboardAsksForWhatThereIs() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "config/grafana-fleet.json")
        let dashboard = try JSON(parsing: Array(Data(contentsOf: file)))
        var queries: [String] = []
        func collect(_ json: JSON) {
            switch json {
            case .object(let members):
                for (name, value) in members {
                    if name == "expr", let text = value.textValue { queries.append(text) }
                    collect(value)
                }
            case .array(let items): items.forEach(collect)
            default: break
            }
        }
        collect(dashboard)
        #expect(queries.count >= 10)
        let page = try Self.page(Self.fleet())
        var labels: [String: Set<String>] = [:]
        for sample in page.samples { labels[sample.name, default: []].formUnion(sample.labels.keys) }
        for query in queries {
            let names = query.matches(of: /(spendwise|process)_[a-z_]+/).map { String($0.output.0) }
            #expect(!names.isEmpty, "\(query)")
            for name in names { #expect(labels[name] != nil, "\(query) asks for \(name)") }
            let known = names.reduce(into: Set(["instance", "job"])) { $0.formUnion(labels[$1] ?? []) }
            for match in query.matches(of: /(?:by|without) \(([a-z_, ]+)\)/) {
                for label in match.output.1.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                    #expect(known.contains(label), "\(query) groups by \(label)")
                }
            }
        }
    }
}

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct FleetSummaryTests {
    @Test func theFleetIsCounted() throws {
        let sample = try FleetSample()
        let now = UnixTime.now
        for (name, state, due) in [
            ("anna", MailboxHealth.State.watching, now + 600), ("ben", .refused, now + 600),
            ("chi", .watching, now - 9),
        ] {
            let ledger = try sample.ledger(name)
            try ledger.mailboxes.setHealth(
                MailboxHealth(mailbox: "box", state: state, since: now) {
                    $0.lastProbe = now - (state == .refused ? 1000 : 5)
                    $0.due = due
                })
            try sample.households.add(
                name, settings: "", mailboxes: [("box", "imap.example"), ("new", "imap.example")], ledger: ledger)
        }
        let worker = try sample.leases.register("one", capacity: 4)
        #expect(try sample.leases.acquire(worker).count == 2)
        let summary = try FleetSummary(sample.database, FleetSummary.Health(sample.database))
        #expect(summary.health.mailboxes == ["watching": 1, "refused": 1, "overdue": 1, "unread": 3])
        #expect((summary.households, summary.householdsWithoutWorker, summary.workers) == (3, 1, 1))
        #expect((1000...1100).contains(summary.health.oldestSuccess ?? 0))
        #expect(summary.providers.map(\.used) == [4])
    }

    @Test func commitsAreMetered() throws {
        let sample = try FleetSample()
        let lease = try sample.leased()
        let meter = CommitMeter()
        let copy = try sample.households.copy(lease) { _, primary, rows in
            let file = sample.path("metered.db")
            try LedgerRowCopy.write(file, isCopy: true, rows)
            return try Store(
                path: file, readOnly: false, primary: meter.metered(primary), now: { FleetSample.now })
        }
        try copy.recording.record([mail(1)])
        try sample.expireLeases()
        #expect(throws: StoreError.self) { try copy.recording.record([mail(2)]) }
        #expect((meter.figures.commits, meter.figures.failures) == (1, 1))
        #expect(meter.figures.nanoseconds > 0)
    }
}
