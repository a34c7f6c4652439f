import Chronology
import Ledger
import Store

/// One transaction in a list.
struct TransactionLine {
    var id: String
    var path: String
    var date: String
    var time: String?
    var merchant: String
    /// The direction of a transfer, the notes, the UPI address or the channel.
    var remark: String?
    var category: String
    var subcategory: String?
    /// The reason of the category, short and as a sentence; a keyword says everything beside the category.
    var why: String?
    var whyWhole: String?
    var color: String
    var account: String?
    var amount: String
    /// `expense`, `income` or `transfer`.
    var type: String
    var typeWord: String
    var isExpense: Bool
    var waits: Bool
    var isRejected: Bool
    /// Minor units with the sign, and the currency, for the script that sums the selection; `nil` for a transfer.
    var sum: String?

    init(_ row: TransactionRow, transfer: TransferRow?, colors: [String: String]) {
        id = "\(row.id)"
        // Without the address of the list, see ``PageCall/listBefore``.
        path = "/app/transactions/\(row.id)"
        date = DayText.text(row.date)
        time = row.time?.hoursAndMinutes
        merchant = row.vendor ?? row.vpa ?? PageText.of("common.no-merchant")
        remark =
            transfer.map { TransferText.direction($0, of: row.id) } ?? row.notes ?? row.vpa.flatMap {
                $0 == row.vendor ? nil : $0
            } ?? row.channel.map(\.words)
        category = row.isSplit ? PageText.of("transactions.split") : CategoryText.name(row.category)
        subcategory = row.isSplit ? nil : row.subcategory.map(CategoryText.name)
        why = Self.short(row)
        whyWhole = Self.keyword(of: row) == nil ? Self.whole(row) : nil
        color = CategoryColor.fill(colors[row.category])
        account = row.accountName ?? row.accountDigits
        amount = MoneyText.signed(row.amount, row.type)
        type = row.type.rawValue
        typeWord = PageText.of("type.word-\(row.type.rawValue)")
        isExpense = row.type == .expense
        waits = row.status == .needsReview
        isRejected = row.status == .rejected
        sum =
            row.type == .transfer
            ? nil : "\(isExpense ? "-" : "")\(row.amount.minorUnits) \(row.amount.currency.code)"
    }
}

extension TransactionLine {
    /// Returns the reason of the category as a sentence.
    static func whole(_ row: TransactionRow) -> String? { row.categoryWhy?.replacing(" -> ", with: " → ") }

    /// Returns who chose the category, or the keyword that did.
    static func short(_ row: TransactionRow) -> String? {
        switch row.categoryBy {
        case nil: nil
        case .person: PageText.of("transactions.chosen-by-you")
        case .transfer: PageText.of("transactions.as-a-transfer")
        case .mapping:
            keyword(of: row).map { PageText.of("transactions.keyword", ["keyword": $0]) } ?? rule(of: row)
        }
    }

    /// The keyword that chose the category.
    private static func keyword(of row: TransactionRow) -> String? {
        let kind = "keyword "
        guard row.categoryBy == .mapping, let rule = rule(of: row), rule.hasPrefix(kind) else { return nil }
        return String(rule.dropFirst(kind.count))
    }

    /// The rule that chose the category, without the category.
    private static func rule(of row: TransactionRow) -> String? {
        row.categoryWhy.map { why in
            let rule = why.firstRange(of: " -> ").map { String(why[..<$0.lowerBound]) } ?? why
            return rule.hasPrefix("shipped ") ? String(rule.dropFirst(8)) : rule
        }
    }
}

/// An entry of a select.
struct SelectChoice {
    var value: String
    var title: String
    var isChosen: Bool

    init(_ value: String, _ title: String, isChosen: Bool) {
        self.value = value
        self.title = title
        self.isChosen = isChosen
    }

    init(_ value: String, _ title: String, chosen: String?) { self.init(value, title, isChosen: value == chosen) }
}

/// A category with its subcategories, as a group of a select: each name is there once.
struct CategoryChoices: Sendable {
    var title: String
    var choices: [SelectChoice]

    init(_ row: CategoryRow) {
        title = CategoryText.name(row.name)
        choices =
            [SelectChoice("\(row.id)", title, isChosen: false)]
            + row.subcategories.map { SelectChoice("\(row.id).\($0.id)", CategoryText.name($0.name), isChosen: false) }
    }
}

/// A category with an optional subcategory as the value of a select: `3` or `3.12`. It holds IDs, because names may
/// contain any character.
struct CategorySelection {
    var category: String
    var subcategory: String?

    /// - Throws: `PageProblem` for unknown IDs.
    init(_ value: String, among categories: [CategoryRow]) throws {
        let numbers = value.split(separator: ".", maxSplits: 1).map { Int64($0) }
        guard let id = numbers.first ?? nil, let row = categories.first(where: { $0.id == id }) else {
            throw PageProblem.missing(PageText.of("missing.category"))
        }
        category = row.name
        guard numbers.count > 1 else { return }
        guard let below = row.subcategories.first(where: { $0.id == numbers[1] }) else {
            throw PageProblem.missing(PageText.of("missing.subcategory"))
        }
        subcategory = below.name
    }

    /// Returns all categories and subcategories, by name.
    static func choices(_ categories: [CategoryRow], chosen category: String?, _ subcategory: String?) -> [SelectChoice]
    {
        categories.flatMap { row -> [SelectChoice] in
            let isHere = row.name.lowercased() == category?.lowercased()
            return [
                SelectChoice(
                    "\(row.id)", CategoryText.name(row.name),
                    isChosen: isHere && (subcategory == nil || !row.subcategories.contains { $0.name == subcategory }))
            ]
                + row.subcategories.map {
                    SelectChoice(
                        "\(row.id).\($0.id)", CategoryText.name(row.name, $0.name),
                        isChosen: isHere && $0.name == subcategory)
                }
        }
    }
}
