import Hummingbird
import Ledger
import Store

/// Categories, and the keywords that choose them.
enum CategoriesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/categories", on: router) { call in
            let open = call.query.text("change").flatMap { Int64($0) }
            return try await pages.show(.categories, call) {
                try CategoriesView(in: $0, search: call.query.text("q"), open: open)
            }
        }
        pages.post("/app/categories", on: router) { call in
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] ledger in
                _ = try ledger.categories.add(
                    name: call.form.text("name") ?? "", color: call.form.text("color").map(CategoryColor.fill),
                    by: actor, group: group)
            }
            return pages.seeOther("/app/categories", done: "category", undo: group)
        }
        pages.post("/app/categories/{id}", on: router) { call in
            let group = LedgerChange.newGroup()
            let isChanged = try await pages.services.write { [actor = call.context.actor] ledger in
                let id = try call.number(of: "entry")
                let old = try ledger.categories.find(id)
                let color = call.form.text("color").map { Change.set(CategoryColor.fill($0)) } ?? .keep
                return try ledger.categories.update(
                    id, CategoryEdit(name: call.form.text("name"), color: color), by: actor, group: group) != old
            }
            return pages.seeOther(
                "/app/categories", done: isChanged ? "saved" : "unchanged", undo: isChanged ? group : nil)
        }
        pages.post("/app/categories/{id}/delete", on: router) { call in
            let group = try await pages.services.write { [actor = call.context.actor] ledger in
                try ledger.categories.delete(
                    call.number(of: "entry"), replacement: call.form.text("replacement"), by: actor
                ).group
            }
            return pages.seeOther("/app/categories", done: "category-gone", undo: group)
        }
        addSubcategories(pages, to: router)
        MappingPage.add(pages, to: router)
    }

    private static func addSubcategories(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/categories/{id}/subcategories", on: router) { call in
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] ledger in
                _ = try ledger.categories.addSubcategory(
                    of: call.number(of: "entry"), name: call.form.text("name") ?? "", by: actor, group: group)
            }
            return pages.seeOther("/app/categories", done: "category", undo: group)
        }
        pages.post("/app/categories/{id}/subcategories/rename", on: router) { call in
            let (category, old) = try await pages.subcategory(call)
            let group = LedgerChange.newGroup()
            let new = try await pages.services.write { [actor = call.context.actor] ledger in
                try ledger.categories.updateSubcategory(
                    old.id, of: category.id, CategoryEdit(name: call.form.text("name") ?? ""), by: actor, group: group)
            }
            let isChanged = new.name != old.name
            return pages.seeOther(
                "/app/categories", done: isChanged ? "saved" : "unchanged", undo: isChanged ? group : nil)
        }
        pages.post("/app/categories/{id}/subcategories/delete", on: router) { call in
            let (category, old) = try await pages.subcategory(call)
            guard call.form["confirm"] == "1" else {
                let use = try await pages.services.read { try $0.categories.uses(ofSubcategory: old.id) }
                return try await pages.ask(call, category, old, use)
            }
            let group = try await pages.services.write { [actor = call.context.actor] in
                try $0.categories.deleteSubcategory(old.id, of: category.id, by: actor).group
            }
            return pages.seeOther("/app/categories", done: "subcategory-gone", undo: group)
        }
    }
}

extension Pages {
    /// The subcategory that a form names.
    fileprivate func subcategory(_ call: PageCall) async throws -> (CategoryRow, CategoryRow.Subcategory) {
        let id = try call.number(of: "entry")
        let row = try await services.read { try $0.categories.find(id) }
        guard let row, let number = call.form.text("subcategory").flatMap({ Int64($0) }),
            let found = row.subcategories.first(where: { $0.id == number })
        else { throw PageProblem.missing(PageText.of("missing.subcategory")) }
        return (row, found)
    }

    /// Names what the deletion of a subcategory changes.
    fileprivate func ask(
        _ call: PageCall, _ category: CategoryRow, _ subcategory: CategoryRow.Subcategory, _ use: CategoryUse
    ) async throws -> Response {
        let name = CategoryText.name(category.name)
        var view = QuestionView(
            text: CategoriesView.sentence(use, keeping: name), action: call.request.uri.path,
            fields: call.form.fields.map { .init(name: $0.name, value: $0.value) }, back: "/app/categories")
        view.heading = PageText.of(
            "categories.delete-subcategory", ["name": CategoryText.name(subcategory.name), "category": name])
        (view.confirmation, view.button) = ("confirm", PageText.of("common.delete"))
        return await show("question", view, call, title: view.heading, section: .categories)
    }
}

struct CategoriesView: Sendable {
    struct Subcategory: Sendable {
        var id: String
        var name: String
    }

    struct Line: Sendable {
        var id: String
        /// The name in the language of the page.
        var title: String
        var name: String
        var color: String
        var isOwn: Bool
        var isNameFree: Bool
        var count: String
        var path: String
        /// The forms of one category at a time are on the page: those of all would be half of it.
        var isOpen: Bool
        var change: String
        var subcategories: [Subcategory]
        /// For a person's own category that is open: a sentence about the effect of its deletion, and the categories
        /// that can replace it.
        var deletion = ""
        var replacements: [SelectChoice] = []
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
    private static let shipped = 30

