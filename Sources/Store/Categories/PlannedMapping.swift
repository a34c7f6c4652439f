internal import GRDB
import Ledger

/// A mapping that does not exist yet, with the rules that would include it.
struct PlannedMapping {
    let mapping: VendorMapping
    private let rules: CategoryRules
    /// Matcher for the words of the mapping, without its conditions.
    private let words: CategoryRules
    /// True if no other mapping has conditions, so that names alone decide.
    private let namesDecide: Bool

    init(_ mapping: VendorMapping, among list: [VendorMapping]) {
        self.mapping = mapping
        rules = CategoryRules(list)
        var bare = mapping
        bare.conditions = .none
        words = CategoryRules([bare])
        namesDecide = list.allSatisfy { $0.id == mapping.id || $0.conditions.isEmpty }
    }

    /// A row whose category the mapping would choose. Valid only while the statement is at this row.
    struct Found {
        fileprivate let columns: Columns
        fileprivate let mapping: VendorMapping
        let match: CategoryMatch

        var row: TransactionRow { TransactionRow(columns) }
        var id: Int64 { columns.int(0) }
        /// True if it has the mapping's category already.
        var hasTarget: Bool { columns.text(3) == mapping.category && columns.optionalText(4) == mapping.subcategory }
        var isWaiting: Bool { columns.text(15) == TransactionStatus.needsReview.rawValue }
        var isCategoryChosen: Bool {
            TransactionRow.isChosen(columns.text(3), by: columns.optionalText(35).flatMap(CategoryChoice.init))
        }
    }

    /// The match by the names of a row alone.
    private enum NameMatch {
        /// The words are absent, or another mapping takes precedence.
        case no
        case yes(CategoryMatch)
        /// The words are present; the rest depends on the row.
        case perhaps
    }

    /// Calls `body` for every row that is not deleted and whose category the mapping would choose, the newest first.
    func eachMatch(_ db: Database, _ body: (Found) throws -> Void) throws {
        let prefilter = MappingPrefilter(mapping)
        let statement = try PreparedStatement(
            db,
            "SELECT \(TransactionRow.listColumns) FROM transactions WHERE deleted_at IS NULL AND status <> 'rejected'\(prefilter.sql) ORDER BY parsed_date DESC, id DESC"
        )
        // Cached by the text that the rules search, because many rows have the same.
        var known: [String: NameMatch] = [:]
        try statement.each {
            for text in prefilter.texts { $0.bind(text) }
            for number in prefilter.numbers { $0.bind(number) }
        } _: { columns in
            let (merchant, vpa, mcc) = (columns.optionalText(12), columns.optionalText(19), columns.optionalText(36))
            var names = merchant ?? ""
            if let vpa { names += "\u{1}\(vpa)" }
            if let mcc { names += "\u{2}\(mcc)" }
            let byNames: NameMatch
            if let before = known[names] {
                byNames = before
            } else {
                byNames = words.match(CategoryFacts(merchant: merchant, vpa: vpa, mcc: mcc)) == nil ? .no : .perhaps
                known[names] = byNames
            }
            if case .no = byNames { return true }
            if case .yes(let match) = byNames {
                if mapping.conditions.hold(of: CategoryFacts(columns, for: mapping.conditions)) {
                    try body(Found(columns: columns, mapping: mapping, match: match))
                }
                return true
            }
            let facts = CategoryFacts(columns, merchant, vpa, mcc)
            guard mapping.conditions.hold(of: facts) else { return true }
            let match = rules.match(facts).flatMap { $0.mapping.id == mapping.id ? $0 : nil }
            if let match { try body(Found(columns: columns, mapping: mapping, match: match)) }
            if namesDecide { known[names] = match.map { .yes($0) } ?? .no }
            return true
        }
    }
}

extension CategoryFacts {
    /// Facts from ``TransactionRow/columns`` only.
    fileprivate init(_ row: Columns, _ merchant: String?, _ vpa: String?, _ mcc: String?) {
        self.init(merchant: merchant, vpa: vpa, mcc: mcc)
        amount = row.money(5)
        account = row.optionalText(8)
        channel = row.optionalText(17).flatMap(Channel.init)
        type = TransactionType(rawValue: row.text(14))
    }

    /// Only the facts that the conditions need.
    fileprivate init(_ row: Columns, for conditions: MappingConditions) {
        let asksForAmount =
            conditions.minimumMinor != nil || conditions.maximumMinor != nil || conditions.currency != nil
        self.init()
        amount = asksForAmount ? row.money(5) : nil
        account = conditions.account == nil ? nil : row.optionalText(8)
        channel = conditions.channel == nil ? nil : row.optionalText(17).flatMap(Channel.init)
        type = conditions.type == nil ? nil : TransactionType(rawValue: row.text(14))
    }
}
