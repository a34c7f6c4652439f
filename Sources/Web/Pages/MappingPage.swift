import Hummingbird
import Ledger
import Store

/// A new keyword: first what it would change among past transactions, then the keyword, with or without that change.
enum MappingPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mappings/new", on: router) { call in
            let back = call.back(otherwise: "/app/categories")
            let view = try await pages.services.ledger { try MappingView(mapping(call.query, $0), call.query, in: $0, back: back) }
            return await pages.show("mapping", view, call, title: "A new keyword", section: .categories)
        }
        pages.post("/app/mappings", on: router) { call in
            let applied = try await pages.services.ledger { [actor = call.context.actor] store in
                try store.applyMapping(mapping(call.form, store), to: call.form["past"] != nil, by: actor)
            }
            return pages.seeOther(call.back(otherwise: "/app/categories"), done: applied.changed > 0 ? "applied" : "mapping", undo: applied.group)
        }
        pages.post("/app/mappings/refuse", on: router) { call in
            try await pages.services.ledger { store in try store.refuse(offer(call.form, store)) }
            return pages.seeOther(call.back(otherwise: "/app/transactions"), done: "refused")
        }
        pages.post("/app/mappings/{id}/delete", on: router) { call in
            try await pages.services.ledger { try $0.deleteMapping(CategoriesPage.id(call)) }
            return pages.seeOther("/app/categories", done: "mapping-gone")
        }
    }

    /// What the fields ask for: an offer by its transaction, or a keyword and a category.
    private static func mapping(_ fields: FormFields, _ store: Store) throws -> NewMapping {
        if fields["offer"] != nil { return try offer(fields, store).mapping }
        guard let keyword = fields.text("keyword") else { throw PageProblem(status: .unprocessableContent, title: "No keyword", text: "Write a word of the merchant's name.") }
        let choice = try CategorySelection(fields["category"] ?? "", among: try store.categories())
        return NewMapping(keyword: keyword, category: choice.category, subcategory: choice.subcategory)
    }

    private static func offer(_ fields: FormFields, _ store: Store) throws -> CategoryOffer {
        guard let id = fields["offer"].flatMap({ Int64($0) }), let offer = try store.offer(for: id) else { throw PageProblem.missing("such offer any more") }
        return offer
    }
}

struct MappingView: Sendable {
    struct Line: Sendable {
        var merchant: String
        var date: String
        var old: String
        var amount: String
    }

    var keyword: String
    /// As they came: the form asks for the same again.
    var offer: String?
    var category: String
    var target: String
    var rows: [Line]
    var count: String
    var more: String?
    var staying: String?
    var changesNothing: Bool
    var back: String

    init(_ mapping: NewMapping, _ fields: FormFields, in store: Store, back: String) throws {
        let preview = try store.mappingPreview(mapping)
        keyword = preview.keyword
        offer = fields["offer"]
        category = fields["category"] ?? ""
        self.back = back
        target = preview.category + (preview.subcategory.map { " › " + $0 } ?? "")
        rows = preview.changes.map { change in
            Line(
                merchant: change.row.vendor ?? change.row.vpa ?? "", date: DayText.text(iso: change.row.date), old: change.row.category + (change.row.subcategory.map { " › " + $0 } ?? ""),
                amount: MoneyText.text(change.row.amount))
        }
        count = DashboardView.count(preview.count, "past transaction")
        changesNothing = preview.count == 0
        more = preview.count > preview.changes.count ? "and \(preview.count - preview.changes.count) more" : nil
        staying = preview.stayingCount > 0 ? "\(DashboardView.count(preview.stayingCount, "transaction")) would stay: a person or a transfer chose their category." : nil
    }
}

let mappingTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back</a></p><h1>A new keyword</h1><p class="sub">Merchants with <strong>{{keyword}}</strong> in their name become <strong>{{target}}</strong>.</p>
    {{#changesNothing}}<section class="card empty"><p>No past transaction would change; future ones will follow it.</p></section>{{/changesNothing}}
    {{^changesNothing}}<div class="card list"><table><caption>{{count}} would change</caption><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Category now</th><th scope="col" class="num">Amount</th></tr></thead><tbody>{{#rows}}<tr><td>{{date}}</td><td>{{merchant}}</td><td>{{old}}</td><td class="num">{{amount}}</td></tr>{{/rows}}</tbody></table>{{#more}}<p class="note">{{.}}</p>{{/more}}</div>{{/changesNothing}}
    <form method="post" action="/app/mappings"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="keyword" value="{{keyword}}"><input type="hidden" name="category" value="{{category}}">{{#.offer}}<input type="hidden" name="offer" value="{{.}}">{{/.offer}}<input type="hidden" name="back" value="{{back}}">
    {{#staying}}<p class="note">{{.}}</p>{{/staying}}{{^changesNothing}}<label class="check"><input type="checkbox" name="past" value="1" checked> Also change the {{count}}</label>{{/changesNothing}}
    <p class="actions"><button>Add the keyword</button> <a class="button plain" href="{{back}}">Cancel</a></p></form>{{/view}}
    """#
