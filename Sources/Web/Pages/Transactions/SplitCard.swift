import Hummingbird
import Ledger
import Review
import Store

/// The parts of a payment over several categories, on the page of the transaction.
struct SplitCard: Sendable {
    struct Line: Sendable {
        var amount: String
        var categoryChoices: [SelectChoice]
        var label: String
    }

    var path: String
    var revision: String
    var isSplit: Bool
    var total: String
    var back: String
    var problems: [String]
    var lines: [Line]

    /// Lines of the form beyond the parts.
    private static let spare = 2

    /// - Parameters:
    ///   - typed: the form as it was sent, if it cannot be saved.
    init?(_ row: TransactionRow, typed: SplitForm?, in ledger: Snapshot, back: String) throws {
        guard row.type != .transfer, row.amount.minorUnits > 1 else { return nil }
        let categories = try ledger.categories.all()
        let parts =
            try typed?.lines
            ?? ledger.transactions.parts(of: row.id).map { part in
                let choice = CategorySelection.choices(categories, chosen: part.category, part.subcategory)
                return (
                    category: choice.first { $0.isChosen }?.value ?? "",
                    amount: Money(minorUnits: part.minorUnits, currency: row.amount.currency).decimal
                )
            }
        path = "/app/transactions/\(row.id)/split"
        revision = "\(row.revision)"
        isSplit = row.isSplit
        total = MoneyText.text(row.amount)
        self.back = back
        problems = typed?.problems ?? []
        let shown = max(parts.count + 1, Self.spare)
        lines = (0..<shown).map { index in
            let part = index < parts.count ? parts[index] : (category: "", amount: "")
            return Line(
                amount: part.amount,
                categoryChoices: CategorySelection.choices(categories, chosen: nil, nil).map {
                    SelectChoice($0.value, $0.title, chosen: part.category)
                }, label: PageText.of("split-card.part", ["number": "\(index + 1)"]))
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/transactions/{id}/split", on: router) { try await pages.split($0) }
    }
}

/// The form of the parts as it was typed.
struct SplitForm: Sendable {
    var lines: [(category: String, amount: String)] = []
    var problems: [String] = []

    init(_ fields: FormFields) {
        let (categories, amounts) = (fields.all("part_category"), fields.all("part_amount"))
        lines = zip(categories, amounts).map { ($0, $1.singleSpaced) }.filter { !$0.0.isEmpty || !$0.1.isEmpty }
    }

    /// Returns the parts; `nil` with ``problems`` if one is invalid. A single part without an amount gets the rest.
    mutating func parts(of row: TransactionRow, _ categories: [CategoryRow]) throws -> [SplitPart]? {
        var reader = FieldReader()
        var parts: [SplitPart] = []
        var rest: Int?
        for (index, line) in lines.enumerated() {
            guard !line.category.isEmpty else {
                reader.problems.append(PageText.of("split-card.choose-category", ["number": "\(index + 1)"]))
                continue
            }
            let choice = try CategorySelection(line.category, among: categories)
            var units: Int64 = 0
            if line.amount.isEmpty, rest == nil {
                rest = parts.count
            } else {
                let money = reader.read(PageText.of("split-card.part", ["number": "\(index + 1)"])) {
                    () throws(FieldInputError) in
                    try FieldInput.amount(line.amount, row.amount.currency)
                }
                units = money?.minorUnits ?? 0
            }
            parts.append(SplitPart(category: choice.category, subcategory: choice.subcategory, minorUnits: units))
        }
        problems = reader.problems
        guard problems.isEmpty else { return nil }
        if let rest {
            let others = parts.reduce(Int64(0)) { $0.addingReportingOverflow($1.minorUnits).partialValue }
            parts[rest].minorUnits = row.amount.minorUnits.subtractingReportingOverflow(others).partialValue
        }
        problems = SplitPart.problems(parts, of: row.amount).map {
            PageText.of("split-card.problem", ["problem": $0.words])
        }
        return problems.isEmpty ? parts : nil
    }
}

extension Pages {
    private enum Outcome: Sendable {
        case invalid(SplitForm)
        case saved(group: String?, isSplit: Bool)
    }

    fileprivate func split(_ call: PageCall) async throws -> Response {
        let outcome = try await services.write { [actor = call.context.actor] ledger -> Outcome in
            let row = try TransactionEditing.row(call, ledger)
            var form = SplitForm(call.form)
            guard let parts = try form.parts(of: row, ledger.categories.all()) else { return .invalid(form) }
            let group = LedgerChange.newGroup()
            let expected = call.form["revision"].flatMap { Int64($0) } ?? row.revision
            let changed = try ledger.transactions.split(row.id, parts, expecting: expected, by: actor, group: group)
            return .saved(group: changed.revision == row.revision ? nil : group, isSplit: changed.isSplit)
        }
        switch outcome {
        case .invalid(let form):
            return try await show(.transaction, call) {
                try TransactionEditing.view(call, form: nil, split: form, in: $0)
            }
        case .saved(let group, let isSplit):
            let back = call.back(otherwise: "/app/transactions")
            return seeOther(
                "/app/transactions/\(call.parameter("id"))?" + FormFields.encoded([("back", back)]),
                done: group == nil ? "unchanged" : isSplit ? "parts" : "joined", undo: group)
        }
    }
}
