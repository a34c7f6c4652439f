import Hummingbird
import Ledger
import Store

/// The page that changes one recurring item.
enum RecurringPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/dues/recurring/{id}", on: router) { call in
            let id = try call.number(of: "entry")
            return try await pages.show(.recurring, call) { try RecurringView(id, nil, in: $0) }
        }
        pages.post("/app/dues/recurring/{id}", on: router) { call in
            let id = try call.number(of: "entry")
            let group = LedgerChange.newGroup()
            let result = try await pages.services.write { [actor = call.context.actor] ledger -> Outcome in
                guard let old = try ledger.recurring.find(id) else {
                    throw PageProblem.missing(PageText.of("missing.entry"))
                }
                var form = RecurringForm(call.form)
                guard let item = form.item(old.item, on: ledger.today) else { return .invalid(form) }
                let new = try ledger.recurring.update(id, item, by: actor, group: group)
                return .saved(isChanged: new.item != old.item)
            }
            switch result {
            case .invalid(let form):
                return try await pages.show(.recurring, call) { try RecurringView(id, form, in: $0) }
            case .saved(let isChanged):
                return pages.seeOther(
                    "/app/dues", done: isChanged ? "saved" : "unchanged", undo: isChanged ? group : nil)
            }
        }
    }

    private enum Outcome: Sendable {
        case invalid(RecurringForm)
        case saved(isChanged: Bool)
    }
}

/// The choices of the form of a recurring item.
struct RecurringChoices: Sendable {
    var accounts: [SelectChoice]
    var modes: [SelectChoice]
    var rules: [SelectChoice]
    /// True if the rule is written as text.
    var isUnusual: Bool

    init(_ form: RecurringForm, in ledger: Snapshot) throws {
        accounts = try ledger.userAccounts.all().map { SelectChoice("\($0.id)", $0.name, chosen: form.account) }
        modes = RecurringItem.Mode.allCases.map { SelectChoice($0.rawValue, $0.title, chosen: form.mode) }
        isUnusual = form.isUnusual
        rules = RuleChoice.allCases.map { SelectChoice($0.rawValue, $0.title, chosen: form.repeats) }
    }
}

struct RecurringView: FormView, TitledView {
    var title: String
    var path: String
    var form: RecurringForm
    var problems: [String]
    var choices: RecurringChoices
    let isNew = false

    /// - Parameter filled: a form that cannot be saved, shown as it was filled in.
    init(_ id: Int64, _ filled: RecurringForm?, in ledger: Snapshot) throws {
        guard let row = try ledger.recurring.find(id) else { throw PageProblem.missing(PageText.of("missing.entry")) }
        title = row.item.name
        path = "/app/dues/recurring/\(id)"
        form = filled ?? RecurringForm(row.item, on: ledger.today)
        problems = form.problems
        choices = try RecurringChoices(form, in: ledger)
    }
}
