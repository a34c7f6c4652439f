import Chronology
import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// One transaction: its source, a form to edit it, its history; and the form for a new one.
enum TransactionEditing {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions/new", on: router) { call in
            let form = TransactionForm(day: pages.today, currency: pages.services.store.homeCurrency)
            return try await pages.show(.newTransaction, call) { try newView(form, call, in: $0) }
        }
        pages.get("/app/transactions/{id}", on: router) { call in
            try await pages.show(.transaction, call) { try view(call, form: nil, in: $0) }
        }
        pages.post("/app/transactions/new", on: router) { try await pages.addTransaction($0) }
        pages.post("/app/transactions/{id}", on: router) { try await pages.editTransaction($0) }
        pages.post("/app/transactions/{id}/delete", on: router) { try await pages.deleteTransaction($0) }
    }

    fileprivate static func newView(
        _ form: TransactionForm, _ call: PageCall, in ledger: Snapshot
    ) throws -> TransactionView {
        TransactionView(
            new: form, try ledger.categories.all(), back: call.list)
    }

    static func view(
        _ call: PageCall, form: TransactionForm?, split: SplitForm? = nil, in ledger: Snapshot
    ) throws -> TransactionView {
        var view = try TransactionView(
            shown(call, ledger), in: ledger, form: form, back: call.list)
        view.split = try SplitCard(shown(call, ledger), typed: split, in: ledger, back: view.back)
        view.problems += split?.problems ?? []
        return view
    }

    /// The transaction, or the one that replaces it (``EventLinkKind/isReplacement``).
    private static func shown(_ call: PageCall, _ ledger: Snapshot) throws -> TransactionRow {
        if let id = Int64(call.parameter("id")), let other = try ledger.eventLinks.replacement(of: id),
            let row = try ledger.transactions.find(other)
        {
            return row
        }
        return try row(call, ledger)
    }

    static func row(_ call: PageCall, _ ledger: some ReadScope) throws -> TransactionRow {
        guard let id = Int64(call.parameter("id")), let row = try ledger.transactions.find(id) else {
            throw PageProblem.missing(PageText.of("missing.transaction"))
        }
        return row
    }
}

extension Pages {
    /// Result of a submitted form.
    private enum Outcome: Sendable {
        case invalid(TransactionForm)
        /// The transaction was changed since the form was shown.
        case stale(TransactionForm)
        /// - Parameter group: the edits to undo; `nil` if nothing changed.
        case saved(group: String?)
    }

    fileprivate func addTransaction(_ call: PageCall) async throws -> Response {
        let outcome = try await services.write { [actor = call.context.actor] ledger -> Outcome in
            var form = TransactionForm(call.form)
            guard let new = try form.new(ledger.categories.all()) else { return .invalid(form) }
            let row = try ledger.transactions.add(new, by: actor)
            return .saved(group: try ledger.journal.changes(ofTransaction: row.id, limit: 1).first?.group)
        }
        switch outcome {
        case .invalid(let form), .stale(let form):
            return try await show(.newTransaction, call) { try TransactionEditing.newView(form, call, in: $0) }
        case .saved(let group):
            return seeOther(call.back(otherwise: "/app/transactions"), done: "added", undo: group)
        }
    }

    fileprivate func editTransaction(_ call: PageCall) async throws -> Response {
        let outcome = try await services.write { [actor = call.context.actor] ledger -> Outcome in
            let row = try TransactionEditing.row(call, ledger)
            var form = TransactionForm(call.form)
            if let seen = call.form["revision"].flatMap({ Int64($0) }), seen != row.revision {
                form.problems = form.conflict(with: TransactionForm(row, try ledger.categories.all()))
                return .stale(form)
            }
            let lacksDirection = try ledger.review.item(.transaction(row.id))?.lacksDirection ?? false
            guard var edit = try form.edit(of: row, ledger.categories.all(), lacksDirection: lacksDirection) else {
                return .invalid(form)
            }
            edit.confirmsReconciled = call.confirmsReconciled
            let group = LedgerChange.newGroup()
            do { edit.payeeID = try form.payeeChange(of: row, in: ledger, by: actor, group: group) } catch let error
                as StoreError where !error.fields.isEmpty
            {
                form.problems = error.fields.map { PageText.of("transaction.payee-problem", ["problem": $0.words]) }
                return .invalid(form)
            }
            let changed = try ledger.transactions.change(row.id, edit, by: actor, group: group)
            return .saved(group: changed.revision == row.revision ? nil : group)
        }
        switch outcome {
        case .invalid(let form):
            return try await show(.transaction, call) { try TransactionEditing.view(call, form: form, in: $0) }
        case .stale(let form):
            return try await show(.transaction, call, status: .conflict) {
                try TransactionEditing.view(call, form: form, in: $0)
            }
        case .saved(let group):
            return seeOther(
                call.back(otherwise: "/app/transactions"), done: group == nil ? "unchanged" : "saved", undo: group,
                offer: call.parameter("id"))
        }
    }

