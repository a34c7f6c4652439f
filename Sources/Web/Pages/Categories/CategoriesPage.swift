import Hummingbird
import Ledger
import Store

/// Categories, and the keywords by which merchants get theirs.
enum CategoriesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/categories", on: router) { call in
            let wanted = call.query.text("q")
            let view = try await pages.services.ledger { try CategoriesView(in: $0, search: wanted) }
            return await pages.show("categories", view, call, title: "Categories", section: .categories)
        }
        pages.post("/app/categories", on: router) { call in
            try await pages.services.ledger { store in
                _ = try store.addCategory(
                    name: call.form.text("name") ?? "", color: call.form.text("color").map(CategoryColor.fill))
            }
            return pages.seeOther("/app/categories", done: "category")
        }
        pages.post("/app/categories/{id}/subcategories", on: router) { call in
            try await pages.services.ledger { store in
                _ = try store.addSubcategory(of: Self.id(call), name: call.form.text("name") ?? "")
            }
            return pages.seeOther("/app/categories", done: "category")
        }
        pages.post("/app/categories/{id}", on: router) { call in
            try await pages.services.ledger { store in
                _ = try store.updateCategory(
                    Self.id(call),
                    CategoryEdit(
                        name: call.form.text("name"),
                        color: call.form.text("color").map { .set(CategoryColor.fill($0)) } ?? .keep))
            }
            return pages.seeOther("/app/categories", done: "saved")
        }
        pages.post("/app/categories/{id}/delete", on: router) { call in
            try await pages.services.ledger { [actor = call.context.actor] store in
                _ = try store.deleteCategory(Self.id(call), by: actor)
            }
            return pages.seeOther("/app/categories", done: "category-gone")
        }
        MappingPage.add(pages, to: router)
    }

    static func id(_ call: PageCall) throws -> Int64 {
        guard let id = Int64(call.parameter("id")) else { throw PageProblem.missing("entry of this number") }
        return id
    }
}

struct CategoriesView: Sendable {
    struct Line: Sendable {
        var id: String
        var name: String
        var color: String
        var isOwn: Bool
        var count: String
        var path: String
        var subcategories: [String]
    }

    struct Keyword: Sendable {
        var id: String
        var keyword: String
        /// What it looks for, where that is more than the words.
        var about: String?
        var target: String
        var isOwn: Bool
        var matches: String
    }

    /// Shipped keywords that are listed at a time; a search finds the others.
    private static let shipped = 60

    var lines: [Line]
    var own: [Keyword]
    var shipped: [Keyword]
    var shippedTotal: String
    var search: String
    /// Of an empty rule.
    let form = MappingForm(FormFields([]))
    let kindChoices = MappingForm.kinds.map { SelectChoice($0.0, $0.1, isChosen: false) }
    let channelChoices =
        [SelectChoice("", "Any", isChosen: true)]
        + Channel.allCases.map { SelectChoice($0.rawValue, $0.words, isChosen: false) }
    let typeChoices =
        [SelectChoice("", "Any", isChosen: true)]
        + TransactionType.allCases.map {
            SelectChoice($0.rawValue, $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(), isChosen: false)
        }
    let hasConditions = false
    let back = "/app/categories"
    var categoryChoices: [SelectChoice]

    init(in store: Store, search: String?) throws {
        let categories = try store.categories()
        let counts = try store.categoryCounts()
        lines = categories.map { row in
            Line(
                id: "\(row.id)", name: row.name, color: CategoryColor.fill(row.color), isOwn: !row.isSystem,
                count: MoneyText.number(counts[row.name] ?? 0),
                path: "/app/transactions?" + FormFields.encoded([("category", row.name), ("status", "confirmed")]),
                subcategories: row.subcategories.map(\.name))
        }
        let wanted = search.map(CategoryRules.normalized)
        let mappings = try store.mappings().filter { row in
            wanted.map { row.keyword.contains($0) || row.category.lowercased().contains($0) } ?? true
        }
        func keyword(_ row: MappingRow) -> Keyword {
            Keyword(
                id: "\(row.id)", keyword: row.keyword,
                about: row.kind == .keyword && row.conditions.isEmpty
                    ? nil : MappingForm.sentence(row.keyword, row.kind, row.conditions),
                target: row.category + (row.subcategory.map { " › " + $0 } ?? ""), isOwn: row.isUserDefined,
                matches: MoneyText.number(row.matchCount))
        }
        own = mappings.filter(\.isUserDefined).map(keyword)
        let rest = mappings.filter { !$0.isUserDefined }.sorted {
            ($1.matchCount, $0.keyword) < ($0.matchCount, $1.keyword)
        }
        shipped = rest.prefix(Self.shipped).map(keyword)
        shippedTotal =
            rest.count > Self.shipped
            ? "The \(Self.shipped) that matched most, of \(rest.count)."
            : DashboardView.count(rest.count, "keyword") + "."
        self.search = search ?? ""
        categoryChoices = CategorySelection.choices(categories, chosen: nil, nil)
    }
}

