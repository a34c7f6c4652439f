import Hummingbird
import Ledger
import Store

/// A new keyword: first what it would change among past transactions, then the keyword, with or without that change.
enum MappingPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mappings/new", on: router) { call in
            let back = call.back(otherwise: "/app/categories")
            let view = try await pages.services.ledger { try MappingView(call.query.text("keyword") ?? "", call.query["category"] ?? "", in: $0, back: back) }
            return await pages.show("mapping", view, call, title: "A new keyword", section: .categories)
        }
        pages.post("/app/mappings", on: router) { call in
            let group = try await pages.services.ledger { [actor = call.context.actor] store -> String? in
                let choice = try CategoryChoice(call.form["category"] ?? "", among: try store.categories())
                let keyword = call.form.text("keyword") ?? ""
                let past = call.form["past"] != nil ? try MappingView.changes(of: keyword, to: choice, in: store).rows.map(\.id) : []
                _ = try store.addMapping(NewMapping(keyword: keyword, category: choice.category, subcategory: choice.subcategory))
                guard !past.isEmpty else { return nil }
                var edit = TransactionEdit()
                edit.category = choice.category
                edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
                return try store.change(transactions: past, edit, by: actor).group
            }
            return pages.seeOther(call.back(otherwise: "/app/categories"), done: group == nil ? "mapping" : "applied", undo: group)
        }
        pages.post("/app/mappings/{id}/delete", on: router) { call in
            try await pages.services.ledger { try $0.deleteMapping(CategoriesPage.id(call)) }
            return pages.seeOther("/app/categories", done: "mapping-gone")
        }
    }
}

struct MappingView: Sendable {
    struct Line: Sendable {
        var merchant: String
        var date: String
        var old: String
        var amount: String
    }

    /// Past transactions that are changed at once; who has more repeats it.
    static let most = 2000
    private static let shown = 50

    var keyword: String
    var category: String
    var target: String
    var rows: [Line]
    var count: String
    var more: String?
    var changesNothing: Bool
    var back: String

    init(_ keyword: String, _ category: String, in store: Store, back: String) throws {
        let choice = try CategoryChoice(category, among: try store.categories())
        let found = try Self.changes(of: keyword, to: choice, in: store)
        self.keyword = keyword
        self.category = category
        self.back = back
        target = choice.category + (choice.subcategory.map { " › " + $0 } ?? "")
        rows = found.rows.prefix(Self.shown).map { row in
            Line(
                merchant: row.vendor ?? "", date: DayText.text(iso: row.date), old: row.category + (row.subcategory.map { " › " + $0 } ?? ""), amount: MoneyText.text(row.amount))
        }
        count = DashboardView.count(found.rows.count, "past transaction")
        changesNothing = found.rows.isEmpty
        more = found.rows.count > Self.shown ? "and \(found.rows.count - Self.shown) more" : nil
    }

    /// The transactions whose merchant the keyword would catch and whose category is another one.
    static func changes(of keyword: String, to choice: CategoryChoice, in store: Store) throws -> (rows: [TransactionRow], isCut: Bool) {
        let key = CategoryRules.normalized(keyword)
        guard !key.isEmpty else { throw PageProblem(status: .unprocessableContent, title: "No keyword", text: "A keyword must hold a letter or a digit.") }
        let rules = CategoryRules([VendorMapping(id: 0, keyword: key, categoryID: 0, category: choice.category, subcategory: choice.subcategory, isUserDefined: true)])
        var rows: [TransactionRow] = []
        try store.transactions(Store.Filter(statuses: [.confirmed, .needsReview], newestFirst: true)) { row in
            guard let merchant = row.vendor, row.category != choice.category || row.subcategory != choice.subcategory, rules.match(merchant) != nil else { return true }
            rows.append(row)
            return rows.count < most
        }
        return (rows, rows.count == most)
    }
}

let mappingTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back</a></p><h1>A new keyword</h1><p class="sub">Merchants with <strong>{{keyword}}</strong> in their name become <strong>{{target}}</strong>.</p>
    {{#changesNothing}}<section class="card empty"><p>No past transaction would change; future ones will follow it.</p></section>{{/changesNothing}}
    {{^changesNothing}}<div class="card list"><table><caption>{{count}} would change</caption><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Category now</th><th scope="col" class="num">Amount</th></tr></thead><tbody>{{#rows}}<tr><td>{{date}}</td><td>{{merchant}}</td><td>{{old}}</td><td class="num">{{amount}}</td></tr>{{/rows}}</tbody></table>{{#more}}<p class="note">{{.}}</p>{{/more}}</div>{{/changesNothing}}
    <form method="post" action="/app/mappings"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="keyword" value="{{keyword}}"><input type="hidden" name="category" value="{{category}}"><input type="hidden" name="back" value="{{back}}">
    {{^changesNothing}}<label class="check"><input type="checkbox" name="past" value="1" checked> Also change the {{count}}</label>{{/changesNothing}}
    <p class="actions"><button>Add the keyword</button> <a class="button plain" href="{{back}}">Cancel</a></p></form>{{/view}}
    """#
