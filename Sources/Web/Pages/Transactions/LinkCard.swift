import Chronology
import Hummingbird
import Ledger
import Store

/// The links of one kind that a transaction has at one end, with the questions about them.
struct LinkCard: Sendable {
    struct Line: Sendable {
        /// The ID of the link.
        var id: String
        /// The other transaction, or the mail of one that this transaction replaces.
        var path: String?
        var other: String
        var why: String
        var isMade: Bool
        /// The text of the button that undoes or rejects it.
        var no: String
    }

    var kind: String
    var title: String
    var sentence: String
    var lines: [Line]
    var back: String

    private struct End: Hashable {
        var kind: EventLinkKind
        /// True for the transaction that the link changes.
        var isChanged: Bool
    }

    /// The cards of a transaction.
    static func all(of row: TransactionRow, in ledger: Snapshot, back: String) throws -> [LinkCard] {
        let links = try ledger.eventLinks.links(of: [row.id])[row.id] ?? []
        let ends = Dictionary(grouping: links) { link in
            End(kind: link.kind == .reversal ? .refund : link.kind, isChanged: link.to.id == row.id)
        }
        return ends.sorted {
            ($0.key.kind.rawValue, $0.key.isChanged ? 1 : 0) < ($1.key.kind.rawValue, $1.key.isChanged ? 1 : 0)
        }
        .compactMap { end, links in LinkCard(end, links, back: back) }
    }

    private init?(_ end: End, _ links: [EventLinkRow], back: String) {
        guard let first = links.first else { return nil }
        self.back = back
        kind = end.kind.rawValue.replacing("_", with: "-") + (end.isChanged ? "-of" : "")
        let isAsked = links.allSatisfy { $0.state == .proposed }
        title = LinkText.title(end.kind, isChanged: end.isChanged, isAsked: isAsked)
        sentence = LinkText.sentence(first, isAsked: isAsked)
        lines = links.map { link in
            let other = end.isChanged ? link.from : link.to
            let isReplaced = link.state == .made && link.kind.isReplacement
            let path =
                isReplaced ? other.mailID.map { "/app/mails/\($0)?" } : "/app/transactions/\(other.id)?"
            return Line(
                id: "\(link.id)", path: path.map { $0 + FormFields.encoded([("back", back)]) },
                other: LinkText.transaction(other),
                why: LinkText.reason(link), isMade: link.state == .made,
                no: link.state == .made ? LinkText.no(link.kind) : "No")
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/links/{id}/confirm", on: router) { try await pages.decideLink($0, confirms: true) }
        pages.post("/app/links/{id}/reject", on: router) { try await pages.decideLink($0, confirms: false) }
    }
}

/// Describes links between the transactions of one event.
enum LinkText {
    /// The reason without the kind of link before it.
    static func reason(_ link: EventLinkRow) -> String {
        link.why.split(separator: ": ").last.map(String.init) ?? link.why
    }

    static func transaction(_ row: TransactionRow) -> String {
        let account = row.accountName ?? row.accountDigits.map { "account \($0)" }
        return [
            "\(row.vendor ?? row.vpa ?? "No merchant"), \(MoneyText.text(row.amount)), \(DayText.text(row.date))",
            row.time?.hoursAndMinutes, account,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    static func title(_ kind: EventLinkKind, isChanged: Bool, isAsked: Bool) -> String {
        switch (kind, isChanged, isAsked) {
        case (.refund, true, true), (.reversal, true, true): "A refund of a purchase?"
        case (.refund, true, false), (.reversal, true, false): "Refund of a purchase"
        case (.refund, false, true), (.reversal, false, true): "Was this refunded?"
        case (.refund, false, false), (.reversal, false, false): "Refunds"
        case (.sameEvent, _, true): "One payment, reported twice?"
        case (.sameEvent, _, false): "Also reported by"
        case (.settles, true, true): "Was a final amount charged for this?"
        case (.settles, false, true): "The final amount of an authorisation?"
        case (.settles, _, false): "Final amount of an authorisation"
        case (.instalment, true, true): "An instalment of a purchase?"
        case (.instalment, true, false): "Instalment of a purchase"
        case (.instalment, false, true): "Paid in instalments?"
        case (.instalment, false, false): "Paid in instalments"
        }
    }

    static func sentence(_ link: EventLinkRow, isAsked: Bool) -> String {
        switch link.kind {
        case .refund, .reversal:
            isAsked
                ? "If so, the money lowers what the purchase's category cost, and is no income."
                : "The money lowers what the category \(link.from.category) cost, and is no income."
        case .sameEvent:
            isAsked
                ? "If so, it counts once, and the other report stays as evidence."
                : "These reports are about this payment. They are evidence and count no second time."
        case .settles:
            isAsked
                ? "If so, only the final amount counts."
                : "The authorisation was replaced by this amount and does not count."
        case .instalment:
            isAsked
                ? "If so, the instalment is no further expense."
                : "The instalments are no further expenses: the purchase counts."
        }
    }

    /// The text of the button that undoes a link.
    static func no(_ kind: EventLinkKind) -> String {
        switch kind {
        case .refund, .reversal: "Not its refund"
        case .sameEvent: "Two payments"
        case .settles: "Two payments"
        case .instalment: "Not an instalment"
        }
    }
}

extension Pages {
    fileprivate func decideLink(_ call: PageCall, confirms: Bool) async throws -> Response {
        guard let id = Int64(call.parameter("id")) else { throw PageProblem.missing("link with this number") }
        let group = LedgerChange.newGroup()
        let (kind, wasMade) = try await services.write { [actor = call.context.actor] ledger in
            let wasMade = try ledger.eventLinks.find(id)?.state == .made
            let row =
                try confirms
                ? ledger.eventLinks.confirm(id, by: actor, group: group)
                : ledger.eventLinks.reject(id, by: actor, group: group)
            return (row.kind, wasMade)
        }
        let done = confirms ? (kind.isReturn ? "refund" : kind.rawValue) : wasMade ? "unlinked-pair" : "no-link"
        return seeOther(call.back(otherwise: "/app/questions"), done: done, undo: group)
    }
}
