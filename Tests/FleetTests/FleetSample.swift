import Chronology
import ChronologyFixture
import Foundation
import Ledger
import PostgreSQL
import PostgresFixture
import Testing

@testable import Fleet
@testable import Store

/// A database with a fleet's schema, and a folder for ledgers.
final class FleetSample: Sendable {
    static let isPossible = PostgresFixture.isInstalled
    static let need: Comment = "needs Debian's package postgresql-15"

    let conninfo: String
    let database: FleetDatabase
    let leases: LeaseTable
    let households: Households
    let folder: URL

    init() throws {
        conninfo = try PostgresFixture.database()
        database = FleetDatabase(conninfo)
        try database.migrate()
        leases = LeaseTable(database)
        households = Households(database)
        folder = FileManager.default.temporaryDirectory.appending(path: "spendwise-fleet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// A new SQLite ledger.
    func ledger(_ name: String) throws -> Store {
        try Store(path: path("\(name).db"), readOnly: false, now: { FleetSample.now })
    }

    /// Adds a household with an empty ledger and mailboxes.
    @discardableResult
    func add(_ name: String, mailboxes: Int = 1) throws -> Int64 {
        try households.add(
            name, settings: "", mailboxes: (0..<mailboxes).map { ("box\($0)", "imap.example") },
            ledger: ledger(name))
    }

    /// Opens the working copy of a lease, with a clock that stands still.
    func copy(_ lease: Lease, on households: Households? = nil, _ name: String = "copy") throws -> Store {
        try (households ?? self.households).copy(lease) {
            try open("\(name)-\(lease.household)-\(lease.fence)", $1, $2)
        }
    }

    /// Opens a replica's copy of a household.
    func replica(_ household: Int64, on households: Households? = nil, _ name: String = "replica") throws -> Store {
        try (households ?? self.households).copy(of: household) { try open("\(name)-\(household)", $1, $2) }
    }

    private func open(_ name: String, _ primary: any LedgerPrimary, _ rows: Households.RowSource) throws -> Store {
        let file = path("\(name).db")
        try LedgerRowCopy.write(file, isCopy: true, rows)
        return try Store(path: file, readOnly: false, primary: primary, now: { FleetSample.now })
    }

    /// The number of the household's commits.
    func version(_ household: Int64) throws -> Int64 {
        let found = try database.withConnection {
            try $0.run("SELECT version FROM fleet.leases WHERE household_id = $1", [.bigint(household)]) {
                $0.bigint(0)
            }
        }
        return (found.first ?? nil) ?? -1
    }

    /// A household with one mailbox, leased by a new worker.
    func leased(_ name: String = "anna") throws -> Lease {
        try add(name)
        let worker = try leases.register("w-\(name)", capacity: 100)
        return try #require(try leases.acquire(worker).first)
    }

    /// Changes the database as time or another program would.
    func sql(_ sql: String, _ values: [PostgresValue] = []) throws {
        try database.withConnection { try $0.run(sql, values) }
    }

    /// Ends all workers as another one does once their time has passed.
    func expireLeases() throws {
        try sql("UPDATE fleet.workers SET seen_at = seen_at - interval '1 minute'")
        try leases.endDead()
    }

    /// Lets all workers live, for a test that takes longer than a lease on a slow machine.
    func keepLeases() throws {
        try sql("UPDATE fleet.workers SET seen_at = clock_timestamp() + interval '1 hour'")
    }

    static let now: UnixTime = 1_767_600_000  // 2026-01-05T08:00:00Z
}

/// All rows of a ledger, a line for each, in an order of their own.
func rows(of store: Store) throws -> [String: Set<[LedgerValue]>] {
    try store.read { store in
        var all: [String: Set<[LedgerValue]>] = [:]
        for table in try store.tables() {
            var rows: Set<[LedgerValue]> = []
            try store.eachRow(of: table) { rows.insert($0) }
            all[table.name] = rows
        }
        return all
    }
}

/// A bank's mail, read as a payment by UPI; its Message-ID and digest follow from its UID.
func mail(
    _ uid: UInt32, _ outcome: Decision.Disposition = .book(draft()), folder: String = "INBOX",
    subject: String = "Payment of ₹250", id: UInt32? = nil, raw: [UInt8]? = Array("Subject: x\r\n\r\ny".utf8)
) -> MailEntry {
    let decision = Decision(
        outcome,
        by: Decision.Source(
            profile: "hdfc", bank: "HDFC Bank", version: "3f2a", template: "hdfc/upi-debit",
            authentication: "pass (dmarc)"),
        confidence: 0.9, reasons: [Reason(name: "template", weight: 0.9, note: "read by a template")])
    return MailEntry(at: MailLocation(mailbox: "box0", folder: folder, uidValidity: 1, uid: uid), decision) {
        $0.messageID = "<\(id ?? uid)@bank.example>"
        $0.contentDigest = [UInt8](repeating: UInt8(truncatingIfNeeded: id ?? uid), count: 32)
        $0.fromAddress = "alerts@bank.example"
        $0.subject = subject
        $0.sentAt = 1_767_599_000
        $0.receivedAt = 1_767_599_100 + Int64(uid)
        $0.raw = raw
    }
}

func draft(_ minor: Int64 = 25_000, type: TransactionType = .expense, reference: String? = nil) -> TransactionDraft {
    var draft = TransactionDraft(
        amount: Money(minorUnits: minor, currency: .inr), type: type, channel: .upi,
        date: CalendarDate(iso: "2026-01-05") ?? CalendarDate(daysSince1970: 0), occurredAt: 1_767_600_000)
    draft.merchant = "CAFÉ NOIR"
    draft.account = "4321"
    draft.reference = reference
    draft.balance = Money(minorUnits: 1_000_000, currency: .inr)
    return draft
}
