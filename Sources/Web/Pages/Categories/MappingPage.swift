import Chronology
import Hummingbird
import Ledger
import Store

/// A category rule: a preview of its effect on past transactions, then the rule, with or without that change.
enum MappingPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mappings/new", on: router) { call in
            let back = call.back(otherwise: "/app/categories")
            return try await pages.show(.rule, call) { try MappingView(call.query, in: $0, back: back) }
        }
        pages.post("/app/mappings", on: router) { call in
            let back = call.back(otherwise: "/app/categories")
            let applied = try await pages.services.write { [actor = call.context.actor] ledger -> AppliedMapping? in
                let categories = try ledger.categories.all()
                var form = try MappingView.form(call.form, ledger, categories)
                guard let new = try form.mapping(categories) else { return nil }
                return try ledger.mappings.apply(new, to: call.form["past"] != nil, by: actor)
            }
            guard let applied else {
                return try await pages.show(.rule, call) { try MappingView(call.form, in: $0, back: back) }
            }
            return pages.seeOther(back, done: applied.changed > 0 ? "applied" : "mapping", undo: applied.group)
        }
        pages.post("/app/mappings/refuse", on: router) { call in
            try await pages.services.write { try $0.categories.refuse(MappingView.offer(call.form, $0)) }
            return pages.seeOther(call.back(otherwise: "/app/transactions"), done: "refused")
        }
        pages.post("/app/mappings/{id}/delete", on: router) { call in
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.mappings.delete(call.number(of: "entry"), by: actor, group: group)
            }
            return pages.seeOther("/app/categories", done: "mapping-gone", undo: group)
        }
    }
}

struct MappingView: FormView {
    struct Line: Sendable {
        var path: String
        var merchant: String
        var date: String
        var old: String
        var why: String?
        var amount: String
    }

    var form: MappingForm
    var kindChoices: [SelectChoice]
    var categoryChoices: [SelectChoice]
    var channelChoices: [SelectChoice]
    var typeChoices: [SelectChoice]
    var problems: [String]
    /// True if the fields name a rule; otherwise the page shows the form only.
    var isPreview = false
    var hidden: [SelectChoice] = []
    var sentence = ""
    var target = ""
    var rows: [Line] = []
    var count = ""
    var more: String?
    var staying: String?
    var stayingRows: [Line] = []
    var same: String?
    var changesNothing = true
    var hasConditions: Bool
    var back: String

    /// Returns the form of an offer, of an existing rule as the model of a new one, or of the fields.
    static func form(_ fields: FormFields, _ ledger: some ReadScope, _ categories: [CategoryRow]) throws -> MappingForm
    {
        if fields["keyword"] == nil, fields["offer"] != nil {
            return MappingForm(try offer(fields, ledger), categories)
        }
        if fields["keyword"] == nil, let id = fields["like"].flatMap({ Int64($0) }) {
            guard let row = try ledger.mappings.find(id) else { throw PageProblem.missing(PageText.of("missing.rule")) }
            return MappingForm(row, categories)
        }
        return MappingForm(fields)
    }

    static func offer(_ fields: FormFields, _ ledger: some ReadScope) throws -> CategoryOffer {
        guard let id = fields["offer"].flatMap({ Int64($0) }), let offer = try ledger.categories.offer(for: id) else {
            throw PageProblem.missing(PageText.of("missing.offer"))
        }
        return offer
    }

    init(_ fields: FormFields, in ledger: Snapshot, back: String) throws {
        let categories = try ledger.categories.all()
        let isAsked = fields["keyword"] != nil || fields["offer"] != nil
        let read = try Self.read(fields, isAsked, categories, ledger)
        self.init(read.form, categories, back: back)
        if let preview = read.preview { show(preview, read.conditions) }
    }

