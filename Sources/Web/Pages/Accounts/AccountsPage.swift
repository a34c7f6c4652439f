import Access
import Chronology
import Hummingbird
import Ledger
import Review
import Store

/// The accounts of the user: balances, and whether the printed balances follow from what is booked.
enum AccountsPage {
    /// Number of past days that the continuity check covers.
    static let days = 400

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/accounts", on: router) { call in
            try await pages.show(.accounts, call) { try AccountsView(in: $0) }
        }
        pages.post("/app/accounts", on: router) { call in
            let edit = try edit(call, currency: pages.services.store.homeCurrency)
            let id = try await pages.services.write { [actor = call.context.actor] ledger in
                try ledger.userAccounts.add(edit, by: actor).id
            }
            return pages.seeOther("/app/accounts/\(id)", done: "account")
        }
        pages.get("/app/accounts/{id}", on: router) { call in
            let id = try call.number(of: "account")
            let name = try await pages.services.read { try row(id, $0).name }
            return try await pages.show(.account(name), call) { ledger in
                var view = try AccountView(id, in: ledger)
                try view.readPrivacy(of: id, for: call.context.identity, in: ledger)
                return view
            }
        }
        pages.post("/app/accounts/{id}", on: router) { try await pages.saveAccount($0) }
        pages.post("/app/accounts/{id}/private", on: router) { call in
            let id = try call.number(of: "account")
            guard let user = call.context.identity.user else {
                throw PageProblem.missing(PageText.of("missing.user"))
            }
            let isPrivate = call.form["private"] == "1"
            _ = try await pages.services.write { try $0.userAccounts.setPrivate(isPrivate, id, by: user) }
            await pages.services.record(
                "account \(id) \(isPrivate ? "made private" : "shared")", call.context, who: call.context.identity.who)
            return pages.seeOther("/app/accounts/\(id)", done: isPrivate ? "account-private" : "account-shared")
        }
        pages.post("/app/accounts/{id}/merge", on: router) { try await pages.mergeAccount($0) }
        pages.post("/app/accounts/{id}/split", on: router) { try await pages.splitAccount($0) }
        pages.post("/app/accounts/{id}/accept", on: router) { try await pages.acceptDraft($0) }
        pages.post("/app/accounts/{id}/cash", on: router) { try await pages.withdrawCash($0) }
    }

    static func row(_ id: Int64, _ ledger: some ReadScope) throws -> UserAccountRow {
        guard let row = try ledger.userAccounts.find(id) else {
            throw PageProblem.missing(PageText.of("missing.account"))
        }
        return row
    }

    /// The edit that a form asks for. A field that the form does not have stays.
    ///
    /// - Parameter currency: the account's; `nil` for a new account, whose form names one.
    fileprivate static func edit(_ call: PageCall, currency old: Currency) throws -> UserAccountEdit {
        let form = call.form
        var edit = UserAccountEdit()
        edit.isConfirmed = true
        edit.name = form["name"].map { form.text("name") ?? $0 }
        do throws(FieldInputError) {
            if let type = form.text("type") {
                edit.type = try FieldInput.choice(type, "a type", of: UserAccountType.self)
            }
            if let code = form.text("currency") { edit.currency = try FieldInput.currency(code) }
            let unit = edit.currency ?? old
            if let text = form.text("initial") {
                edit.initialBalance = try FieldInput.signedAmount(text, unit).minorUnits
            }
            if form["initial_date"] != nil {
                edit.initialDate =
                    try form.text("initial_date").map { text throws(FieldInputError) in
                        .set(try FieldInput.date(text))
                    } ?? .clear
            }
            if form["limit"] != nil {
                edit.creditLimit =
                    try form.text("limit").map { text throws(FieldInputError) in
                        .set(try FieldInput.amount(text, unit).minorUnits)
                    } ?? .clear
            }
        } catch {
            throw PageProblem(
                status: .unprocessableContent, title: PageText.of("problem.invalid"), text: error.sentence)
        }
        if form["edits"] != nil { edit.isActive = form["active"] != nil }
        return edit
    }
}

