import Chronology
import Monitoring
import Store

/// The metrics of a worker and of its fleet for Prometheus. They name mail servers, but no household and no mailbox.
struct WorkerMetrics {
    private typealias Sample = Exposition.Sample

    let text: String

    /// - Parameter fleet: `nil` if the database cannot be read.
    init(_ worker: WorkerSnapshot, _ fleet: FleetSummary?, version: String, process: ProcessMetrics, now: UnixTime) {
        var page = Exposition()
        page.family(
            "spendwise_fleet_build_info", .gauge, "Always 1; the version is a label.",
            [Sample([("version", version)], 1)])
        Self.worker(worker, &page)
        Self.mailboxes(worker.mailboxes, now, &page)
        page.gauge(
            "spendwise_fleet_database_up", "1 if the figures of the whole fleet could be read.", fleet == nil ? 0 : 1)
        if let fleet { Self.fleet(fleet, &page) }
        process.write(to: &page)
        text = page.text
    }

    private static func worker(_ worker: WorkerSnapshot, _ page: inout Exposition) {
        if let age = worker.leaseAge {
            page.gauge(
                "spendwise_fleet_worker_lease_age_seconds", "Seconds since this worker renewed its leases.",
                Double(age))
        }
        page.gauge(
            "spendwise_fleet_worker_alive", "1 if no thread of this worker hangs.", worker.isAlive ? 1 : 0)
        page.gauge("spendwise_fleet_worker_households", "Households of this worker.", Double(worker.households))
        page.family(
            "spendwise_fleet_worker_commits_total", .counter, "Transactions that PostgreSQL committed for this worker.",
            [Sample([], Double(worker.commits.commits))])
        page.family(
            "spendwise_fleet_worker_commit_failures_total", .counter,
            "Transactions of this worker that PostgreSQL did not confirm.",
            [Sample([], Double(worker.commits.failures))])
        page.family(
            "spendwise_fleet_worker_commit_seconds_total", .counter, "Time that these transactions took.",
            [Sample([], Double(worker.commits.nanoseconds) / 1e9)])
    }

    private static func mailboxes(
        _ mailboxes: [WorkerSnapshot.Mailbox], _ now: UnixTime, _ page: inout Exposition
    ) {
        page.family(
            "spendwise_fleet_worker_mailboxes", .gauge, "Mailboxes of this worker by state.",
            MailboxHealth.State.allCases.map { state in
                Sample([("state", state.rawValue)], Double(mailboxes.count { $0.health.state == state }))
            })
        let hosts = Dictionary(grouping: mailboxes) { $0.host.lowercased() }.sorted { $0.key < $1.key }
        page.family(
            "spendwise_fleet_worker_provider_mailboxes", .gauge, "Mailboxes of this worker at a mail server.",
            hosts.map { Sample([("host", $0.key)], Double($0.value.count)) })
        page.family(
            "spendwise_fleet_worker_provider_failing_mailboxes", .gauge,
            "Mailboxes of this worker at a mail server that cannot be read at present.",
            hosts.map { host, mailboxes in
                Sample(
                    [("host", host)],
                    Double(mailboxes.count { $0.health.state == .waiting || $0.health.state == .refused }))
            })
        page.family(
            "spendwise_fleet_worker_provider_oldest_success_seconds", .gauge,
            "Longest time since a mail server answered for a mailbox of this worker.",
            hosts.compactMap { host, mailboxes in
                mailboxes.compactMap { $0.health.lastProbe?.seconds }.min().map {
                    Sample([("host", host)], Double(max(0, now.seconds - $0)))
                }
            })
    }

    private static func fleet(_ fleet: FleetSummary, _ page: inout Exposition) {
        let states = MailboxHealth.State.allCases.map(\.rawValue) + ["unread", "overdue"]
        page.family(
            "spendwise_fleet_mailboxes", .gauge, "Mailboxes of the whole fleet by state.",
            states.map { Sample([("state", $0)], Double(fleet.health.mailboxes[$0] ?? 0)) })
        page.gauge("spendwise_fleet_households", "Households of the whole fleet.", Double(fleet.households))
        page.gauge(
            "spendwise_fleet_households_without_worker", "Households that no worker reads; see spendwise-fleet status.",
            Double(fleet.householdsWithoutWorker))
        page.gauge("spendwise_fleet_workers", "Workers that are alive.", Double(fleet.workers))
        if let age = fleet.health.oldestSuccess {
            page.gauge(
                "spendwise_fleet_oldest_success_seconds",
                "Longest time since a mail server answered for a mailbox of the fleet.", age)
        }
        func providers(_ name: String, _ help: String, _ value: (ProviderTable.Provider) -> Int64?) {
            page.family(
                "spendwise_fleet_provider_\(name)", .gauge, help,
                fleet.providers.compactMap { provider in
                    value(provider).map { Sample([("host", provider.host)], Double($0)) }
                })
        }
        providers("mailboxes", "Mailboxes of the whole fleet at a mail server.") { $0.mailboxes }
        providers("connections", "Connections of all workers to a mail server.") { $0.used }
        providers("connection_limit", "Most connections of all workers to a mail server.") { $0.fleetLimit }
        providers("worker_connection_limit", "Most connections of one worker to a mail server.") { $0.workerLimit }
    }
}
