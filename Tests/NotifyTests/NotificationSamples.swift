import Chronology
import ChronologyFixture
import DovecotFixture
import Foundation
import Ledger
import Logging
import Settings
import Synchronization
import YAMLSource

@testable import Notify
@testable import Store

/// Half past one in the afternoon in India on 5 January 2026, a Monday.
let monday: UnixTime = 1_767_600_000

/// A clock that the test moves.
final class TestClock: Sendable {
    private let seconds = Atomic<Int64>(monday.seconds)

    var now: @Sendable () -> UnixTime { { UnixTime(seconds: self.seconds.load(ordering: .relaxed)) } }
    func advance(_ by: Int64) { seconds.add(by, ordering: .relaxed) }
}

/// A folder with a ledger and secrets, removed with its value.
final class Desk {
    let folder: String
    let clock = TestClock()
    private var count: UInt32 = 0

    init() throws {
        folder = NSTemporaryDirectory() + "notify-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open() throws -> Store { try Store(path: folder + "/ledger.db", readOnly: false, now: clock.now) }

    func write(_ text: String, to name: String) throws {
        _ = FileManager.default.createFile(
            atPath: folder + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    }

    /// The sinks of a `notifications:` list.
    func sinks(_ yaml: String) throws -> [SinkSettings] {
        let text = "database: ledger.db\nparsers: parsers\nnotifications:\n" + yaml
        return try Settings(YAMLFile(path: folder + "/spendwise.yaml", bytes: Array(text.utf8))).notifications
    }

    func delivery(_ yaml: String, _ store: Store, chance: Double = 0) throws -> Delivery {
        Delivery(
            sinks: try sinks(yaml), store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: clock.now, chance: { chance })
    }

    /// A mail received `ago` seconds before now, with a payment to `merchant`.
    func mail(
        _ merchant: String = "CAFÉ NOIR", _ minor: Int64 = 123_450, _ outcome: Outcome = .recorded, ago: Int64 = 10,
        type: TransactionType = .expense
    ) -> MailEntry {
        count += 1
        var draft = TransactionDraft(
            amount: Money(minorUnits: minor, currency: .inr), type: type, channel: .upi,
            date: clock.now().day(), occurredAt: clock.now() - ago)
        draft.time = TimeOfDay(iso: "12:13:14")
        draft.merchant = merchant
        draft.account = "4321"
        draft.reference = "REF\(count)"
        let decision = Decision(
            outcome == .recorded ? .book(draft) : outcome == .ignored ? .ignored : .review(draft),
            by: Decision.Source(
                profile: "hdfc", bank: "HDFC Bank", version: "1", template: "hdfc/upi", authentication: "pass (dmarc)"),
            confidence: 0.9, reasons: [Reason(name: "template", weight: 0.9, note: "read by a template")])
        return MailEntry(at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: count), decision) {
            $0.messageID = "<\(count)@bank.example>"
            $0.contentDigest = [UInt8(truncatingIfNeeded: count)]
            $0.fromAddress = "alerts@bank.example"
            $0.subject = "Payment"
            $0.sentAt = clock.now() - ago
            $0.receivedAt = clock.now() - ago
        }
    }
}

/// Runs blocking code on its own thread: the test's server needs the few threads of the cooperative pool.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}
