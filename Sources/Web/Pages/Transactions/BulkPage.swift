import Chronology
import Hummingbird
import Ledger
import Store

/// Changes the category of several transactions: a preview, then the change.
enum BulkPage {
    /// Limit of transactions in one change.
    static let rows = 1000

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions/bulk", on: router) { call in
            let back = call.back(otherwise: "/app/transactions")
            return try await pages.show(.bulk, call) { ledger in
                try BulkView(ids(call.query), call.query["category"] ?? "", in: ledger, back: back)
            }
        }
        pages.post("/app/transactions/bulk", on: router) { call in
            let (group, changed) = try await pages.services.write { [actor = call.context.actor] ledger in
                let choice = try CategorySelection(call.form["category"] ?? "", among: ledger.categories.all())
                var edit = TransactionEdit()
                edit.category = choice.category
                edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
                return try ledger.transactions.change(all: ids(call.form), edit, by: actor)
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
                text: "At most \(rows) transactions can be changed at once.")
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

    init(_ ids: [Int64], _ category: String, in ledger: Snapshot, back: String) throws {
        let choice = try CategorySelection(category, among: ledger.categories.all())
        self.category = category
        self.back = back
        newName = choice.category + (choice.subcategory.map { " › " + $0 } ?? "")
        rows = try ids.compactMap { try ledger.transactions.find($0) }.map { row in
            Line(
                id: "\(row.id)", merchant: row.vendor ?? row.vpa ?? "No merchant", date: DayText.text(row.date),
                amount: MoneyText.text(row.amount),
                old: row.category + (row.subcategory.map { " › " + $0 } ?? ""),
                changes: row.category != choice.category || row.subcategory != choice.subcategory)
        }
        let count = rows.count { $0.changes }
        changed = DashboardView.count(count, "transaction")
        changesNothing = count == 0
    }
}
