import Chronology
import ChronologyFixture
import Foundation
import GRDB
import Glibc
import Ledger
import Synchronization

@testable import Store

/// A separate folder for one test, removed with its value.
final class Folder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/spendwise-store-XXXXXX".utf8CString)
        path =
            template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } }
            ?? "/tmp"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    var database: String { "\(path)/ledger.db" }
}

/// A clock that the test moves.
final class TestClock: Sendable {
    private let seconds = Atomic<Int64>(1_767_600_000)  // 2026-01-05T08:00:00Z

    var now: @Sendable () -> UnixTime { { UnixTime(seconds: self.seconds.load(ordering: .relaxed)) } }
    func advance(_ by: Int64) { seconds.add(by, ordering: .relaxed) }
}

/// A store with its folder; `entry` makes mails with ascending UIDs.
struct Fixture {
    let folder = Folder()
    let clock = TestClock()
    let store: Store
    let inbox = FolderKey(mailbox: "personal", folder: "INBOX")

    init() throws { store = try Store(path: folder.database, readOnly: false, now: clock.now) }

    func count(_ table: String, where condition: String = "1") throws -> Int {
        try store.readDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table) WHERE \(condition)") ?? -1 }
    }

    func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
        try store.readDatabase { try Value.fetchOne($0, sql: sql) }
    }

    /// All rows of every table that a mail changes, without values that differ between runs.
    func dump() throws -> [String] { try store.readDatabase(dumpRows) }
}

func dumpRows(_ db: Database) throws -> [String] {
    try String.fetchAll(
        db,
        sql: """
            SELECT mailbox || folder || uid_validity || '/' || uid || status || coalesce(template, '') || coalesce(hex(content_digest), '')
              || coalesce((SELECT uid FROM processed_emails f WHERE f.id = m.duplicate_of), '-') FROM processed_emails m ORDER BY uid_validity, uid
            """)
        + String.fetchAll(
            db,
            sql: """
                SELECT t.idempotency_key || t.status || t.amount_minor || t.provenance || (SELECT uid FROM processed_emails m WHERE m.id = t.source_email_id)
                FROM transactions t ORDER BY t.id
                """)
        + String.fetchAll(
            db,
            sql:
                "SELECT mailbox || folder || uid_validity || '/' || next_uid || searched_domains FROM mailbox_cursors ORDER BY 1"
        )
        + String.fetchAll(db, sql: "SELECT vendor_keyword || match_count FROM vendor_mappings ORDER BY 1")
}

func rupees(_ minor: Int64) -> Money { Money(minorUnits: minor, currency: .inr) }

func date(_ text: String) -> CalendarDate { CalendarDate(iso: text) ?? CalendarDate(daysSince1970: 0) }

/// A coffee by UPI without reference and time by default.
func draft(
    _ minor: Int64 = 25000, type: TransactionType = .expense, channel: Channel = .upi, on day: String = "2026-01-05",
    at time: String? = nil,
    merchant: String? = "CAFÉ NOIR", account: String? = "4321", reference: String? = nil, currency: Currency = .inr
) -> TransactionDraft {
    var draft = TransactionDraft(
        amount: Money(minorUnits: minor, currency: currency), type: type, channel: channel, date: date(day),
        occurredAt: 1_767_600_000)
    draft.time = time.flatMap(TimeOfDay.init(iso:))
    draft.merchant = merchant
    draft.account = account
    draft.reference = reference
    draft.balance = rupees(1_000_000)
    draft.spans = [.amount: 3..<10, .merchant: 20..<29]
    return draft
}

func decision(_ outcome: Outcome = .recorded, _ draft: TransactionDraft? = draft(), bank: String = "hdfc") -> Decision {
    Decision(
        disposition(outcome, draft),
        by: Decision.Source(
            profile: bank, bank: "HDFC Bank", version: "3f2a", template: "\(bank)/upi-debit",
            authentication: "pass (dmarc)"),
        confidence: 0.9,
        reasons: [Reason(name: "template", weight: 0.9, note: "read by a template with the words \"a\\b\"")])
}

/// The disposition that is recorded as `outcome`; only a draft that is booked or reviewed is part of it.
func disposition(_ outcome: Outcome, _ draft: TransactionDraft? = nil) -> Decision.Disposition {
    switch outcome {
    case .recorded: draft.map { .book($0) } ?? .review(nil)
    case .review: .review(draft)
    case .duplicate: .copy
    case .ignored: .ignored
    case .unclaimed: .unclaimed
    case .quarantined: .quarantined
    case .failed: .failed(.notFetched("broken"))
    }
}

/// A mail; its Message-ID and digest follow from its UID unless they are given.
func mail(
    _ uid: UInt32, _ decision: Decision, folder: String = "INBOX", mailbox: String = "personal", validity: UInt32 = 1,
    id: String?? = nil,
    sent: UnixTime? = 1_767_599_000, digest: [UInt8]?? = nil, raw: [UInt8]? = nil, text: String? = nil
) -> MailEntry {
    MailEntry(at: MailLocation(mailbox: mailbox, folder: folder, uidValidity: validity, uid: uid), decision) {
        $0.messageID = id ?? "<\(uid)@bank.example>"
        $0.contentDigest =
            digest ?? [UInt8](repeating: UInt8(truncatingIfNeeded: uid), count: 31) + [
                UInt8(truncatingIfNeeded: uid >> 8)
            ]
        $0.fromAddress = "alerts@bank.example"
        $0.subject = "Payment of ₹250"
        $0.sentAt = sent
        $0.receivedAt = 1_767_599_100 + Int64(uid)
        $0.raw = raw
        $0.textDigest = text
    }
}
