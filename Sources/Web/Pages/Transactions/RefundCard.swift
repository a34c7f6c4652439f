import Hummingbird
import Ledger
import Store

/// The purchase that a transaction returns, or the refunds of a purchase, with the questions about them.
struct RefundCard: Sendable {
    struct Line: Sendable {
        /// The ID of the link.
        var id: String
        var path: String
        var other: String
        var why: String
        var isMade: Bool
    }

    var title: String
    var sentence: String
    var lines: [Line]
    var back: String

    /// `nil` if the transaction has no link.
    init?(of row: TransactionRow, in ledger: Snapshot, back: String) throws {
        let links = try ledger.eventLinks.links(of: [row.id])[row.id] ?? []
        guard let first = links.first else { return nil }
        self.back = back
        let isRefund = first.refund.id == row.id
        let isAsked = links.allSatisfy { $0.state == .proposed }
        title =
            switch (isRefund, isAsked) {
            case (true, true): "A refund of a purchase?"
            case (true, false): "Refund of a purchase"
            case (false, true): "Was this refunded?"
            case (false, false): "Refunds"
            }
        sentence =
            isAsked
            ? "If so, the money lowers what the purchase's category cost, and is no income."
            : "The money lowers what the category \(first.purchase.category) cost, and is no income."
        lines = links.map { link in
            let other = isRefund ? link.purchase : link.refund
            return Line(
                id: "\(link.id)", path: "/app/transactions/\(other.id)?" + FormFields.encoded([("back", back)]),
                other:
                    "\(other.vendor ?? other.vpa ?? "No merchant"), \(MoneyText.text(other.amount)), \(DayText.text(other.date))",
                why: link.why.split(separator: ": ").last.map(String.init) ?? link.why, isMade: link.state == .made)
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/refunds/{id}/confirm", on: router) { try await pages.decideRefund($0, confirms: true) }
        pages.post("/app/refunds/{id}/reject", on: router) { try await pages.decideRefund($0, confirms: false) }
    }
}

extension Pages {
    fileprivate func decideRefund(_ call: PageCall, confirms: Bool) async throws -> Response {
        guard let id = try Int64(call.parameter("id")) else { throw PageProblem.missing("refund with this number") }
        let group = LedgerChange.newGroup()
        try await services.write { [actor = call.context.actor] ledger in
            if confirms {
                try ledger.eventLinks.confirm(id, by: actor, group: group)
            } else {
                try ledger.eventLinks.reject(id, by: actor, group: group)
            }
        }
        return seeOther(
            call.back(otherwise: "/app/transactions"), done: confirms ? "refund" : "no-refund", undo: group)
    }
}
