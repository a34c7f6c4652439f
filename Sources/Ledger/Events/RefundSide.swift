public import Chronology

/// A purchase that may be returned, or an income that may return one.
public struct RefundSide: Hashable, Sendable {
    public var id: Int64
    /// The bank's key, and the last digits of the account or card.
    public var bank: String
    public var account: String
    public var amount: Money
    /// Of a purchase: minor units that no refund has returned so far.
    public var remaining: Int64
    public var date: CalendarDate
    /// The merchant as printed.
    public var merchant: String?
    /// `payees.id`.
    public var payee: Int64?
    public var reference: String?

    public init(id: Int64, bank: String, account: String, amount: Money, date: CalendarDate) {
        self.id = id
        self.bank = bank
        self.account = account
        self.amount = amount
        remaining = amount.minorUnits
        self.date = date
    }

    /// True for one payee, or one printed name in any spelling of case, blanks and signs.
    func isSamePayee(as other: RefundSide) -> Bool {
        if let payee, payee == other.payee { return true }
        guard let merchant, let name = other.merchant else { return false }
        let words = CategoryRules.normalized(merchant)
        return !words.isEmpty && words == CategoryRules.normalized(name)
    }
}