extension Pages {
    fileprivate func saveAccount(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "account")
        let currency = try await services.read { try AccountsPage.row(id, $0).currency }
        let edit = try AccountsPage.edit(call, currency: currency)
        let group = try await services.write { [actor = call.context.actor] ledger in
            try ledger.userAccounts.change(id, edit, by: actor).group
        }
        return seeOther(
            call.back(otherwise: "/app/accounts/\(id)"), done: group == nil ? "unchanged" : "saved", undo: group)
    }

    fileprivate func mergeAccount(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "account")
        guard let other = call.form["into"].flatMap({ Int64($0) }) else {
            throw PageProblem.missing(PageText.of("missing.merge"))
        }
        let group = try await services.write { [actor = call.context.actor] ledger in
            try ledger.userAccounts.merge(id, into: other, by: actor).group
        }
        return seeOther("/app/accounts/\(other)", done: "merged", undo: group)
    }

    fileprivate func splitAccount(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "account")
        guard let profile = call.form["profile"], let digits = call.form["digits"] else {
            throw PageProblem.missing(PageText.of("missing.split"))
        }
        let made = try await services.write { [actor = call.context.actor] ledger in
            try ledger.userAccounts.split(id, profile: profile, digits: digits, by: actor)
        }
        return seeOther("/app/accounts/\(made.row.id)", done: "split", undo: made.group)
    }
}

extension Pages {
    /// Books the draft that closes a gap.
    fileprivate func acceptDraft(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "account")
        guard let draft = call.form["draft"].flatMap({ Int64($0) }) else {
            throw PageProblem.missing(PageText.of("missing.accept"))
        }
        let result = try await services.ledger { [actor = call.context.actor] store in
            try ReviewService(store, by: actor).accept(.transaction(draft), seen: .anything)
        }
        return seeOther(
            "/app/accounts/\(id)", done: result.changed ? "accepted" : "unchanged",
            undo: result.changed ? result.group : nil)
    }

    fileprivate func withdrawCash(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "account")
        guard let transaction = call.form["transaction"].flatMap({ Int64($0) }) else {
            throw PageProblem.missing(PageText.of("missing.withdrawal"))
        }
        let group = try await services.write { [actor = call.context.actor] ledger in
            try ledger.userAccounts.withdraw(transaction, into: id, by: actor).group
        }
        return seeOther("/app/accounts/\(id)", done: "withdrawn", undo: group)
    }
}

/// One account in the list.
struct AccountLine: Sendable {
    var name: String
    var path: String
    var about: String
    var balance: String
    var basis: String
    var isNew: Bool
    /// The number of findings; `nil` if there are none.
    var findings: String?
    var id: String

    init(_ row: UserAccountRow, _ positions: inout AccountPositions<Snapshot>, in ledger: Snapshot) throws {
        id = "\(row.id)"
        name = row.name
        path = "/app/accounts/\(row.id)"
        isNew = row.isNew
        about = AccountText.about(row)
        let position = try positions.position(row)
        balance = AccountText.balance(position, of: row)
        basis = AccountText.basis(position, ledger.timeZone)
        let since = CalendarDate(daysSince1970: ledger.today.daysSince1970 - AccountsPage.days)
        let count = try ledger.userAccounts.continuity(row.id, since: since).findings.count
        findings = count == 0 ? nil : PageText.count(count, "gap")
    }
}

struct AccountsView: Sendable {
    var accounts: [AccountLine]
    var closed: [AccountLine]
    /// Net worth in the home currency, then what has no rate, by currency.
    var totals: [String]
    /// The currencies without a rate; empty if there are none.
    var withoutRate: String
    /// The names of the cards in use that are not in the net worth, because their limit is not known; empty if there
    /// are none.
    var withoutLimit: String
    /// The change of the net worth in thirty days.
    var change: String?
    /// Statements of mails that wait, as text; `nil` if there are none.
    var statements: String?
    let typeChoices = AccountText.types(chosen: .cash)

    init(in ledger: Snapshot) throws {
        var positions = try ledger.userAccounts.positions()
        let rows = positions.accounts.filter { $0.mergedInto == nil }
        accounts = try rows.filter(\.isActive).map { try AccountLine($0, &positions, in: ledger) }
        closed = try rows.filter { !$0.isActive }.map { try AccountLine($0, &positions, in: ledger) }
        let worth = try positions.netWorth(of: DaySpan(days: 31, through: ledger.today))
        let now = worth.last
        let amounts = now.map { [$0.total] + $0.unconverted } ?? []
        totals = amounts.enumerated().filter { $0.offset == 0 || $0.element.minorUnits != 0 }.map {
            MoneyText.text($0.element)
        }
        if rows.isEmpty { totals = [] }
        let waiting = try ledger.statements.files(in: [.waiting, .needsPassword, .needsAccount, .refused]).count
        statements = waiting == 0 ? nil : PageText.count(waiting, "statement")
        withoutLimit = rows.filter { $0.isActive && !$0.hasBalance }.map(\.name).joined(separator: ", ")
        withoutRate = now.map { $0.unconverted.map(\.currency.code).joined(separator: ", ") } ?? ""
        change = worth.first.flatMap { first in
            now.map {
                let more = Money(
                    minorUnits: $0.total.minorUnits &- first.total.minorUnits, currency: $0.total.currency)
                return MoneyText.signed(more, isIncome: more.minorUnits > 0)
            }
        }
    }
}