let categoriesTemplate = #"""
    {{#view}}<h1>Categories</h1><div class="columns two"><div class="stack">
    <section class="card list" aria-labelledby="list"><h2 id="list">All categories</h2><table><caption class="hidden">Categories</caption><thead><tr><th scope="col">Name</th><th scope="col" class="num">Count</th><th scope="col"><span class="hidden">Change</span></th></tr></thead><tbody>{{#lines}}<tr><th scope="row"><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="{{color}}"/></svg>{{name}}<small>{{#subcategories}}<span class="chip">{{.}}</span>{{/subcategories}}</small></th><td class="num"><a href="{{path}}" aria-label="{{count}} transactions of {{name}}">{{count}}</a></td><td class="right"><details class="menu"><summary aria-label="Change {{name}}">Change</summary><div class="pop"><form method="post" action="/app/categories/{{id}}/subcategories"><input type="hidden" name="csrf" value="{{frame.formToken}}"><label>New subcategory<input name="name" required maxlength="120"></label><button>Add</button></form>{{#isOwn}}<form method="post" action="/app/categories/{{id}}"><input type="hidden" name="csrf" value="{{frame.formToken}}"><label>Name<input name="name" value="{{name}}" required maxlength="120"></label><label>Colour<input type="color" name="color" value="{{color}}"></label><button>Save</button></form><form method="post" action="/app/categories/{{id}}/delete"><input type="hidden" name="csrf" value="{{frame.formToken}}"><button class="plain danger">Delete</button><p class="note">Its {{count}} transactions become Uncategorized.</p></form>{{/isOwn}}</div></details></td></tr>{{/lines}}</tbody></table></section>
    <section class="card" aria-labelledby="new"><h2 id="new">A new category</h2><form method="post" action="/app/categories"><input type="hidden" name="csrf" value="{{frame.formToken}}"><div class="fields"><label class="double">Name<input name="name" required maxlength="120"></label><label>Colour<input type="color" name="color" value="#0B6E5F"></label></div><p class="actions"><button>Add</button></p></form></section></div>
    <div class="stack"><section class="card" aria-labelledby="keywords"><h2 id="keywords">Rules of your own</h2><p class="note">What holds the words, or has the UPI address or code, gets the category. Yours come before the shipped ones, and one with conditions before one without.</p>
    {{#empty(own)}}<p class="empty">None yet. Add one below: you will see first what it would change.</p>{{/empty(own)}}
    {{^empty(own)}}<ul class="rows">{{#own}}<li><p><strong>{{keyword}}</strong> → {{target}} <span class="note">{{#.about}}{{.}} · {{/.about}}{{matches}} matched · <a href="/app/mappings/new?like={{id}}" aria-label="A rule like {{keyword}}">Another like it</a></span></p><form method="post" action="/app/mappings/{{id}}/delete"><input type="hidden" name="csrf" value="{{frame.formToken}}"><button class="plain" aria-label="Delete the keyword {{keyword}}">Delete</button></form></li>{{/own}}</ul>{{/empty(own)}}
    {{>mapping-form}}</section>
    <section class="card" aria-labelledby="shipped"><h2 id="shipped">Shipped keywords</h2><form method="get" action="/app/categories" role="search" class="line"><label class="grow"><span class="hidden">Search keywords</span><input type="search" name="q" value="{{search}}" placeholder="Search keywords" data-search></label><button>Search</button></form><p class="note">{{shippedTotal}}</p>
    {{#empty(shipped)}}<p class="empty">No keyword matches.</p>{{/empty(shipped)}}<ul class="plainlist">{{#shipped}}<li><span>{{#.about}}{{.}}{{/.about}}{{^about}}{{keyword}}{{/about}}</span><span class="note">{{target}}</span><span class="num">{{matches}}</span></li>{{/shipped}}</ul></section></div></div>{{/view}}
    """#