    var lines: [Line]
    var own: [Keyword]
    var shipped: [Keyword]
    var shippedTotal: String
    var search: String
    /// The form of an empty rule.
    let form = MappingForm(FormFields([]))
    let kindChoices = MappingForm.kinds.map { SelectChoice($0.0, $0.1, isChosen: false) }
    let channelChoices =
        [SelectChoice("", PageText.of("categories.any"), isChosen: true)]
        + Channel.allCases.map { SelectChoice($0.rawValue, $0.words, isChosen: false) }
    let typeChoices =
        [SelectChoice("", PageText.of("categories.any"), isChosen: true)]
        + TransactionType.allCases.map {
            SelectChoice($0.rawValue, PageText.of("type.\($0.rawValue)"), isChosen: false)
        }
    let hasConditions = false
    let back = "/app/categories"
    var categoryChoices: [SelectChoice]

    /// - Parameter open: the number of the category to change.
    init(in ledger: Snapshot, search: String?, open: Int64? = nil) throws {
        let categories = try ledger.categories.all()
        let counts = try ledger.categories.counts()
        let uses = open == nil ? [:] : try ledger.categories.uses()
        let kept: [(String, String)] = search.map { [("q", $0)] } ?? []
        func change(_ id: Int64) -> String {
            "/app/categories?\(FormFields.encoded([("change", "\(id)")] + kept))#change"
        }
        lines = categories.map { row in
            var line = Line(
                id: "\(row.id)", title: CategoryText.name(row.name), name: row.name,
                color: CategoryColor.fill(row.color), isOwn: !row.isSystem,
                isNameFree: !row.hasFixedName,
                count: MoneyText.number(counts[row.name] ?? 0),
                path: "/app/transactions?" + FormFields.encoded([("category", row.name), ("status", "confirmed")]),
                isOpen: row.id == open,
                change: change(row.id),
                subcategories: row.subcategories.map {
                    Subcategory(id: "\($0.id)", name: CategoryText.name($0.name))
                })
            if line.isOpen, let use = uses[row.id] {
                line.deletion = Self.sentence(use)
                line.replacements = categories.filter { $0.id != row.id }.map {
                    SelectChoice($0.name, $0.name, isChosen: $0.name == CategoryRow.uncategorized)
                }
            }
            return line
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
                target: CategoryText.name(row.category, row.subcategory), isOwn: row.isUserDefined,
                matches: MoneyText.number(row.matchCount))
        }
        own = mappings.filter(\.isUserDefined).map(keyword)
        let rest = mappings.filter { !$0.isUserDefined }.sorted {
            ($1.matchCount, $0.keyword) < ($0.matchCount, $1.keyword)
        }
        shipped = rest.prefix(Self.shipped).map(keyword)
        shippedTotal =
            rest.count > Self.shipped
            ? PageText.of("categories.most-matched", count: rest.count, ["shown": "\(Self.shipped)"])
            : PageText.count(rest.count, "keyword") + "."
        self.search = search ?? ""
        categoryChoices = CategorySelection.choices(categories, chosen: nil, nil)
    }

    private static func list(_ parts: [(Int, String)]) -> String {
        parts.filter { $0.0 > 0 }.map { PageText.count($0.0, $0.1) }.joined(separator: ", ")
    }

    /// What the deletion of a subcategory changes.
    fileprivate static func sentence(_ use: CategoryUse, keeping category: String) -> String {
        let kept = list([
            (use.transactions, "transaction"), (use.recurringItems, "recurring-item"), (use.mappings, "rule"),
            (use.payees, "payee"),
        ])
        let gone = list([(use.budgets, "budget")])
        let parts = [
            kept.isEmpty ? nil : PageText.of("categories.keeps", ["what": kept, "category": category]),
            gone.isEmpty ? nil : PageText.of("categories.deletes", ["what": gone]),
        ].compactMap(\.self)
        return (parts.isEmpty ? [PageText.of("categories.unused")] : parts).joined(separator: " ")
            + PageText.of("categories.can-undo")
    }

    private static func sentence(_ use: CategoryUse) -> String {
        let moved = list([(use.transactions, "transaction"), (use.recurringItems, "recurring-item")])
        let gone = list([(use.mappings, "rule"), (use.budgets, "budget")])
        let without = list([(use.payees, "payee")])
        let parts = [
            moved.isEmpty ? nil : PageText.of("categories.moves", ["what": moved]),
            gone.isEmpty ? nil : PageText.of("categories.deletes", ["what": gone]),
            without.isEmpty ? nil : PageText.of("categories.leaves", ["what": without]),
        ].compactMap(\.self)
        return (parts.isEmpty ? [PageText.of("categories.unused")] : parts).joined(separator: " ")
            + PageText.of("categories.can-undo")
    }
}
