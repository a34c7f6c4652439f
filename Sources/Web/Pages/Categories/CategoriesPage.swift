import Hummingbird
import Ledger
import Store

/// Categories, and the keywords that choose them.
enum CategoriesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/categories", on: router) { call in
            try await pages.show(.categories, call) { try CategoriesView(in: $0, search: call.query.text("q")) }
        }
        pages.post("/app/categories", on: router) { call in
            try await pages.services.write { ledger in
                _ = try ledger.categories.add(
                    name: call.form.text("name") ?? "", color: call.form.text("color").map(CategoryColor.fill))
            }
            return pages.seeOther("/app/categories", done: "category")
        }
        pages.post("/app/categories/{id}/subcategories", on: router) { call in
            try await pages.services.write { ledger in
                _ = try ledger.categories.addSubcategory(
                    of: call.number(of: "entry"), name: call.form.text("name") ?? "")
            }
            return pages.seeOther("/app/categories", done: "category")
        }
        pages.post("/app/categories/{id}", on: router) { call in
            try await pages.services.write { ledger in
                let color = call.form.text("color").map { Change.set(CategoryColor.fill($0)) } ?? .keep
                _ = try ledger.categories.update(
                    call.number(of: "entry"), CategoryEdit(name: call.form.text("name"), color: color))
            }
            return pages.seeOther("/app/categories", done: "saved")
        }
        pages.post("/app/categories/{id}/delete", on: router) { call in
            try await pages.services.write { [actor = call.context.actor] ledger in
                _ = try ledger.categories.delete(call.number(of: "entry"), by: actor)
            }
            return pages.seeOther("/app/categories", done: "category-gone")
        }
        MappingPage.add(pages, to: router)
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
        /// Description of the matched values, if the keyword alone is not enough.
        var about: String?
        var target: String
        var isOwn: Bool
        var matches: String
    }

    /// Number of shipped keywords in the list; a search finds the others.
    private static let shipped = 60

    var lines: [Line]
    var own: [Keyword]
    var shipped: [Keyword]
    var shippedTotal: String
    var search: String
    /// The form of an empty rule.
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

    init(in ledger: Snapshot, search: String?) throws {
        let categories = try ledger.categories.all()
        let counts = try ledger.categories.counts()
        lines = categories.map { row in
            Line(
                id: "\(row.id)", name: row.name, color: CategoryColor.fill(row.color), isOwn: !row.isSystem,
                count: MoneyText.number(counts[row.name] ?? 0),
                path: "/app/transactions?" + FormFields.encoded([("category", row.name), ("status", "confirmed")]),
                subcategories: row.subcategories.map(\.name))
        }
        let wanted = search.map(CategoryRules.normalized)
        let mappings = try ledger.mappings.all().filter { row in
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
