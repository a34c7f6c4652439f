import Ledger
import Review
import Store

/// The choice of a change of many transactions, or its preview.
struct BulkView: FormView {
    struct Line: Sendable {
        var merchant: String
        var date: String
        var amount: String
        var old: String
        var changes: Bool
        /// The reason why it cannot be changed.
        var refused: String?
    }

    struct Hidden: Sendable {
        var name: String
        var value: String
    }

    /// Rows that a preview shows; the others are counted.
    static let shown = 50

    /// `nil` for the choice of the change.
    var preview: Preview?
    var choices: Choices?
    var selected: String
    /// The selection, for the next form.
    var hidden: [Hidden]
    var back: String
    /// What is wrong with the typed value.
    var problems: [String] = []

    struct Preview: Sendable {
        var title: String
        var sentence: String
        var rows: [Line]
        var more: String?
        var changesNothing: Bool
        /// Deletes or rejects.
        var isDangerous: Bool
        var now: String
        var button: String
    }

    struct Choices: Sendable {
        var categories: [SelectChoice]
        var accounts: [SelectChoice]
        var payees: [String]
        var tags: [String]
        /// The typed value that is refused, by the name of its field.
        var typed: [String: String]
    }

    init(_ request: BulkRequest, _ result: BulkResult?, in ledger: Snapshot) throws {
        back = request.back
        hidden = [Hidden(name: "back", value: request.back)]
        if let list = request.list { hidden.append(Hidden(name: "list", value: list)) }
        if case .ids(let ids) = request.selection {
            hidden.append(Hidden(name: "id", value: ids.map(String.init).joined(separator: ",")))
        }
        guard let result, let kind = request.kind else {
            selected = try Self.count(request.selection, in: ledger)
            choices = Choices(
                categories: CategorySelection.choices(try ledger.categories.all(), chosen: nil, nil),
                accounts: try ledger.userAccounts.all().map { SelectChoice("\($0.id)", $0.name, isChosen: false) },
                payees: try Self.payees(in: ledger), tags: try ledger.transactions.tags().map(\.name),
                typed: request.kind.map { [$0.field: request.value] } ?? [:])
            return
        }
        selected = PageText.count(result.selected.count, "transaction")
        hidden += [
            Hidden(name: "do", value: kind.rawValue), Hidden(name: "count", value: "\(result.selected.count)"),
            Hidden(name: kind.field, value: request.value),
        ]
        preview = try Preview(kind, request, result, in: ledger)
    }

    /// The payees to choose from, by name: those with the most transactions, because the page holds no thousands.
    private static func payees(in ledger: Snapshot) throws -> [String] {
        try ledger.payees.counted().sorted { $0.figures.transactions > $1.figures.transactions }.prefix(200)
            .map(\.row.name).sorted()
    }

    private static func count(_ selection: BulkSelection, in ledger: Snapshot) throws -> String {
        switch selection {
        case .ids(let ids): return PageText.count(ids.count, "transaction")
        case .query(var query):
            query.limit = 1
            query.cursor = nil
            return PageText.count(try ledger.transactions.page(query).total, "transaction")
        }
    }
}

extension BulkView.Preview {
    init(_ kind: BulkKind, _ request: BulkRequest, _ result: BulkResult, in ledger: Snapshot) throws {
        let accounts = Dictionary(try ledger.userAccounts.all().map { ($0.id, $0.name) }) { $1 }
        let (changed, refused) = (Set(result.changed), Dictionary(result.refused.map { ($0.id, $0.reason) }) { $1 })
        // Rows that stay because they cannot be changed come first: a person should read them.
        let order = result.refused.map(\.id) + result.selected.filter { refused[$0] == nil }
        rows = try order.prefix(BulkView.shown).compactMap { id in
            try ledger.transactions.find(id).map { row in
                BulkView.Line(
                    merchant: row.vendor ?? row.vpa ?? PageText.of("common.no-merchant"), date: DayText.text(row.date),
                    amount: MoneyText.signed(row.amount, row.type), old: kind.present(row, accounts: accounts),
                    changes: changed.contains(id), refused: refused[id])
            }
        }
        more =
            order.count > BulkView.shown
            ? PageText.of("overview.more-troubles", count: order.count - BulkView.shown) : nil
        let count = PageText.count(changed.count, "transaction")
        let stay = result.selected.count - changed.count - refused.count
        var parts = [PageText.of("bulk.would-change", ["transactions": count])]
        if stay > 0 { parts.append(PageText.of("bulk.have-this", count: stay)) }
        if !refused.isEmpty { parts.append(PageText.of("bulk.cannot-change", count: refused.count)) }
        sentence = parts.joined(separator: ", ") + "."
        if kind == .payee, try ledger.payees.find(named: request.value.singleSpaced) == nil {
            sentence += " " + PageText.of("bulk.new-payee", ["name": request.value.singleSpaced])
        }
        changesNothing = changed.isEmpty
        isDangerous = kind == .delete || kind == .reject
        title = kind.title(try Self.name(kind, request, accounts, in: ledger))
        now = [.accept, .reject, .delete].contains(kind) ? PageText.of("bulk.state-now") : PageText.of("bulk.now")
        button =
            switch kind {
            case .accept: PageText.of("bulk.book-count", ["transactions": count])
            case .reject: PageText.of("bulk.reject-count", ["transactions": count])
            case .delete: PageText.of("bulk.delete-count", ["transactions": count])
            default: PageText.of("bulk.change", ["transactions": count])
            }
    }

    private static func name(
        _ kind: BulkKind, _ request: BulkRequest, _ accounts: [Int64: String], in ledger: Snapshot
    ) throws -> String {
        switch kind {
        case .category:
            let choice = try CategorySelection(request.value, among: ledger.categories.all())
            return CategoryText.name(choice.category, choice.subcategory)
        case .account: return Int64(request.value).flatMap { accounts[$0] } ?? ""
        default: return request.value
        }
    }
}
