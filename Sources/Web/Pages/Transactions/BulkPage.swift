import Chronology
import Hummingbird
import Ledger
import Profiles
import Review
import Store

/// Changes several transactions, or all that a list selects: a choice of the change, a preview, then the change.
enum BulkPage {
    /// Limit of transactions that are selected one by one, because the address holds their numbers.
    static let rows = 1000

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions/bulk", on: router) { call in
            let request = try BulkRequest(call.query, back: call.back(otherwise: ""), pages)
            let actor = call.context.actor
            let (preview, problems) = try await refusing { () -> (BulkResult?, [String]) in
                do {
                    let preview = try await pages.services.ledger { store in
                        try request.check(in: store)
                        return try request.action(in: store).map {
                            try ReviewService(store, by: actor).preview(all: request.selection, $0)
                        }
                    }
                    return (preview, [])
                } catch let error as StoreError where !error.fields.isEmpty {
                    return (nil, error.fields.map { request.sentence($0) })
                }
            }
            return try await pages.show(.bulk, call) {
                var view = try BulkView(request, preview, in: $0)
                view.problems = problems
                return view
            }
        }
        pages.post("/app/transactions/bulk", on: router) { call in
            let request = try BulkRequest(call.form, back: call.back(otherwise: ""), pages)
            let actor = call.context.actor
            let result = try await refusing {
                try await pages.services.ledger { store in
                    try request.check(in: store)
                    guard let action = try request.action(in: store) else { throw BulkRequest.noAction }
                    return try ReviewService(store, by: actor).change(
                        all: request.selection, action, expecting: call.form["count"].flatMap { Int($0) })
                }
            }
            return pages.seeOther(
                request.back, done: result.changed.isEmpty ? "unchanged" : "bulk",
                undo: result.changed.isEmpty ? nil : result.group)
        }
    }

    static func refusing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as BulkTooLarge {
            throw PageProblem(
                status: .unprocessableContent, title: PageText.of("bulk.too-many"),
                text: """
                    More than \(BulkSelection.maximum) transactions are selected. Narrow the list by days, and change the rest \
                    afterwards. At least \(error.selected) match.
                    """)
        } catch let error as BulkConflict {
            throw PageProblem(
                status: .conflict, title: PageText.of("bulk.list-changed"),
                text: PageText.of("bulk.match-now", count: error.selected))
        }
    }
}

/// The selection and the change, as the address or the form has them.
struct BulkRequest: Sendable {
    let fields: FormFields
    let selection: BulkSelection
    /// The query of the list whose rows are all selected; `nil` if they were selected one by one.
    let list: String?
    /// The address of the list.
    let back: String
    /// The keys of the known banks.
    private let banks: [String]

    static let noAction = PageProblem(
        status: .unprocessableContent, title: PageText.of("bulk.no-change"), text: PageText.of("bulk.choose-change"))

    init(_ fields: FormFields, back: String, _ pages: Pages) throws {
        self.fields = fields
        list = fields["list"]
        banks = pages.services.profiles().banks.map(\.key)
        if let text = fields["list"] {
            let list = TransactionList(FormFields(query: text), pages)
            guard list.problems.isEmpty else { throw Self.badFilter(list.problems) }
            selection = .query(list.query)
            self.back = back.isEmpty ? list.address : back
        } else {
            selection = .ids(try Self.ids(fields))
            self.back = back.isEmpty ? "/app/transactions" : back
        }
    }

    private static func badFilter(_ problems: [String]) -> PageProblem {
        PageProblem(
            status: .unprocessableContent, title: PageText.of("bulk.bad-filter"),
            text: problems.joined(separator: " "))
    }

    /// Refuses a list that names what nothing in the ledger has: excluding it selects everything.
    func check(in ledger: some ReadScope) throws {
        guard case .query(let query) = selection else { return }
        let unknown = try ledger.transactions.unknownNames(in: query, banks: banks)
        guard unknown.isEmpty else { throw Self.badFilter(unknown.map(\.sentence)) }
    }

