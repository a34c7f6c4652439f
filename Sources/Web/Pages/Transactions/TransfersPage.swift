import Chronology
import Hummingbird
import Ledger
import Store

/// Transfers between own accounts: proposals and linked pairs.
enum TransfersPage {
    static let rows = 100

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transfers", on: router) { call in
            try await pages.show(.transfers, call) { try TransfersView(in: $0) }
        }
        pages.post("/app/transfers/{id}/confirm", on: router) { try await pages.confirmTransfer($0) }
        pages.post("/app/transfers/{id}/refuse", on: router) { try await pages.refuseTransfer($0) }
        pages.post("/app/transfers/all", on: router) { try await pages.confirmTransfers($0) }
        pages.post("/app/transfers/link", on: router) { try await pages.linkTransfer($0) }
    }

    fileprivate static func id(_ text: String) throws -> Int64 {
        guard let id = Int64(text) else { throw PageProblem.missing(PageText.of("missing.transfer")) }
        return id
    }

    fileprivate static func row(_ text: String?, _ ledger: some ReadScope) throws -> TransactionRow {
        guard let id = text.flatMap({ Int64($0) }), let row = try ledger.transactions.find(id) else {
            throw PageProblem.missing(PageText.of("missing.transaction"))
        }
        return row
    }

    /// Returns the group of the edits just made. Undoing them undoes the link.
    fileprivate static func group(_ transfer: TransferRow, in ledger: some ReadScope) throws -> String? {
        guard let id = transfer.debit?.id ?? transfer.credit?.id else { return nil }
        return try ledger.journal.changes(ofTransaction: id, limit: 1).first?.group
    }

    /// Returns true if `own` is the debit of the pair: an expense, or the earlier of two transfers.
    fileprivate static func isDebit(_ own: TransactionRow, of other: TransactionRow) -> Bool {
        switch (own.type, other.type) {
        case (.expense, _), (.transfer, .income): true
        case (.transfer, .transfer): own.occurredAt <= other.occurredAt
        default: false
        }
    }
}

extension Pages {
    fileprivate func confirmTransfer(_ call: PageCall) async throws -> Response {
        let group = try await services.write { [actor = call.context.actor] ledger in
            let id = try TransfersPage.id(call.parameter("id"))
            return try TransfersPage.group(ledger.transfers.confirm(id, by: actor), in: ledger)
        }
        return seeOther(call.back(otherwise: "/app/transfers"), done: "transfer", undo: group)
    }

    fileprivate func refuseTransfer(_ call: PageCall) async throws -> Response {
        let (wasLinked, group) = try await services.write { [actor = call.context.actor] ledger in
            let id = try TransfersPage.id(call.parameter("id"))
            let wasLinked = try ledger.transfers.find(id)?.state == .linked
            let row = try ledger.transfers.refuse(id, by: actor)
            return (wasLinked, wasLinked ? try TransfersPage.group(row, in: ledger) : nil)
        }
        return seeOther(
            call.back(otherwise: "/app/transfers"), done: wasLinked ? "unlinked" : "no-transfer", undo: group)
    }

    /// Confirms all proposals of the form that still can be confirmed.
    fileprivate func confirmTransfers(_ call: PageCall) async throws -> Response {
        let group = LedgerChange.newGroup()
        let linked = try await services.write { [actor = call.context.actor] ledger in
            var linked = 0
            for text in call.form.all("transfer").prefix(TransfersPage.rows) {
                let id = try TransfersPage.id(text)
                // A proposal that was resolved meanwhile, or whose side is part of another one, does not stop the rest.
                do throws(StoreError) { _ = try ledger.transfers.confirm(id, by: actor, group: group) } catch {
                    guard error.kind == .conflict || error.kind == .notFound else { throw error }
                    continue
                }
                linked += 1
            }
            return linked
        }
        return seeOther(
            "/app/transfers", done: linked > 0 ? "transfers" : "unchanged", undo: linked > 0 ? group : nil)
    }

    fileprivate func linkTransfer(_ call: PageCall) async throws -> Response {
        let group = try await services.write { [actor = call.context.actor] ledger in
            let own = try TransfersPage.row(call.form["id"], ledger)
            let other = try TransfersPage.row(call.form["other"], ledger)
            let isDebit = TransfersPage.isDebit(own, of: other)
            let linked = try ledger.transfers.link(
                debit: isDebit ? own.id : other.id, credit: isDebit ? other.id : own.id, by: actor)
            return try TransfersPage.group(linked, in: ledger)
        }
        return seeOther(call.back(otherwise: "/app/transfers"), done: "transfer", undo: group)
    }
}

/// One transfer in a list.
struct TransferLine: Sendable {
    var id: String
    var amount: String
    var from: String
    var to: String
    var fromPath: String?
    var toPath: String?
    var date: String
    var why: String

    init(_ row: TransferRow) {
        id = "\(row.id)"
        let side = row.debit ?? row.credit
        amount = side.map { MoneyText.text($0.amount) } ?? ""
        date = [row.debit?.date, row.credit?.date].compactMap { $0 }.reduce(into: [String]()) { days, day in
            let text = DayText.text(day)
            if !days.contains(text) { days.append(text) }
        }.joined(separator: PageText.of("transfers.and"))
        (from, to) = (TransferText.account(row.debit), TransferText.account(row.credit))
        fromPath = row.debit.map { "/app/transactions/\($0.id)?back=/app/transfers" }
        toPath = row.credit.map { "/app/transactions/\($0.id)?back=/app/transfers" }
        why =
            switch (row.basis, row.isMadeByPerson && row.state == .linked) {
            case (.person, true): PageText.of("transfers.linked-by-you")
            case (.cash, true): PageText.of("transfers.cash-linked")
            case (let basis, true): basis.clause + PageText.of("transfers.confirmed-by-you")
            case (let basis, false): basis.clause
            }
    }
}

struct TransfersView: Sendable {
    var asked: [TransferLine]
    var linked: [TransferLine]
    var more: String?
    /// The text of the button that confirms all; `nil` for a single proposal.
    var all: String?
    var here = "/app/transfers"

    init(in ledger: Snapshot) throws {
        asked = try ledger.transfers.list([.proposed], limit: TransfersPage.rows).map(TransferLine.init)
        all = asked.count > 1 ? PageText.of("transfers.all-are", count: asked.count) : nil
        let linked = try ledger.transfers.list([.linked], limit: TransfersPage.rows + 1)
        self.linked = linked.prefix(TransfersPage.rows).map(TransferLine.init)
        more = linked.count > TransfersPage.rows ? PageText.of("common.newest-shown", count: TransfersPage.rows) : nil
    }
}
