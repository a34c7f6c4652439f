public import Chronology

/// The statements of one report about a payment: of a mail, an SMS, or an entry of a person.
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
    /// True if the account receives the amount, also as a transfer.
    public var isCredit: Bool
    /// `nil` for an entry of a person.
    public var medium: AlertMedium?
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
        (self.amount, self.date, isCredit) = (amount, date, type == .income)
        (account, channel, instant, hasTime) = ("", .other, .epoch, false)
    }

    /// The report of a draft that is not booked yet.
    ///
    /// - Parameters:
    ///   - id: a number that no other report has.
    ///   - form: see ``form``.
    /// - Note: a draft without a direction is stored as an expense, with a reason that states it.
    public init(_ draft: TransactionDraft, id: Int64 = 0, bank: String, form: String, in medium: AlertMedium) {
        self.init(
            id: id, bank: bank, form: form, type: draft.type ?? .expense, amount: draft.amount, date: draft.date)
        self.medium = medium
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

    /// True if both print an account and one prints the last digits of what the other prints. Only for one bank,
    /// because some banks print two digits.
    func printsAccount(of other: EventReport) -> Bool {
        !account.isEmpty && !other.account.isEmpty && mayPrintAccount(of: other)
    }

    /// As ``printsAccount(of:)``, or one of them prints none.
    func mayPrintAccount(of other: EventReport) -> Bool {
        account.hasSuffix(other.account) || other.account.hasSuffix(account)
    }

    /// The reference in upper case; empty if none is printed.
    var printedReference: String { reference?.uppercased() ?? "" }

    func days(from other: EventReport) -> Int { abs(date.daysSince1970 - other.date.daysSince1970) }

    /// Seconds between the printed times; `nil` if one prints none.
    public func seconds(from other: EventReport) -> Int64? {
        hasTime && other.hasTime ? abs(instant - other.instant) : nil
    }

    /// True if the printed time may lack its seconds.
    var isFullMinute: Bool { instant.seconds % 60 == 0 }

    /// True if one of the two is the minute of the other.
    func isInMinute(of other: EventReport) -> Bool {
        func minute(_ report: EventReport) -> Int64 { report.instant.seconds - (report.instant.seconds % 60 + 60) % 60 }
        return (isFullMinute || other.isFullMinute) && minute(self) == minute(other)
    }

    /// True if this report is the one that counts when both are about one event: that of the account whose balance the
    /// payment changes, otherwise the earlier one.
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
