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
                let choice = try CategorySelection(call.form["category"] ?? "", among: try store.categories())
                var edit = TransactionEdit()
                edit.category = choice.category
                edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
                return try store.change(transactions: ids(call.form), edit, by: actor)
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
        let choice = try CategorySelection(category, among: try store.categories())
        self.category = category
        self.back = back
        newName = choice.category + (choice.subcategory.map { " › " + $0 } ?? "")
        rows = try ids.compactMap { try store.transaction($0) }.map { row in
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

let bulkTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back to the list</a></p><h1>Change the category</h1>
    <p class="sub">{{changed}} would become <strong>{{newName}}</strong>.</p>
    <div class="card list"><table class="sheet"><caption class="hidden">What would change</caption><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Category now</th><th scope="col" class="num">Amount</th></tr></thead><tbody>{{#rows}}<tr{{^changes}} class="same"{{/changes}}><td class="c-date">{{date}}</td><td class="c-merchant">{{merchant}}</td><td class="c-category">{{old}}{{^changes}} <small>stays</small>{{/changes}}</td><td class="num c-amount">{{amount}}</td></tr>{{/rows}}</tbody></table></div>
    <form method="post" action="/app/transactions/bulk"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><input type="hidden" name="category" value="{{category}}">{{#rows}}<input type="hidden" name="id" value="{{id}}">{{/rows}}
    <p class="actions">{{^changesNothing}}<button>Change {{changed}}</button>{{/changesNothing}} <a class="button plain" href="{{back}}">Cancel</a></p></form>{{/view}}
    """#
