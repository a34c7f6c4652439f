public import Chronology
internal import GRDB
public import Ledger

/// A keyword with its category: a row of `vendor_mappings`.
public struct MappingRow: Hashable, Sendable {
    public var id: Int64
    /// Normalised: lower case, single blanks.
    public var keyword: String
    public var categoryID: Int64
    public var category: String
    public var subcategoryID: Int64?
    public var subcategory: String?
    public var isUserDefined: Bool
    public var kind: VendorMapping.Kind
    /// Further conditions, all of which must hold.
    public var conditions: MappingConditions
    /// Number of transactions that got their category from it.
    public var matchCount: Int
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
}

/// A person's own keyword. The category is given by number or by name; if both are given, they must agree.
public struct NewMapping: Hashable, Sendable {
    public var keyword: String
    /// `nil` derives it from the keyword, see ``VendorMapping/Kind/init(of:)``.
    public var kind: VendorMapping.Kind?
    public var conditions: MappingConditions = .none
    public var categoryID: Int64?
    public var category: String?
    public var subcategoryID: Int64?
    public var subcategory: String?
    /// For a merge; `nil` means now.
    public var updatedAt: UnixTime?

    public init(keyword: String) {
        self.keyword = keyword
    }

    /// - Parameter fill: sets further values.
    public init(keyword: String, fill: (inout NewMapping) throws -> Void) rethrows {
        self.init(keyword: keyword)
        try fill(&self)
    }
}

extension MappingRow {
    init(_ row: Row) {
        self.init(
            id: row["id"], keyword: row["vendor_keyword"], categoryID: row["category_id"], category: row["category"],
            subcategoryID: row["subcategory_id"],
            subcategory: row["subcategory"], isUserDefined: row["is_user_defined"],
            kind: VendorMapping.Kind(rawValue: row["kind"]) ?? .keyword, conditions: MappingConditions(row),
            matchCount: row["match_count"], createdAt: row["created_at"],
            updatedAt: row["updated_at"])
    }
}

extension MappingConditions {
    /// Reads columns of `vendor_mappings` by name.
    init(_ row: Row) {
        self.init(
            minimumMinor: row["minimum_minor"], maximumMinor: row["maximum_minor"],
            currency: (row["currency"] as String?).flatMap { Currency(code: $0) },
            account: row["account_digits"], channel: (row["channel"] as String?).flatMap(Channel.init),
            type: (row["transaction_type"] as String?).flatMap(TransactionType.init))
    }

    /// Values in the order of the table's columns.
    var arguments: StatementArguments {
        [minimumMinor, maximumMinor, currency?.code, account, channel?.rawValue, type?.rawValue]
    }
}

extension NewMapping {
    var effectiveKind: VendorMapping.Kind { kind ?? VendorMapping.Kind(of: keyword) }

    /// Faults that make the mapping invalid for any ledger, by the API's names; empty if there are none.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        check.text("vendor_keyword", keyword, atMost: TextLimit.keyword)
        if check.problems.isEmpty, VendorMapping.normalized(keyword, as: effectiveKind) == nil {
            check.refuse("vendor_keyword", wants)
        }
        if categoryID == nil, category == nil { check.refuse("category_id", "is required, or category_name") }
        for (field, value) in [
            ("conditions.amount_from", conditions.minimumMinor), ("conditions.amount_to", conditions.maximumMinor),
        ] {
            if let value, value < 0 || value > Money.maximumMinorUnits {
                check.refuse(field, "must not be negative, nor larger than any payment")
            }
        }
        if let low = conditions.minimumMinor, let high = conditions.maximumMinor, low > high {
            check.refuse("conditions.amount_to", "must not be below the smallest amount")
        }
        if let account = conditions.account,
            !(3...18).contains(account.utf8.count) || !account.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            check.refuse("conditions.account_digits", "must be the last three to eighteen digits of an account")
        }
        return check.problems
    }

    private var wants: String {
        switch effectiveKind {
        case .keyword where CategoryRules.normalized(keyword).isEmpty: "must hold a letter or a digit"
        case .keyword: "must have at most \(CategoryRules.maximumWords) words"
        case .vpa: "must be a UPI address, name@provider, with * for any characters"
        case .mcc: "must be four digits, or two such codes with - between"
        case .person: "must be a provider of UPI addresses, such as okicici, or *"
        }
    }
}
