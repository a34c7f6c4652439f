/// A payee, as the rules name it.
public struct PayeeName: Hashable, Sendable {
    public var id: Int64
    public var name: String

    public init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }
}

/// A rule that assigns a category to a merchant, or names the payee: a row of `vendor_mappings` or `payee_aliases`.
public struct VendorMapping: Hashable, Sendable {
    /// The value that `keyword` is matched against.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Whole words of the merchant's name, or of a UPI address before its `@`.
        case keyword
        /// A UPI address such as `swiggy.stores@axb`; `*` matches any run of characters: `paytmqr*@*`,
        /// `*@okbizaxis`.
        case vpa
        /// A merchant category code of ISO 18245, or a range of them: `5411`, `3000-3350`.
        case mcc
        /// The UPI address of a person (``UPIAddress/isPersonal``) at this provider, such as `okicici`; `*` is any
        /// provider.
        case person

        /// The kind of a keyword typed without one: an `@` makes it a UPI address.
        public init(of keyword: String) { self = keyword.utf8.contains(UInt8(ascii: "@")) ? .vpa : .keyword }
    }

    /// Negative for an alias, which has no row in `vendor_mappings`.
    public var id: Int64
    public var kind: Kind
    public var keyword: String
    public var categoryID: Int64
    public var category: String
    public var subcategoryID: Int64?
    public var subcategory: String?
    /// True if a person created it: it takes precedence over every shipped mapping.
    public var isUserDefined: Bool
    /// Conditions on the transaction; all must hold.
    public var conditions = MappingConditions.none
    /// The payee of an alias. The category is then the payee's.
    public var payee: PayeeName?

    public init(
        id: Int64, keyword: String, categoryID: Int64, category: String, isUserDefined: Bool = false,
        kind: Kind = .keyword
    ) {
        self.id = id
        self.kind = kind
        self.keyword = keyword
        self.categoryID = categoryID
        self.category = category
        self.isUserDefined = isUserDefined
    }

    /// An alias of a payee without a category is the only rule that chooses none.
    public var choosesCategory: Bool { !category.isEmpty }

    /// `Food / Coffee`.
    public var target: String { CategorySentences.target(category, subcategory) }

    /// The form in which keywords are compared and stored; `nil` if the keyword can never match.
    public static func normalized(_ keyword: String, as kind: Kind) -> String? {
        switch kind {
        case .keyword: return words(of: keyword).map { String(decoding: $0, as: UTF8.self) }
        case .vpa: return UPIPattern(keyword)?.description
        case .mcc: return MerchantCategoryCodes(keyword)?.description
        case .person:
            let handle = keyword.lowercased().drop { $0 == "@" }
            return handle == "*" || UPIAddress.isHandle(handle) ? String(handle) : nil
        }
    }

    /// The normalized words of a keyword; `nil` if they are none or too many.
    static func words(of keyword: String) -> [UInt8]? {
        let words = CategoryRules.normalizedBytes(keyword)
        return words.isEmpty || words.lazy.filter { $0 == 0x20 }.count >= CategoryRules.maximumWords ? nil : words
    }
}

/// Conditions on a transaction besides its merchant. The currency of the amounts is `currency`, or the rupee.
public struct MappingConditions: Hashable, Sendable {
    /// In minor units, both included.
    public var minimumMinor: Int64?
    public var maximumMinor: Int64?
    public var currency: Currency?
    /// The last digits of the user's own account or card, three or more.
    public var account: String?
    public var channel: Channel?
    public var type: TransactionType?

    public static let none = MappingConditions()

    public init(
        minimumMinor: Int64? = nil, maximumMinor: Int64? = nil, currency: Currency? = nil, account: String? = nil,
        channel: Channel? = nil,
        type: TransactionType? = nil
    ) {
        self.minimumMinor = minimumMinor
        self.maximumMinor = maximumMinor
        self.currency = currency
        self.account = account
        self.channel = channel
        self.type = type
    }

    public var isEmpty: Bool { count == 0 }

    /// The number of conditions; a range of amounts counts as one, with its currency.
    public var count: Int {
        let amount = minimumMinor != nil || maximumMinor != nil
        return (amount || currency != nil ? 1 : 0) + (account != nil ? 1 : 0) + (channel != nil ? 1 : 0)
            + (type != nil ? 1 : 0)
    }

    public func hold(of facts: CategoryFacts) -> Bool {
        if minimumMinor != nil || maximumMinor != nil || currency != nil {
            guard let amount = facts.amount, amount.currency == currency ?? .inr,
                amount.minorUnits >= minimumMinor ?? .min,
                amount.minorUnits <= maximumMinor ?? .max
            else { return false }
        }
        if let account { guard let own = facts.account, Self.sameAccount(account, own) else { return false } }
        if let channel { guard facts.channel == channel else { return false } }
        if let type { guard facts.type == type else { return false } }
        return true
    }

    /// Masks show three to six digits, so the shorter text must be a suffix of the longer.
    static func sameAccount(_ a: String, _ b: String) -> Bool {
        guard min(a.utf8.count, b.utf8.count) >= 3 else { return a == b }
        return a.utf8.count < b.utf8.count ? b.hasSuffix(a) : a.hasSuffix(b)
    }

    /// Text for a person, such as `INR 20000.00 or more, account 1234, by card`; empty if there are no conditions.
    public var sentence: String {
        var parts: [String] = []
        func money(_ minor: Int64) -> String { Money(minorUnits: minor, currency: currency ?? .inr).description }
        switch (minimumMinor, maximumMinor) {
        case (let low?, let high?):
            parts.append(low == high ? "exactly \(money(low))" : "\(money(low)) to \(money(high))")
        case (let low?, nil): parts.append("\(money(low)) or more")
        case (nil, let high?): parts.append("\(money(high)) or less")
        case (nil, nil): if let currency { parts.append("in \(currency.code)") }
        }
        if let account { parts.append("account \(account)") }
        if let channel { parts.append("by \(channel.rawValue)") }
        if let type { parts.append("\(type.rawValue) only") }
        return parts.joined(separator: ", ")
    }
}
