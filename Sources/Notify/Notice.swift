import Chronology
import Codecs
import Ledger
import Settings
import Store

/// One message to one sink, reduced to what the sink may know.
struct Notice: Sendable {
    struct Item: Sendable {
        /// Machine-readable type such as `transaction.booked`.
        var type: String
        var at: UnixTime
        /// One line.
        var summary: String
        var data: [(String, JSON?)]

        var json: JSON {
            .object([
                ("type", .string(type)), ("timestamp", .string(at.description)), ("data", .object(present: data)),
            ])
        }
    }

    /// Equal for all attempts.
    var id: String
    var title: String
    var body: String
    var items: [Item]
    /// Number of events, including those that are not listed.
    var count: Int
    /// Most severe kind of its events.
    var kind: NotificationKind
    var isOver: Bool
    var createdAt: UnixTime
    /// Replacement key: a later message with the same key may replace this one on a screen.
    var key: String

    /// True for a failure that a person must fix.
    var isGrave: Bool { !isOver && (kind == .mailbox || kind == .login || kind == .database) }

    /// Lines of a digest.
    static let linesShown = 10

    /// `nil` if nothing is left to report: the transaction was deleted, or decided by the person who would be notified.
    init?(_ events: [Notification], of message: OutboxMessage, for sink: SinkSettings) {
        let pairs = events.compactMap { event in NotificationText.of(event, for: sink).map { (event, $0) } }
        guard let first = pairs.first else { return nil }
        id = message.id
        createdAt = message.createdAt
        count = max(message.eventCount - (events.count - pairs.count), pairs.count)
        items = pairs.map { Item(type: $1.type, at: $0.at, summary: $1.summary, data: $1.data) }
        if count == 1 {
            (title, body) = (first.1.title, first.1.body)
            (kind, isOver) = (first.0.kind, first.0.isOver)
            let isState = kind == .mailbox || kind == .login
            key = isState ? "\(kind.rawValue):\(first.0.subject)" : message.id
            return
        }
        let gravest: [NotificationKind] = [
            .database, .login, .mailbox, .drift, .balance, .due, .budget, .statement, .review,
            .transaction,
        ]
        kind = gravest.first { kind in pairs.contains { $0.0.kind == kind && !$0.0.isOver } } ?? first.0.kind
        isOver = pairs.allSatisfy(\.0.isOver)
        key = message.id
        title = Self.sums(pairs.map(\.0), count: count)
        let lines = pairs.prefix(Self.linesShown).map(\.1.summary)
        body = (lines + (count > lines.count ? ["and \(count - lines.count) more"] : [])).joined(separator: "\n")
    }

    /// A test message, sent on request.
    init(trialOf sink: SinkSettings, id: String, at now: UnixTime) {
        self.id = id
        createdAt = now
        count = 1
        title = "SpendWise: a trial message"
        body = "If you can read this, the sink '\(sink.name)' works."
        items = [Item(type: "test", at: now, summary: body, data: [("sink", .string(sink.name))])]
        (kind, isOver, key) = (.transaction, false, id)
    }

    /// A report of a ledger failure, which the ledger cannot store.
    init(databaseFault reason: String?, id: String, at now: UnixTime) {
        self.id = id
        createdAt = now
        count = 1
        title = reason == nil ? "The ledger is written again" : "The ledger cannot be written"
        body = reason ?? "Nothing was lost; what waited is read now."
        items = [
            Item(
                type: reason == nil ? "database.recovered" : "database.trouble", at: now, summary: title,
                data: [("reason", reason.map(JSON.string))])
        ]
        (kind, isOver, key) = (.database, reason == nil, "database:")
    }

    /// `7 transactions, 2 to review`.
    private static func sums(_ events: [Notification], count: Int) -> String {
        var parts: [String] = []
        func add(_ kinds: Set<NotificationKind>, _ one: String, _ many: String) {
            let number = events.count { kinds.contains($0.kind) }
            if number > 0 { parts.append("\(number) \(number == 1 ? one : many)") }
        }
        guard count == events.count else { return "\(count) notifications" }
        add([.transaction], "transaction", "transactions")
        add([.review], "to review", "to review")
        add([.mailbox, .login, .database], "about a mailbox", "about mailboxes")
        add([.drift], "changed template", "changed templates")
        add([.balance], "account with a gap", "accounts with gaps")
        add([.due], "payment due", "payments due")
        add([.budget], "budget reached", "budgets reached")
        add([.statement], "statement that waits", "statements that wait")
        return parts.joined(separator: ", ")
    }
}
