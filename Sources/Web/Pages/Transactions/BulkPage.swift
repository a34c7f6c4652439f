import Hummingbird
import Ledger
import Store

/// Another category for several transactions: first what would change, then the change.
enum BulkPage {
    static let rows = 1000

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions/bulk", on: router) { call in
            let back = call.back(otherwise: "/app/transactions")
            let view = try await pages.services.ledger {
                try BulkView(ids(call.query), call.query["category"] ?? "", in: $0, back: back)
            }
            return await pages.show("bulk", view, call, title: "Change the category", section: .transactions)
        }
        pages.post("/app/transactions/bulk", on: router) { call in
            let (group, changed) = try await pages.services.ledger {
                [actor = call.context.actor] store -> (String, Int) in
                let choice = try CategorySelection(call.form["category"] ?? "", among: try store.categories.all())
                var edit = TransactionEdit()
                edit.category = choice.category
                edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
                return try store.transactions.change(all: ids(call.form), edit, by: actor)
            }
            return pages.seeOther(
                call.back(otherwise: "/app/transactions"), done: changed > 0 ? "bulk" : "unchanged",
                undo: changed > 0 ? group : nil)
        }
    }

    private static func ids(_ fields: FormFields) throws -> [Int64] {
        let ids = fields.all("id").compactMap { Int64($0) }
        guard !ids.isEmpty else {
            throw PageProblem(
                status: .unprocessableContent, title: "Nothing is selected",
                text: "Select transactions in the list first.")
        }
        guard ids.count <= rows else {
            throw PageProblem(
                status: .unprocessableContent, title: "Too many",
                text: "At most \(rows) transactions are changed at once.")
        }
        return ids
    }
}

struct BulkView: Sendable {
    struct Line: Sendable {
        var id: String
        var merchant: String
        var date: String
        var amount: String
        var old: String
        var changes: Bool
    }

    var rows: [Line]
    var category: String
    var newName: String
    var changed: String
    var changesNothing: Bool
    var back: String

    init(_ ids: [Int64], _ category: String, in store: Store, back: String) throws {
        let choice = try CategorySelection(category, among: try store.categories.all())
        self.category = category
        self.back = back
        newName = choice.category + (choice.subcategory.map { " › " + $0 } ?? "")
        rows = try ids.compactMap { try store.transactions.find($0) }.map { row in
            Line(
                id: "\(row.id)", merchant: row.vendor ?? row.vpa ?? "No merchant", date: DayText.text(iso: row.date),
                amount: MoneyText.text(row.amount),
                old: row.category + (row.subcategory.map { " › " + $0 } ?? ""),
                changes: row.category != choice.category || row.subcategory != choice.subcategory)
        }
        let count = rows.count { $0.changes }
        changed = DashboardView.count(count, "transaction")
        changesNothing = count == 0
    }
}
