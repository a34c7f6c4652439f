public import Chronology

/// What one report states about a payment: a mail, an SMS, or an entry of a person.
public struct EventReport: Hashable, Sendable {
    public var id: Int64
    /// The bank's key; empty for an entry of a person.
    public var bank: String
    /// The source and the template that read the report, such as `hdfc/card-spend`. A bank sends one report of a form
    /// for each payment, so two of them are two payments.
    public var form: String
    /// The last digits of the account or card; empty if none are printed.
    public var account: String
    /// `user_accounts.id`.
    public var userAccount: Int64?
    public var type: TransactionType
    public var channel: Channel
    public var amount: Money
    public var date: CalendarDate
    /// Seconds since 1970 UTC; noon of the day if no time is printed.
    public var instant: UnixTime
    public var hasTime: Bool
    /// The counterparty as printed.
    public var merchant: String?
    public var vpa: String?
    /// `payees.id`.
    public var payee: Int64?
    public var reference: String?
    /// True if it prints the balance after the payment.
    public var hasBalance = false

    public init(
        id: Int64, bank: String, form: String, type: TransactionType, amount: Money, date: CalendarDate
    ) {
        (self.id, self.bank, self.form, self.type) = (id, bank, form, type)
        (self.amount, self.date) = (amount, date)
        (account, channel, instant, hasTime) = ("", .other, .epoch, false)
    }

    /// The report of a draft that is not booked yet.
    ///
    /// - Parameters:
    ///   - id: a number that no other report has.
    ///   - form: see ``form``.
    /// - Returns: `nil` if the draft lacks the direction.
    public init?(_ draft: TransactionDraft, id: Int64 = 0, bank: String, form: String) {
        guard let type = draft.type else { return nil }
        self.init(id: id, bank: bank, form: form, type: type, amount: draft.amount, date: draft.date)
        (account, channel) = (draft.account ?? "", draft.channel)
        (instant, hasTime) = (draft.occurredAt, draft.time != nil)
        (merchant, vpa, reference) = (draft.merchant, draft.vpa, draft.reference)
        hasBalance = draft.balance != nil
    }
}

extension EventReport {
    /// True for one payee, one UPI address, or two forms of one printed name.
    func isSamePayee(as other: EventReport) -> Bool {
        if let payee, payee == other.payee { return true }
        if let vpa, let address = other.vpa, !vpa.isEmpty, vpa.lowercased() == address.lowercased() { return true }
        return PayeeText.isSame(name, other.name)
    }

    /// The payee as printed; empty if none is.
    var name: String { merchant ?? vpa ?? "" }

    /// True if both may report a payment of the same account: one of them names none, both name the same, or one is of
    /// a wallet, which pays from an account.
    func mayBeOneAccount(with other: EventReport) -> Bool {
        if account.isEmpty || other.account.isEmpty || isSameAccount(as: other) { return true }
        return channel == .wallet || other.channel == .wallet
    }

    /// True if both name the same account. An app prints the digits of a bank's account, so the banks may differ.
    func isSameAccount(as other: EventReport) -> Bool {
        if let userAccount, userAccount == other.userAccount { return true }
        return !account.isEmpty && !other.account.isEmpty && MappingConditions.sameAccount(account, other.account)
    }

    /// True if, of two reports about one event, this one counts. It is the report that is better related to an account:
    /// not a wallet's, with a known account, with digits, with a balance. Of equal ones the earlier counts.
    public func counts(before other: EventReport) -> Bool {
        func rank(_ report: EventReport) -> [Int] {
            [
                report.channel == .wallet ? 0 : 1, report.userAccount == nil ? 0 : 1, report.account.isEmpty ? 0 : 1,
                report.hasBalance ? 1 : 0,
            ]
        }
        let (own, others) = (rank(self), rank(other))
        return own == others ? id < other.id : others.lexicographicallyPrecedes(own)
    }
}
