import AuthorizationFixture
import Chronology
import Dispatch
import Foundation
import IMAP
import Ledger
import Logging
import Profiles
import Settings
import Synchronization
import Testing
import Upkeep
import YAMLSource

@testable import Fleet
@testable import Ingest
@testable import Store

/// What a worker does for a household beside reading its mailboxes.
@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct ServiceTests {
    /// A household with a webhook, and the configuration of its workers.
    private final class Home {
        let sample: FleetSample
        let hook: HookServer
        private let folder: KeyFolder
        private let fleet: FleetConfiguration

        /// - Parameter ledger: fills the ledger of the household before it is added.
        init(_ ledger: (Store) throws -> Void = { _ in }) throws {
            (sample, hook, folder) = (try FleetSample(), try HookServer(), try KeyFolder())
            let key = try BoxPrivateKey()
            let keys = try folder.file(key)
            fleet = try FleetConfiguration(
                YAMLFile(
                    path: sample.path("fleet.yaml"),
                    bytes: Array(
                        """
                        postgresql: "\(sample.conninfo)"
                        mailboxes: 10
                        copies: copies
                        parsers: parsers
                        key_file: \(keys.file.path)
                        local_receivers: true
                        """.utf8)))
            let file = try sample.ledger("anna")
            try ledger(file)
            try sample.households.add(
                "anna",
                settings: """
                    notifications:
                      - { name: hook, kind: webhook, url: '\(hook.url)', events: [transaction, due], max_age: 3650d }
                    """, mailboxes: [("box0", "imap.example")], ledger: file)
            let place = SealedPassword.Place(household: "anna", receiver: "hook", host: "127.0.0.1:\(hook.port)")
            let secret = Array("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8)
            try PasswordTable(sample.database).set(
                SealedPassword(secret, for: place, to: key.publicKey), for: place)
        }

        /// Leases the household to a new worker.
        func lease(_ name: String) throws -> Lease {
            try #require(try sample.leases.acquire(sample.leases.register(name, capacity: 10)).first)
        }

        /// An open copy with its services, and the tasks of its upkeep.
        ///
        /// - Parameter mailboxes: those that are watched.
        func open(
            _ lease: Lease, mailboxes watched: [any MailboxWatcher] = []
        ) throws -> (store: Store, services: HouseholdServices, jobs: [UpkeepJob]) {
            var opened: (household: Household, settings: Settings)?
            let path = sample.path("copy-\(lease.fence).db")
            let store = try sample.households.copy(lease) { household, primary, rows in
                opened = (household, try HouseholdSettings.read(household, database: path, fleet))
                return try Store(copy: path, of: primary, rows: rows)
            }
            let (household, read) = try #require(opened)
            var settings = read
            settings.notifications = household.receivers(
                read.notifications, with: fleet.keyFile, PasswordTable(sample.database))
            let profiles = ProfilesInForce(try ProfileSet(directories: [], samples: false))
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let states = MailboxStates()
            let mailboxes = MailboxContext(
                store: store, profiles: profiles, states: states, logger: logger, decisions: settings.decisions)
            for mailbox in watched {
                states.set(MailboxHealth(mailbox: mailbox.name, state: .watching, since: .now), within: nil)
            }
            let services = try HouseholdServices(mailboxes, settings, mailboxes: watched)
            let context = UpkeepContext(
                store: store, settings: settings, profiles: profiles, mailboxes: { [] }, states: states,
                logger: logger, statementPasswords: { [] })
            return (store, services, UpkeepJob.all(context))
        }

        func read<Value>(_ lease: Lease, _ body: (Store) throws -> Value) throws -> Value {
            let path = sample.path("read-\(UUID().uuidString).db")
            return try body(
                sample.households.copy(lease) { try Store(copy: path, of: $1, rows: $2) })
        }
    }

    /// The message that a worker has left is sent by the next one, and no more by the former, which still has it.
    @Test(.timeLimit(.minutes(2))) func aNotificationIsSentByTheWorkerThatHoldsTheLease() throws {
        let home = try Home()
        let first = try home.lease("first")
        let (store, services, _) = try home.open(first)
        try store.recording.record([mail(1)])
        #expect(services.take(.delivery))
        // One thread at a time.
        #expect(!services.take(.delivery))
        services.run(.delivery)
        #expect(home.hook.deliveries.count == 1)
        #expect(home.hook.deliveries.first?.headers["webhook-signature"]?.hasPrefix("v1,") == true)
        #expect(try home.read(first) { try $0.outbox.messages().map(\.state) } == [.sent])
        // Nothing wakes it any more.
        #expect(!services.take(.delivery))

        home.hook.answer(500)
        try store.recording.record([mail(2, .book(draft(30_000)))])
        #expect(services.take(.delivery))
        services.run(.delivery)
        #expect(home.hook.deliveries.count == 2)
        #expect(try store.outbox.retry() == 1)
        home.hook.answer(200)
        try home.sample.expireLeases()
        let second = try home.lease("second")
        let (_, others, _) = try home.open(second)
        #expect(others.take(.delivery))
        others.run(.delivery)
        #expect(home.hook.deliveries.count == 3)
        let ids = home.hook.deliveries.map { $0.headers["webhook-id"] ?? "" }
        #expect(ids.count == 3 && ids.suffix(2).first == ids.last && ids.first != ids.last)
        services.ledgerChanged()
        #expect(services.take(.delivery))
        services.run(.delivery)
        #expect(home.hook.deliveries.count == 3)
        #expect(store.hasEnded)
    }

    @Test(.timeLimit(.minutes(2))) func aTestThatAReplicaAsksForIsSent() throws {
        let home = try Home()
        let lease = try home.lease("one")
        let (store, services, _) = try home.open(lease)
        if services.take(.delivery) { services.run(.delivery) }
        let replica = try home.sample.replica(lease.household)
        try replica.outbox.requestTrial(of: "hook", at: .now)
        #expect(!services.take(.delivery))
        try store.catchUp(to: home.sample.version(lease.household))
        services.ledgerChanged()
        #expect(services.take(.delivery))
        services.run(.delivery)
        #expect(home.hook.deliveries.count == 1)
        #expect(try home.read(lease) { try $0.outbox.sinkStates().map(\.trialAt) }.first != .some(nil))
    }

    /// Mail of January, opened months later.
    @Test(.timeLimit(.minutes(2))) func oldRawMailGoesAndDueItemsAreBooked() throws {
        let home = try Home { ledger in
            try ledger.recording.record([mail(1), mail(2, .review(draft(200)))])
            var item = RecurringItem(
                name: "Rent", amount: Money(minorUnits: 100, currency: .inr), rule: try RecurrenceRule("FREQ=MONTHLY"),
                start: CalendarDate(iso: "2026-01-06") ?? CalendarDate(daysSince1970: 0))
            item.mode = .posted
            _ = try ledger.recurring.add(item, by: Actor(.rule))
        }
        let lease = try home.lease("one")
        func counts() throws -> (raw: Int, transactions: Int) {
            let all = try home.read(lease) { try rows(of: $0) }
            return (all["raw_messages"]?.count ?? 0, all["transactions"]?.count ?? 0)
        }
        let before = try counts()
        #expect(before.raw == 2)
        let (_, services, _) = try home.open(lease)
        #expect(services.take(.upkeep))
        services.run(.upkeep)
        // What waits for a person keeps its bytes.
        let after = try counts()
        #expect(after.raw == 1)
        #expect(after.transactions > before.transactions)
    }

    /// A worker has hundreds of households to which nothing happens.
    @Test(.timeLimit(.minutes(2))) func anIdleHouseholdCommitsNothing() throws {
        let home = try Home { ledger in
            try ledger.recording.record((1...4).map { mail($0, .book(draft(25_000 + Int64($0)))) })
        }
        let lease = try home.lease("one")
        let (store, services, jobs) = try home.open(lease)
        #expect(try !store.userAccounts.all().isEmpty)
        func pass() {
            for job in jobs { job.run(isStopped: { false }) }
            services.ledgerChanged()
            if services.take(.delivery) { services.run(.delivery) }
        }
        // The first time dues are not announced yet.
        for _ in 0..<2 { pass() }
        let version = try home.sample.version(lease.household)
        for _ in 0..<2 { pass() }
        #expect(try home.sample.version(lease.household) == version)
        #expect(home.hook.deliveries.isEmpty)
    }

    private struct Mailbox: MailboxWatcher {
        let name = "box0"
        let folders = ["INBOX"]
        let wake = Wake()
        func runOnce() throws {}
        func followClock() {}
        func run() {}
    }

    /// Nothing changes the ledger when the time of a retry comes.
    @Test(.timeLimit(.minutes(2))) func aFailedMailIsRetriedAtItsTime() throws {
        let home = try Home { ledger in
            // A minute later is in two seconds.
            let past = try Store(path: ledger.path, readOnly: false) { UnixTime.now - 58 }
            try past.mailboxes.setCursor(
                FolderCursor(uidValidity: 1, nextUID: 9), of: FolderKey(mailbox: "box0", folder: "INBOX"))
            try past.recording.record([mail(1, .failed(.notFetched("the server has no text for it")))])
        }
        let lease = try home.lease("one")
        let mailbox = Mailbox()
        let (_, services, _) = try home.open(lease, mailboxes: [mailbox])
        let version = try home.sample.version(lease.household)
        let limit = Deadline.after(.seconds(60))
        var passes = 0
        while !mailbox.wake.consume(), !limit.isPast {
            if services.take(.upkeep) {
                services.run(.upkeep)
                passes += 1
            }
            _ = Wake().wait(until: .after(.milliseconds(100)))
        }
        #expect(!limit.isPast && passes <= 3)
        #expect(try home.sample.version(lease.household) == version)
    }

    @Test(.timeLimit(.minutes(2))) func nothingBeginsAfterAStop() throws {
        let home = try Home()
        let (store, services, _) = try home.open(home.lease("one"))
        try store.recording.record([mail(1)])
        #expect(services.take(.delivery) && services.take(.upkeep))
        services.stop()
        services.run(.delivery)
        services.run(.upkeep)
        services.waitUntilEnded()
        #expect(home.hook.deliveries.isEmpty)
        #expect(!services.take(.delivery) && !services.take(.upkeep))
    }
}

@Suite struct WorkLaneTests {
    @Test(.timeLimit(.minutes(1))) func aLaneHasItsThreadsAtMost() {
        let lane = WorkLane(threads: 2)
        let (gate, group) = (DispatchSemaphore(value: 0), DispatchGroup())
        let counts = Mutex((running: 0, most: 0, done: 0))
        for _ in 0..<8 {
            group.enter()
            lane.add {
                counts.withLock {
                    $0.running += 1
                    $0.most = max($0.most, $0.running)
                }
                gate.wait()
                counts.withLock {
                    $0.running -= 1
                    $0.done += 1
                }
                group.leave()
            }
        }
        for _ in 0..<8 { gate.signal() }
        group.wait()
        #expect(counts.withLock { $0.most <= 2 && $0.done == 8 })
    }
}
