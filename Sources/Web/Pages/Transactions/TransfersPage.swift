import Hummingbird
import Ledger
import Store

/// Transfers between own accounts: what a person is asked, and what is linked.
enum TransfersPage {
    static let rows = 100

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transfers", on: router) { call in
            let view = try await pages.services.ledger { try TransfersView(in: $0) }
            return await pages.show("transfers", view, call, title: "Transfers", section: .transactions)
        }
        pages.post("/app/transfers/{id}/confirm", on: router) { call in
            let group = try await pages.services.ledger { [actor = call.context.actor] store in
                try Self.group(store.transfers.confirm(id(call.parameter("id")), by: actor), in: store)
            }
            return pages.seeOther(call.back(otherwise: "/app/transfers"), done: "transfer", undo: group)
        }
        pages.post("/app/transfers/{id}/refuse", on: router) { call in
            let (wasLinked, group) = try await pages.services.ledger { [actor = call.context.actor] store in
                let number = try id(call.parameter("id"))
                let wasLinked = try store.transfers.list([.linked], limit: .max).contains { $0.id == number }
                let row = try store.transfers.refuse(number, by: actor)
                return (wasLinked, wasLinked ? try Self.group(row, in: store) : nil)
            }
            return pages.seeOther(
                call.back(otherwise: "/app/transfers"), done: wasLinked ? "unlinked" : "no-transfer", undo: group)
        }
        pages.post("/app/transfers/all", on: router) { call in
            let (group, linked) = try await pages.services.ledger {
                [actor = call.context.actor] store -> (String, Int) in
                let group = LedgerChange.newGroup()
                var linked = 0
                for text in call.form.all("transfer").prefix(rows) {
                    let number = try id(text)
                    // One that was settled meanwhile, or whose half went into another of them, is no reason to leave
                    // the others.
                    do throws(StoreError) { try store.transfers.confirm(number, by: actor, group: group) } catch {
                        guard error.kind == .conflict || error.kind == .notFound else { throw error }
                        continue
                    }
                    linked += 1
                }
                return (group, linked)
            }
            return pages.seeOther(
                "/app/transfers", done: linked > 0 ? "transfers" : "unchanged", undo: linked > 0 ? group : nil)
        }
        pages.post("/app/transfers/link", on: router) { call in
            let group = try await pages.services.ledger { [actor = call.context.actor] store in
                let (own, other) = try (row(call.form["id"], store), row(call.form["other"], store))
                let ownIsDebit =
                    own.type == .expense
                    || own.type == .transfer
                        && (other.type == .income || other.type == .transfer && own.occurredAt <= other.occurredAt)
                let linked = try store.transfers.link(
                    debit: ownIsDebit ? own.id : other.id, credit: ownIsDebit ? other.id : own.id, by: actor)
                return try Self.group(linked, in: store)
            }
            return pages.seeOther(call.back(otherwise: "/app/transfers"), done: "transfer", undo: group)
        }
    }

    private static func id(_ text: String) throws -> Int64 {
        guard let id = Int64(text) else { throw PageProblem.missing("transfer of this number") }
        return id
    }

    private static func row(_ text: String?, _ store: Store) throws -> TransactionRow {
        guard let id = text.flatMap({ Int64($0) }), let row = try store.transactions.find(id) else {
            throw PageProblem.missing("transaction of this number")
        }
        return row
    }

    /// The edits of its rows just made. Undoing them undoes the link.
    private static func group(_ transfer: TransferRow, in store: Store) throws -> String? {
        guard let id = transfer.debit?.id ?? transfer.credit?.id else { return nil }
        return try store.journal.changes(ofTransaction: id, limit: 1).first?.group
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
        let half = row.debit ?? row.credit
        amount = half.map { MoneyText.text($0.amount) } ?? ""
        date = [row.debit?.date, row.credit?.date].compactMap { $0 }.reduce(into: [String]()) { days, day in
            let text = DayText.text(iso: day)
            if !days.contains(text) { days.append(text) }
        }.joined(separator: " and ")
        (from, to) = (TransferText.account(row.debit), TransferText.account(row.credit))
        fromPath = row.debit.map { "/app/transactions/\($0.id)?back=/app/transfers" }
        toPath = row.credit.map { "/app/transactions/\($0.id)?back=/app/transfers" }
        why = row.why.split(separator: ": ").last.map(String.init) ?? row.why
        if row.isMadeByPerson, row.state == .linked {
            why = why == "a person said so" ? "you said so" : why + ", confirmed by you"
        }
    }
}

struct TransfersView: Sendable {
    var asked: [TransferLine]
    var linked: [TransferLine]
    var more: String?
    /// "Yes, all 13", where there are several.
    var all: String?
    var here = "/app/transfers"

    init(in store: Store) throws {
        asked = try store.transfers.list([.proposed], limit: TransfersPage.rows).map(TransferLine.init)
        all = asked.count > 1 ? "Yes, all \(asked.count) are transfers" : nil
        let linked = try store.transfers.list([.linked], limit: TransfersPage.rows + 1)
        self.linked = linked.prefix(TransfersPage.rows).map(TransferLine.init)
        more = linked.count > TransfersPage.rows ? "The newest \(TransfersPage.rows) are shown." : nil
    }
}
