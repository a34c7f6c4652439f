/// Values of a transaction that the category rules match.
public struct CategoryFacts: Hashable, Sendable {
    /// The counterparty as printed.
    public var merchant: String?
    /// A UPI address as printed.
    public var vpa: String?
    /// The four digits of a merchant category code.
    public var mcc: String?
    public var amount: Money?
    /// Last digits of the user's own account.
    public var account: String?
    public var channel: Channel?
    public var type: TransactionType?

    public init(merchant: String? = nil, vpa: String? = nil, mcc: String? = nil) {
        self.merchant = merchant
        self.vpa = vpa
        self.mcc = mcc
    }

    public init(_ draft: TransactionDraft) {
        self.init(merchant: draft.merchant, vpa: draft.vpa, mcc: draft.mcc)
        amount = draft.amount
        account = draft.account
        channel = draft.channel
        type = draft.type
    }
}

/// Results of the rules for one transaction.
public struct RuleMatches: Hashable, Sendable {
    public var category: CategoryMatch?
    public var payee: PayeeName?
}

/// Category assigned to a transaction, with the reason.
public struct CategoryMatch: Hashable, Sendable {
    /// Field in which the words of the mapping were found.
    public enum Place: Hashable, Sendable { case merchant, address, code }

    public let mapping: VendorMapping
    public let place: Place

    public init(mapping: VendorMapping, place: Place = .merchant) {
        self.mapping = mapping
        self.place = place
    }

    /// One sentence for a person, stored with the transaction.
    public var why: String {
        if let payee = mapping.payee { return CategorySentences.payee(payee.name, target: mapping.target) }
        let whose = mapping.isUserDefined ? "your" : "shipped"
        let conditions = mapping.conditions.isEmpty ? "" : " with \(mapping.conditions.sentence)"
        let rule =
            switch (mapping.kind, place) {
            case (.keyword, .address): "\(whose) keyword \"\(mapping.keyword)\" in the UPI address"
            case (.keyword, _): "\(whose) keyword \"\(mapping.keyword)\""
            case (.vpa, _): "\(whose) UPI address \"\(mapping.keyword)\""
            case (.mcc, _): "\(whose) merchant category code \(mapping.keyword)"
            case (.person, _):
                "\(whose) rule for the UPI address of a person"
                    + (mapping.keyword == "*" ? "" : " at \(mapping.keyword)")
            }
        return "\(rule)\(conditions) -> \(mapping.target)"
    }
}
