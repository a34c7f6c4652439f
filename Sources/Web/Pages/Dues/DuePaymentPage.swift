import Hummingbird
import Ledger
import Store

/// The page that says which transaction paid a due, or that it is paid without one.
enum DuePaymentPage {
    static func path(_ due: String) -> String { "/app/dues/payment?" + FormFields.encoded([("due", due)]) }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/dues/payment", on: router) { call in
            let id = call.query.text("due") ?? ""
            return try await pages.show(.duePayment, call) { try DuePaymentView(id, in: $0) }
        }
        pages.post("/app/dues/payment", on: router) { call in
            guard let transaction = call.form.text("transaction").flatMap({ Int64($0) }) else {
                throw PageProblem.missing(PageText.of("missing.transaction"))
            }
            let settles = call.form["action"] != "refuse"
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.dues.link(
                    call.form.text("due") ?? "", to: transaction, settles: settles, by: actor, group: group)
            }
            return pages.seeOther("/app/dues", done: settles ? "due-paid" : "due-unpaid", undo: group)
        }
        pages.post("/app/dues/settlement", on: router) { call in
            let isSettled = call.form["action"] != "refuse"
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.dues.declareSettled(call.form.text("due") ?? "", isSettled, by: actor, group: group)
            }
            return pages.seeOther("/app/dues", done: isSettled ? "due-settled" : "due-unsettled", undo: group)
        }
    }
}

struct DuePaymentView: TitledView {
    struct Payment: Sendable {
        var id: String
        var merchant: String
        var amount: String
        var note: String
        var path: String
    }

    var title: String
    var id: String
    var amount: String
    var note: String
    /// The transactions that count as its payment.
    var payments: [Payment]
    /// Others that may have paid it.
    var likely: [Payment]
    var isDeclared: Bool
    /// False for a due that the program books itself.
    var mayDeclare: Bool

    /// Choices in the list.
    private static let limit = 20

    init(_ id: String, in ledger: Snapshot) throws {
        guard let found = try ledger.dues.likelyPayments(of: id, limit: Self.limit) else {
            throw PageProblem.missing(PageText.of("missing.entry"))
        }
        let (row, due) = (found.row, found.row.item.due)
        self.id = id
        title = row.title.isEmpty ? PageText.of("dues.no-payee") : row.title
        amount = MoneyText.signed(due.amount, isIncome: due.isIncome)
        note = [due.kind.title, due.hasDay ? DayText.text(due.day) : PageText.of("dues.no-day"), row.item.state.title]
            .joined(separator: " · ")
        (isDeclared, mayDeclare) = (due.isDeclaredSettled, !due.isPosted)
        payments = found.payments.map(Payment.init)
        likely = found.likely.map(Payment.init)
    }
}

extension DuePaymentView.Payment {
    init(_ row: TransactionRow) {
        id = "\(row.id)"
        merchant = row.vendor ?? row.vpa ?? PageText.of("common.no-merchant")
        amount = MoneyText.signed(row.amount, row.type)
        note = [DayText.text(row.date), row.account].compactMap(\.self).joined(separator: " · ")
        path = "/app/transactions/\(row.id)"
    }
}