    private init(_ form: MappingForm, _ categories: [CategoryRow], back: String) {
        self.back = back
        self.form = form
        problems = form.problems
        hasConditions = form.hasConditions
        hidden = form.hidden
        kindChoices = MappingForm.kinds.map { SelectChoice($0.0, $0.1, chosen: form.kind) }
        categoryChoices = CategorySelection.choices(categories, chosen: nil, nil).map {
            SelectChoice($0.value, $0.title, chosen: form.category)
        }
        channelChoices =
            [SelectChoice("", PageText.of("categories.any"), chosen: form.channel)]
            + Channel.allCases.map { SelectChoice($0.rawValue, $0.words, chosen: form.channel) }
        typeChoices =
            [SelectChoice("", PageText.of("categories.any"), chosen: form.type)]
            + TransactionType.allCases.map {
                SelectChoice(
                    $0.rawValue, PageText.of("type.\($0.rawValue)"), chosen: form.type)
            }
    }

    private mutating func show(_ preview: MappingPreview, _ conditions: MappingConditions) {
        isPreview = true
        sentence = MappingForm.sentence(preview.keyword, preview.kind, conditions)
        target = CategoryText.name(preview.category, preview.subcategory)
        rows = preview.changes.map { Line($0.row) }
        stayingRows = preview.staying.map { Line($0) }
        count = Self.past(preview.count - preview.waitingCount, waiting: preview.waitingCount)
        changesNothing = preview.count == 0
        more =
            preview.count > preview.changes.count
            ? PageText.of(
                "mapping.more-would-change", count: preview.count - preview.changes.count,
                ["shown": "\(preview.changes.count)"])
            : nil
        staying =
            preview.stayingCount > 0
            ? PageText.of("mapping.would-stay", ["transactions": PageText.count(preview.stayingCount, "transaction")])
            : nil
        same =
            preview.sameCount > 0
            ? PageText.of("mapping.have-already", ["transactions": PageText.count(preview.sameCount, "transaction")])
            : nil
    }

    /// Names booked and waiting rows apart.
    private static func past(_ booked: Int, waiting: Int) -> String {
        let items = PageText.count(waiting, "waiting-item")
        guard waiting > 0 else { return PageText.count(booked, "past-transaction") }
        guard booked > 0 else { return items }
        return PageText.of(
            "mapping.and-waiting", ["transactions": PageText.count(booked, "past-transaction"), "items": items])
    }

    private struct Read {
        var form: MappingForm
        var preview: MappingPreview?
        var conditions = MappingConditions.none
    }

    /// Reads the preview. There is none if the form or the ledger refuses a value; the form then has the problems.
    private static func read(
        _ fields: FormFields, _ isAsked: Bool, _ categories: [CategoryRow], _ ledger: Snapshot
    ) throws -> Read {
        var form = try form(fields, ledger, categories)
        guard isAsked, let new = try form.mapping(categories) else { return Read(form: form) }
        switch Result(catching: { () throws(StoreError) in try ledger.mappings.preview(new) }) {
        case .success(let preview): return Read(form: form, preview: preview, conditions: new.conditions)
        case .failure(let error):
            guard error.kind == .invalid else { throw error }
            form.problems = error.fields.map { $0.sentence(words) }
            return Read(form: form)
        }
    }

    private static var words: [String: String] {
        [
            "conditions.amount_from": PageText.of("common.amount-from"),
            "conditions.amount_to": PageText.of("common.amount-to"),
            "conditions.account_digits": PageText.of("common.account"),
        ]
    }
}

extension MappingView.Line {
    init(_ row: TransactionRow) {
        self.init(
            path: "/app/transactions/\(row.id)", merchant: row.vendor ?? row.vpa ?? PageText.of("common.no-merchant"),
            date: DayText.text(row.date),
            old: CategoryText.name(row.category, row.subcategory), why: TransactionLine.short(row),
            amount: MoneyText.signed(row.amount, row.type))
    }
}

extension Channel {
    var words: String {
        switch self {
        case .upi, .neft, .imps, .rtgs, .atm: rawValue.uppercased()
        default: PageText.of("channel.\(rawValue)")
        }
    }
}
