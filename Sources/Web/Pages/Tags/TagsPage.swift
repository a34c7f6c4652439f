import Chronology
import Hummingbird
import Ledger
import Review
import Store

/// Tags with their transactions and sums, and the page of one with its forms.
enum TagsPage {
    static let path = "/app/tags"

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/tags", on: router) { call in
            let choice = PeriodChoice(call.query, today: pages.today)
            return try await pages.show(.tags, call) { try TagsView(choice, call.query, in: $0) }
        }
        // A tag may contain any character but blanks and commas, a slash included, so the query has it.
        pages.get("/app/tag", on: router) { call in
            let name = call.query.text("name") ?? ""
            return try await pages.show(.tag, call) { try TagView(name, in: $0) }
        }
        pages.post("/app/tags/rename", on: router) { call in
            let (old, new) = (call.form.text("tag") ?? "", call.form.text("name") ?? "")
            let problems = Tag.problems([new]).map { $0.sentence(["tags": PageText.of("categories.new-name")]) }
            guard problems.isEmpty else { return try await pages.show(old, call, new, problems) }
            let isTaken = try await pages.services.read { ledger in
                try old.lowercased() != new.lowercased() && TagView.find(new, in: ledger) != nil
            }
            guard !isTaken else { return try await pages.show(old, call, new, [PageText.of("tags.exists")]) }
            return try await pages.replace(old, with: new, call, done: "tag-renamed")
        }
        pages.post("/app/tags/merge", on: router) { call in
            let into = call.form.text("into") ?? ""
            _ = try await pages.services.read { try TagView.find(into, in: $0).orMissing(into) }
            return try await pages.replace(
                call.form.text("tag") ?? "", with: into, call, done: "tags-merged")
        }
        pages.post("/app/tags/remove", on: router) { call in
            let name = call.form.text("tag") ?? ""
            return try await pages.change(name, .removeTag(name), call, to: path, done: "tag-removed")
        }
    }
}

extension Pages {
    /// Shows the page of a tag with what was typed.
    fileprivate func show(
        _ tag: String, _ call: PageCall, _ typed: String, _ problems: [String]
    ) async throws
        -> Response
    {
        try await show(.tag, call) { ledger in
            var view = try TagView(tag, in: ledger)
            (view.typed, view.problems) = (typed, problems)
            return view
        }
    }

    fileprivate func replace(_ old: String, with new: String, _ call: PageCall, done: String) async throws -> Response {
        try await change(
            old, .replaceTag(old, with: new), call, to: "/app/tag?" + FormFields.encoded([("name", new)]), done: done)
    }

    /// Changes all transactions with a tag, of any status: one group of the journal.
    fileprivate func change(
        _ tag: String, _ action: BulkAction, _ call: PageCall, to path: String, done: String
    ) async throws -> Response {
        var query = TransactionQuery()
        query.tag = tag
        let (selection, actor) = (BulkSelection.query(query), call.context.actor)
        let result = try await BulkPage.refusing {
            try await services.ledger { store in
                try ReviewService(store, by: actor).change(all: selection, action, expecting: nil)
            }
        }
        guard !result.selected.isEmpty else { throw PageProblem.missing(PageText.of("missing.tag", ["name": tag])) }
        let isChanged = !result.changed.isEmpty
        return seeOther(path, done: isChanged ? done : "unchanged", undo: isChanged ? result.group : nil)
    }
}

struct TagsView: Sendable {
    struct Line: Sendable {
        var name: String
        var path: String
        var note: String
        /// The expenses of the period, with the list of them; `nil` without any.
        var sum: String?
        var rows: String
    }

    var problems: [String]
    var period: PeriodBar
    var lines: [Line]

    /// The period is that of the statistics.
    init(_ choice: PeriodChoice, _ query: FormFields, in ledger: Snapshot) throws {
        problems = choice.problems
        let shown = choice.period ?? .months(12, through: choice.today)
        period = PeriodBar(
            shown, choice, path: TagsPage.path, query: query, cycles: try ledger.statistics.statementCycles())
        var sums: [String: [String]] = [:]
        for total in try ledger.statistics.totals(of: shown.days) {
            for sum in try ledger.statistics.spendByTag(of: shown.days, in: total.currency) {
                sums[sum.tag.lowercased(), default: []].append(MoneyText.text(sum.spent))
            }
        }
        lines = try ledger.transactions.tags().map { tag in
            Line(
                name: tag.name, path: TagView.path(tag.name), note: PageText.count(tag.transactions, "transaction"),
                sum: sums[tag.name.lowercased()].map {
                    PageText.of("transactions.sum-spent", ["amount": $0.joined(separator: ", ")])
                },
                rows: TagView.rows(tag.name, period: shown))
        }
    }
}

struct TagView: FormView, TitledView {
    var name: String
    var title: String { name }
    var note: String
    var rows: String
    var others: [String]
    /// The new name as it was typed.
    var typed: String
    var problems: [String] = []

    /// - Throws: ``PageProblem`` for a tag that no transaction has.
    init(_ name: String, in ledger: Snapshot) throws {
        let tag = try Self.find(name, in: ledger).orMissing(name)
        self.name = tag.name
        typed = tag.name
        note = PageText.count(tag.transactions, "transaction")
        rows = Self.rows(tag.name, period: nil)
        others = try ledger.transactions.tags().map(\.name).filter { $0.lowercased() != tag.name.lowercased() }
    }

    static func find(_ name: String, in ledger: Snapshot) throws -> TagCount? {
        try ledger.transactions.tags().first { $0.name.lowercased() == name.lowercased() }
    }

    static func path(_ name: String) -> String { "/app/tag?" + FormFields.encoded([("name", name)]) }

    static func rows(_ name: String, period: ReportingPeriod?) -> String {
        "/app/transactions?"
            + FormFields.encoded([("tag", name)] + (period.map { [("period", $0.fixed.description)] } ?? []))
    }
}

extension TagCount? {
    fileprivate func orMissing(_ name: String) throws -> TagCount {
        guard let self else { throw PageProblem.missing(PageText.of("missing.tag", ["name": name])) }
        return self
    }
}