    fileprivate func deleteTransaction(_ call: PageCall) async throws -> Response {
        let group = LedgerChange.newGroup()
        try await services.write { [actor = call.context.actor] ledger in
            _ = try ledger.transactions.delete(
                TransactionEditing.row(call, ledger).id, by: actor, group: group,
                confirmsReconciled: call.confirmsReconciled)
        }
        return seeOther(call.back(otherwise: "/app/transactions"), done: "deleted", undo: group)
    }
}

struct TransactionView: FormView, TitledView {
    struct Tagged: Sendable {
        var name: String
        var path: String
    }

    struct Step: Sendable {
        var at: String
        var text: String
        /// The group to undo, if the edit can be undone.
        var group: String?
    }

    var isNew: Bool
    var title: String { isNew ? heading : [heading, amountText].joined(separator: " · ") }
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
    /// The list of the merchant's transactions, and the form for a rule about the merchant.
    var samePath: String?
    var rulePath: String?
    var history: [Step] = []
    /// A link to the transactions of each tag.
    var tags: [Tagged] = []
    /// The payee with a link to its page.
    var payee: Tagged?
    var split: SplitCard?
    var waits = false
    var original: String?
    var transfer: TransferCard?
    var links: [LinkCard] = []
    var fix: PageFix?

    init(new form: TransactionForm, _ categories: [CategoryRow], back: String) {
        isNew = true
        heading = PageText.of("page.new-transaction")
        self.back = back
        self.form = form
        problems = form.problems
        (typeChoices, categoryChoices) = form.choices(categories)
    }

    /// - Parameter form: the form as it was sent, if it cannot be saved.
    init(_ row: TransactionRow, in ledger: Snapshot, form: TransactionForm?, back: String) throws {
        let categories = try ledger.categories.all()
        let item = try ledger.review.item(.transaction(row.id))
        let lacksDirection = item?.lacksDirection ?? false
        let filled = form ?? TransactionForm(row, categories, lacksDirection: lacksDirection)
        isNew = false
        id = "\(row.id)"
        revision = "\(row.revision)"
        self.back = back
        here = "/app/transactions/\(row.id)?" + FormFields.encoded([("back", back)])
        heading = row.vendor ?? row.vpa ?? PageText.of("notice.transaction", ["id": "\(row.id)"])
        amountText = MoneyText.signed(row.amount, lacksDirection ? nil : row.type)
        self.form = filled
        problems = filled.problems
        (typeChoices, categoryChoices) = filled.choices(categories)
        waits = row.status == .needsReview
        facts = Self.facts(row)
        let review = ReviewService(ledger)
        source = try review.mailSource(ofMail: row.mailID, provenance: row.provenance).map {
            MailSourceView($0, ledger.timeZone)
        }
        reasons = item?.reasons.map(ReasonLine.init) ?? []
        confidence = row.confidence.map(PercentText.text)
        categoryReason = TransactionLine.whole(row)
        if let vendor = row.vendor {
            samePath = "/app/transactions?" + FormFields.encoded([("q", SearchExpression.text(merchant: vendor))])
            rulePath =
                "/app/mappings/new?"
                + FormFields.encoded([("keyword", vendor), ("category", filled.category), ("back", here)])
        }
        transfer = row.status == .confirmed ? try TransferCard(of: row, in: ledger, back: back) : nil
        links = try LinkCard.all(of: row, in: ledger, back: here)
        fix = try review.profileFix(forTransaction: row.id).map { PageFix($0, back: "/app/transactions/\(row.id)") }
        original = row.duplicateOf.map { "\($0)" }
        payee = row.payee.map { Tagged(name: $0, path: "/app/payees/\(row.payeeID ?? 0)") }
        tags = row.tags.map {
            Tagged(name: $0, path: "/app/transactions?" + FormFields.encoded([("q", SearchExpression.text(tag: $0))]))
        }
        history = try ledger.journal.changes(ofTransaction: row.id, limit: 20).map { change in
            Step(
                at: DayText.instant(change.at, ledger.timeZone), text: change.kind.words,
                group: change.isUndone || change.kind == .undone ? nil : change.group)
        }
    }

    private static func facts(_ row: TransactionRow) -> [String] {
        [
            DayText.text(row.date) + (row.time.map { ", " + $0.hoursAndMinutes } ?? ""), row.accountName,
            row.channel.map { PageText.of("transaction.channel", ["channel": $0.words]) }, row.vpa,
            row.mcc.map { PageText.of("transaction.mcc", ["code": $0]) },
            row.balance.map { PageText.of("transaction.balance-after", ["amount": MoneyText.text($0)]) },
            row.recorder == "Auto" ? nil : PageText.of("transaction.by-hand", ["who": row.recorder]),
            row.status == .confirmed
                ? nil
                : row.status == .needsReview
                    ? PageText.of("transaction.waits-for-review") : PageText.of("transaction.rejected"),
        ].compactMap { $0 }
    }
}

extension LedgerChange.Kind {
    var words: String {
        switch self {
        case .added: PageText.of("history.added")
        case .changed: PageText.of("history.changed")
        case .deleted: PageText.of("history.deleted")
        case .accepted: PageText.of("history.accepted")
        case .rejected: PageText.of("history.rejected")
        case .released: PageText.of("history.released")
        case .mapped: PageText.of("history.keyword-changed")
        case .undone: PageText.of("history.edit-undone")
        }
    }
}
