import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// One transaction: where it came from, its fields to be edited, its history; and a new one.
enum TransactionEditing {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions/new", on: router) { call in
            let categories = try await pages.services.ledger { try $0.categories.all() }
            let view = TransactionView(
                new: TransactionForm(day: pages.today), categories, back: call.back(otherwise: "/app/transactions"))
            return await pages.show("transaction", view, call, title: "New transaction", section: .transactions)
        }
        pages.post("/app/transactions/new", on: router) { call in
            let back = call.back(otherwise: "/app/transactions")
            let (view, group) = try await pages.services.ledger {
                [actor = call.context.actor] store -> (TransactionView?, String?) in
                let categories = try store.categories.all()
                var form = TransactionForm(call.form)
                guard let new = try form.new(categories) else {
                    return (TransactionView(new: form, categories, back: back), nil)
                }
                let row = try store.transactions.add(new, by: actor)
                return (nil, try store.journal.changes(ofTransaction: row.id, limit: 1).first?.group)
            }
            if let view {
                return await pages.show(
                    "transaction", view, call, title: "New transaction", section: .transactions,
                    status: .unprocessableContent)
            }
            return pages.seeOther(back, done: "added", undo: group)
        }
        pages.get("/app/transactions/{id}", on: router) { call in
            let view = try await pages.services.ledger {
                try TransactionView(
                    Self.row(call, $0), in: $0, form: nil, back: call.back(otherwise: "/app/transactions"))
            }
            return await pages.show("transaction", view, call, title: "Transaction", section: .transactions)
        }
        pages.post("/app/transactions/{id}", on: router) { call in
            let back = call.back(otherwise: "/app/transactions")
            let (view, group) = try await pages.services.ledger {
                [actor = call.context.actor] store -> (TransactionView?, String?) in
                let row = try Self.row(call, store)
                var form = TransactionForm(call.form)
                guard let edit = try form.edit(of: row, try store.categories.all()) else {
                    return (try TransactionView(row, in: store, form: form, back: back), nil)
                }
                let group = LedgerChange.newGroup()
                let changed = try store.transactions.change(row.id, edit, expecting: call.form["revision"].flatMap { Int64($0) } ?? row.revision,
                    by: actor, group: group)
                return (nil, changed.revision == row.revision ? "" : group)
            }
            if let view {
                return await pages.show(
                    "transaction", view, call, title: "Transaction", section: .transactions,
                    status: .unprocessableContent)
            }
            return pages.seeOther(
                back, done: group == "" ? "unchanged" : "saved", undo: group, offer: call.parameter("id"))
        }
        pages.post("/app/transactions/{id}/delete", on: router) { call in
            let group = LedgerChange.newGroup()
            try await pages.services.ledger { [actor = call.context.actor] store in
                _ = try store.transactions.delete(Self.row(call, store).id, by: actor, group: group)
            }
            return pages.seeOther(call.back(otherwise: "/app/transactions"), done: "deleted", undo: group)
        }
    }

    private static func row(_ call: PageCall, _ store: Store) throws -> TransactionRow {
        guard let id = Int64(call.parameter("id")), let row = try store.transactions.find(id) else {
            throw PageProblem.missing("transaction of this number")
        }
        return row
    }
}

struct TransactionView: Sendable {
    struct Step: Sendable {
        var at: String
        var text: String
        /// The group, where it can be taken back.
        var group: String?
    }

    var isNew: Bool
    var id = ""
    var revision = ""
    var back: String
    var here = ""
    var heading: String
    var amountText = ""
    var facts: [String] = []
    var form: TransactionForm
    var typeChoices: [SelectChoice]
    var categoryChoices: [SelectChoice]
    var problems: [String]
    var source: MailSourceView?
    var reasons: [ReasonLine] = []
    var confidence: String?
    var categoryReason: String?
    /// All transactions of its merchant, and a rule about it.
    var samePath: String?
    var rulePath: String?
    var history: [Step] = []
    var waits = false
    var original: String?
    var transfer: TransferCard?
    var fix: PageFix?

    init(new form: TransactionForm, _ categories: [CategoryRow], back: String) {
        isNew = true
        heading = "New transaction"
        self.back = back
        self.form = form
        problems = form.problems
        (typeChoices, categoryChoices) = form.choices(categories)
    }

    /// - Parameter form: as it was filled in, where it cannot be saved.
    init(_ row: TransactionRow, in store: Store, form: TransactionForm?, back: String) throws {
        let categories = try store.categories.all()
        let filled = form ?? TransactionForm(row, categories)
        isNew = false
        id = "\(row.id)"
        revision = "\(row.revision)"
        self.back = back
        here = "/app/transactions/\(row.id)?" + FormFields.encoded([("back", back)])
        heading = row.vendor ?? row.vpa ?? "Transaction \(row.id)"
        amountText = (row.type == .income ? "+" : "") + MoneyText.text(row.amount)
        self.form = filled
        problems = filled.problems
        (typeChoices, categoryChoices) = filled.choices(categories)
        waits = row.status == .needsReview
        facts = [
            DayText.text(iso: row.date) + (row.time.map { ", " + $0.prefix(5) } ?? ""), row.accountName,
            row.channel.map { "by \($0.rawValue)" }, row.vpa, row.mcc.map { "merchant category code \($0)" },
            row.balance.map { "balance after it \(MoneyText.text($0))" },
            row.recorder == "Auto" ? nil : "recorded by hand (\(row.recorder))",
            row.status == .confirmed ? nil : row.status == .needsReview ? "waits for review" : "rejected",
        ].compactMap { $0 }
        source = try ReviewService(store).mailSource(ofMail: row.mailID, provenance: row.provenance).map(
            MailSourceView.init)
        reasons = try store.review.item(.transaction(row.id))?.reasons.map(ReasonLine.init) ?? []
        confidence = row.confidence.map { "\(Int(($0 * 100).rounded())) %" }
        categoryReason = TransactionLine.whole(row)
        if let vendor = row.vendor {
            samePath = "/app/transactions?" + FormFields.encoded([("q", vendor)])
            rulePath =
                "/app/mappings/new?"
                + FormFields.encoded([("keyword", vendor), ("category", filled.category), ("back", here)])
        }
        transfer = row.status == .confirmed ? try TransferCard(of: row, in: store, back: back) : nil
        fix = try ReviewService(store).profileFix(forTransaction: row.id).map {
            PageFix($0, back: "/app/transactions/\(row.id)")
        }
        original = row.duplicateOf.map { "\($0)" }
        history = try store.journal.changes(ofTransaction: row.id, limit: 20).map { change in
            Step(
                at: DayText.instant(change.at), text: change.kind.words,
                group: change.isUndone || change.kind == .undone ? nil : change.group)
        }
    }
}

extension LedgerChange.Kind {
    var words: String {
        switch self {
        case .added: "Added"
        case .changed: "Changed"
        case .deleted: "Deleted"
        case .accepted: "Accepted"
        case .rejected: "Rejected"
        case .released: "Released"
        case .mapped: "Keyword changed"
        case .undone: "An edit was undone"
        }
    }
}
