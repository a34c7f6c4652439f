import Hummingbird
import Ledger
import Store

/// Payees with their transactions, and the page of one.
enum PayeesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/payees", on: router) { call in
            try await pages.show(.payees, call) { try PayeesView(PayeeForm(), in: $0) }
        }
        pages.post("/app/payees", on: router) { call in
            try await pages.change(call, done: "payee") { form, ledger, actor in
                let aliases = form.alias.isEmpty ? [] : [form.alias]
                let target = try form.target(ledger)
                return try ledger.payees.add(
                    NewPayee(
                        name: form.name, category: target?.category, subcategory: target?.subcategory,
                        aliases: aliases), by: actor)
            }
        }
        pages.get("/app/payees/{id}", on: router) { call in
            let id = try call.number(of: "payee-number")
            return try await pages.show(.payee, call) { try PayeeView(id, nil, in: $0) }
        }
        addActions(pages, to: router)
        pages.post("/app/payees/refuse", on: router) { call in
            try await pages.services.write { ledger in
                guard let offer = try offer(call, ledger) else { return }
                try ledger.payees.refuse(offer)
            }
            return pages.seeOther(call.back(otherwise: "/app/transactions"), done: "refused")
        }
        pages.post("/app/payees/accept", on: router) { call in
            let change = try await pages.services.write { [actor = call.context.actor] ledger -> PayeeChange in
                guard let offer = try offer(call, ledger) else {
                    throw PageProblem.missing(PageText.of("missing.offer"))
                }
                return try ledger.payees.accept(offer, by: actor)
            }
            return pages.seeOther(
                call.back(otherwise: "/app/payees/\(change.row.id)"), done: "payee", undo: change.group)
        }
    }

    /// The forms of the page of one payee.
    private static func addActions(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/payees/{id}", on: router) { call in
            let id = try call.number(of: "payee-number")
            return try await pages.change(call, of: id, done: "saved") { form, ledger, actor in
                let target = try form.target(ledger)
                let group = LedgerChange.newGroup()
                let old = try ledger.payees.find(id)
                let row = try ledger.payees.update(
                    id,
                    PayeeEdit(
                        name: form.name, category: target.map { .set($0.category) } ?? .clear,
                        subcategory: target?.subcategory), by: actor, group: group)
                return PayeeChange(row: row, group: row == old ? nil : group)
            }
        }
        pages.post("/app/payees/{id}/settle", on: router) { call in
            let id = try call.number(of: "payee-number")
            return try await pages.change(call, of: id, done: "settled") { form, ledger, actor in
                guard let target = try form.target(ledger) else {
                    throw StoreError(
                        kind: .invalid, path: "", message: "", fields: [FieldProblem("category_name", .required)])
                }
                return try ledger.payees.assign(
                    id, category: target.category, subcategory: target.subcategory, by: actor)
            }
        }
        addAliasActions(pages, to: router)
        pages.post("/app/payees/{id}/merge", on: router) { call in
            let id = try call.number(of: "payee-number")
            let other = call.form["into"].flatMap { Int64($0) } ?? 0
            return try await pages.change(call, of: id, done: "payees-merged") { _, ledger, actor in
                try ledger.payees.merge(id, into: other, by: actor)
            }
        }
        pages.post("/app/payees/{id}/delete", on: router) { call in
            let id = try call.number(of: "payee-number")
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.payees.delete(id, by: actor, group: group)
            }
            return pages.seeOther("/app/payees", done: "deleted", undo: group)
        }
    }

    private static func addAliasActions(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/payees/{id}/alias", on: router) { call in
            let id = try call.number(of: "payee-number")
            return try await pages.change(call, of: id, done: "alias") { form, ledger, actor in
                try ledger.payees.add(alias: form.alias, to: id, by: actor)
            }
        }
        pages.post("/app/payees/{id}/alias/delete", on: router) { call in
            let id = try call.number(of: "payee-number")
            let alias = call.form["alias"].flatMap { Int64($0) } ?? 0
            return try await pages.change(call, of: id, done: "alias-gone") { _, ledger, actor in
                try ledger.payees.remove(alias: alias, of: id, by: actor)
            }
        }
    }

    private static func offer(_ call: PageCall, _ ledger: some ReadScope) throws -> AliasOffer? {
        try call.form["offer"].flatMap { Int64($0) }.flatMap { try ledger.payees.offer(for: $0) }
    }
}

extension Pages {
    private enum Outcome: Sendable {
        case invalid(PayeeForm)
        case changed(PayeeChange)
    }

