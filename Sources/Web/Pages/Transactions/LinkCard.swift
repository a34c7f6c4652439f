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
                no: link.state == .made ? LinkText.no(link.kind) : PageText.of("common.no"))
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
        let account = row.accountName ?? row.accountDigits.map { PageText.of("transfer-card.account", ["digits": $0]) }
        return [
            "\(row.vendor ?? row.vpa ?? PageText.of("common.no-merchant")), \(MoneyText.text(row.amount)), \(DayText.text(row.date))",
            row.time?.hoursAndMinutes, account,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    static func title(_ kind: EventLinkKind, isChanged: Bool, isAsked: Bool) -> String {
        switch (kind, isChanged, isAsked) {
        case (.refund, true, true), (.reversal, true, true): PageText.of("link-card.refund-of-asked")
        case (.refund, true, false), (.reversal, true, false): PageText.of("link-card.refund-of")
        case (.refund, false, true), (.reversal, false, true): PageText.of("link-card.refunded-asked")
        case (.refund, false, false), (.reversal, false, false): PageText.of("link-card.refunds")
        case (.sameEvent, _, true): PageText.of("link-card.same-event-asked")
        case (.sameEvent, _, false): PageText.of("link-card.same-event")
        case (.settles, true, true): PageText.of("link-card.settled-asked")
        case (.settles, false, true): PageText.of("link-card.settles-asked")
        case (.settles, _, false): PageText.of("link-card.settles")
        case (.instalment, true, true): PageText.of("link-card.instalment-of-asked")
        case (.instalment, true, false): PageText.of("link-card.instalment-of")
        case (.instalment, false, true): PageText.of("link-card.instalments-asked")
        case (.instalment, false, false): PageText.of("link-card.instalments")
        }
    }

    static func sentence(_ link: EventLinkRow, isAsked: Bool) -> String {
        switch link.kind {
        case .refund, .reversal:
            isAsked
                ? PageText.of("link-card.refund-if-so")
                : PageText.of("link-card.refund-lowers", ["category": CategoryText.name(link.from.category)])
        case .sameEvent:
            isAsked
                ? PageText.of("link-card.same-event-if-so")
                : PageText.of("link-card.same-event-counts")
        case .settles:
            isAsked
                ? PageText.of("link-card.settles-if-so")
                : PageText.of("link-card.settles-counts")
        case .instalment:
            isAsked
                ? PageText.of("link-card.instalment-if-so")
                : PageText.of("link-card.instalment-counts")
        }
    }

    /// The text of the button that undoes a link.
    static func no(_ kind: EventLinkKind) -> String {
        switch kind {
        case .refund, .reversal: PageText.of("link-card.no-refund")
        case .sameEvent: PageText.of("link-card.two-payments")
        case .settles: PageText.of("link-card.two-payments")
        case .instalment: PageText.of("link-card.no-instalment")
        }
    }
}

extension Pages {
    fileprivate func decideLink(_ call: PageCall, confirms: Bool) async throws -> Response {
        guard let id = Int64(call.parameter("id")) else { throw PageProblem.missing(PageText.of("missing.link")) }
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