    /// The numbers of the selected rows, which the page's own forms send in one field.
    private static func ids(_ fields: FormFields) throws -> [Int64] {
        let ids = fields.all("id").flatMap { $0.split(separator: ",") }.compactMap { Int64($0) }
        guard !ids.isEmpty else {
            throw PageProblem(
                status: .unprocessableContent, title: PageText.of("bulk.nothing-selected"),
                text: PageText.of("bulk.select-first"))
        }
        guard ids.count <= BulkPage.rows else {
            throw PageProblem(
                status: .unprocessableContent, title: PageText.of("bulk.too-many"),
                text: PageText.of("bulk.at-most", count: BulkPage.rows))
        }
        return ids
    }

    /// The kind of change; `nil` if none is chosen yet.
    var kind: BulkKind? {
        if let word = fields.text("do") { return BulkKind(rawValue: word) }
        return fields.text("category").map { _ in .category }
    }

    var value: String { kind.flatMap { fields[$0.field] } ?? "" }

    /// - Throws: ``PageProblem`` for a value that does not exist.
    func action(in ledger: some ReadScope) throws -> BulkAction? {
        guard let kind else { return nil }
        var edit = TransactionEdit()
        switch kind {
        case .category:
            let choice = try CategorySelection(value, among: ledger.categories.all())
            edit.category = choice.category
            edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
        case .tag, .untag:
            let tag = value.singleSpaced
            let problems = Tag.problems([tag])
            guard problems.isEmpty else { throw StoreError(kind: .invalid, path: "", message: "", fields: problems) }
            return kind == .tag ? .addTag(tag) : .removeTag(tag)
        case .account: edit.userAccountID = try account(in: ledger)
        case .payee:
            let payee = NewPayee(name: value.singleSpaced)
            guard payee.problems.isEmpty else {
                throw StoreError(kind: .invalid, path: "", message: "", fields: payee.problems)
            }
            return .payee(payee.name)
        case .type:
            guard let type = TransactionType(rawValue: value) else {
                throw PageProblem.missing(PageText.of("missing.type"))
            }
            edit.type = type
        case .note: edit.notes = value.isEmpty ? .clear : .set(value)
        case .accept: edit.status = .confirmed
        case .reject: edit.status = .rejected
        case .delete: return .delete
        }
        return .edit(edit)
    }

    /// The problem of a value with the label of its field.
    func sentence(_ problem: FieldProblem) -> String {
        problem.sentence(kind == .payee ? ["name": PageText.of("common.payee")] : [:])
    }

    private func account(in ledger: some ReadScope) throws -> Change<Int64> {
        guard !value.isEmpty else { return .clear }
        guard let id = Int64(value), try ledger.userAccounts.all().contains(where: { $0.id == id }) else {
            throw PageProblem.missing(PageText.of("missing.account"))
        }
        return .set(id)
    }
}

/// The kinds of change that the page offers.
enum BulkKind: String, CaseIterable, Sendable {
    case category, tag, untag, account, payee, type, note, accept, reject, delete

    /// The form field with the new value.
    var field: String { rawValue }

    /// The change as a button names it.
    func title(_ value: String) -> String {
        switch self {
        case .category: PageText.of("bulk.to-category", ["value": value])
        case .tag: PageText.of("bulk.add-tag", ["value": value])
        case .untag: PageText.of("bulk.remove-tag", ["value": value])
        case .account:
            value.isEmpty ? PageText.of("bulk.remove-account") : PageText.of("bulk.to-account", ["value": value])
        case .payee: PageText.of("bulk.to-payee", ["value": value])
        case .type: PageText.of("bulk.to-type", ["value": value])
        case .note: value.isEmpty ? PageText.of("bulk.remove-note") : PageText.of("bulk.change-note")
        case .accept: PageText.of("statement.book")
        case .reject: PageText.of("common.reject")
        case .delete: PageText.of("common.delete")
        }
    }

    /// The present value of a row, for comparison with the new one.
    func present(_ row: TransactionRow, accounts: [Int64: String]) -> String {
        switch self {
        case .category:
            row.isSplit ? PageText.of("transactions.split") : CategoryText.name(row.category, row.subcategory)
        case .tag, .untag: row.tags.joined(separator: ", ")
        case .account: row.userAccountID.flatMap { accounts[$0] } ?? ""
        case .payee: row.payee ?? ""
        case .type: row.type.rawValue
        case .note: row.notes ?? ""
        case .accept, .reject, .delete:
            row.status == .needsReview
                ? PageText.of("transactions.waits")
                : row.status == .confirmed ? PageText.of("review-item.booked") : PageText.of("transaction.rejected")
        }
    }
}