    /// Runs a change and shows its payee, or the form again with the faults of its values.
    /// - Parameter id: the payee of the page; `nil` on the list.
    fileprivate func change(
        _ call: PageCall, of id: Int64? = nil, done: String,
        _ body: @escaping @Sendable (PayeeForm, WriteTransaction, Actor) throws -> PayeeChange
    ) async throws -> Response {
        let outcome = try await services.write { [actor = call.context.actor] ledger -> Outcome in
            var form = PayeeForm(call.form)
            do { return .changed(try body(form, ledger, actor)) } catch let error as StoreError
                where !error.fields.isEmpty
            {
                form.problems = error.fields.map { $0.sentence() }
                return .invalid(form)
            }
        }
        switch outcome {
        case .invalid(let form):
            guard let id else { return try await show(.payees, call) { try PayeesView(form, in: $0) } }
            return try await show(.payee, call) { try PayeeView(id, form, in: $0) }
        case .changed(let change):
            return seeOther(
                "/app/payees/\(change.row.id)", done: change.group == nil ? "unchanged" : done, undo: change.group)
        }
    }
}

/// The values of the forms about payees.
struct PayeeForm: Sendable {
    var name = ""
    var alias = ""
    /// The value of a ``CategorySelection``; empty for none.
    var category = ""
    var problems: [String] = []

    init() {}

    init(_ row: PayeeRow) {
        name = row.name
        category = row.categoryID.map { "\($0)" + (row.subcategoryID.map { ".\($0)" } ?? "") } ?? ""
    }

    init(_ fields: FormFields) {
        name = fields.text("name") ?? ""
        alias = fields.text("alias") ?? ""
        category = fields.text("category") ?? ""
    }

    func target(_ ledger: some ReadScope) throws -> CategorySelection? {
        category.isEmpty ? nil : try CategorySelection(category, among: ledger.categories.all())
    }

    func choices(_ ledger: some ReadScope) throws -> [SelectChoice] {
        CategorySelection.choices(try ledger.categories.all(), chosen: nil, nil).map {
            SelectChoice($0.value, $0.title, chosen: category)
        }
    }
}

struct PayeesView: FormView {
    struct Line: Sendable {
        var name: String
        var path: String
        var note: String
    }

    var unsettled: [Line]
    var settled: [Line]
    var others: [Line]
    var form: PayeeForm
    var problems: [String]
    var categoryChoices: [SelectChoice]

    init(_ form: PayeeForm, in ledger: Snapshot) throws {
        self.form = form
        problems = form.problems
        categoryChoices = try form.choices(ledger)
        let counted = try ledger.payees.counted()
        let known = Set(counted.map(\.row.id))
        unsettled = counted.filter { $0.figures.uncategorized > 0 }.map(Line.init)
        settled = counted.filter { $0.figures.uncategorized == 0 }.map(Line.init)
        others = try ledger.payees.all().filter { !known.contains($0.id) }.map { Line(CountedPayee(row: $0)) }
    }
}

extension PayeesView.Line {
    init(_ payee: CountedPayee) {
        let (row, figures) = (payee.row, payee.figures)
        name = row.name
        path = "/app/payees/\(row.id)"
        note = [
            figures.transactions == 0 ? nil : PageText.count(figures.transactions, "transaction"),
            figures.uncategorized == 0 ? nil : PageText.of("payees.uncategorized", count: figures.uncategorized),
            row.category.map { CategoryText.name($0, row.subcategory) },
        ].compactMap { $0 }.joined(separator: " · ")
    }
}

struct PayeeView: FormView {
    struct Alias: Sendable {
        var id: String
        var payee: String
        var text: String
        var isOwn: Bool
    }

    var id: String
    var heading: String
    var note: String
    var transactions: String
    var uncategorized: String?
    var aliases: [Alias]
    var form: PayeeForm
    var problems: [String]
    var categoryChoices: [SelectChoice]
    var others: [SelectChoice]
    var isShipped: Bool

    /// - Parameter form: the form as it was sent, if it cannot be saved.
    init(_ number: Int64, _ form: PayeeForm?, in ledger: Snapshot) throws {
        guard let row = try ledger.payees.find(number) else {
            throw PageProblem.missing(PageText.of("missing.payee", ["id": "\(number)"]))
        }
        let figures = try ledger.payees.figures()[number] ?? PayeeFigures()
        self.form = form ?? PayeeForm(row)
        if self.form.name.isEmpty { self.form.name = row.name }
        id = "\(row.id)"
        heading = row.name
        note = PayeesView.Line(CountedPayee(row: row, figures: figures)).note
        transactions = "/app/transactions?" + FormFields.encoded([("payee", "\(row.id)")])
        uncategorized = figures.uncategorized > 0 ? PageText.count(figures.uncategorized, "transaction") : nil
        aliases = row.aliases.map { Alias(id: "\($0.id)", payee: "\(number)", text: $0.alias, isOwn: $0.isUserDefined) }
        problems = self.form.problems
        categoryChoices = try self.form.choices(ledger)
        others = try ledger.payees.all().filter { $0.id != number }.map {
            SelectChoice("\($0.id)", $0.name, isChosen: false)
        }
        isShipped = row.isShipped
    }
}
