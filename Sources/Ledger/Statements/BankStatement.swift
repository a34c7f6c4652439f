public import Chronology

/// A statement of one account as the bank wrote it, read from a file and not yet compared with the ledger.
///
/// Amounts are minor units of `currency`. Money that the user has is a positive balance, the dues of a card are a
/// negative one: a purchase lowers the balance as an expense does.
public struct BankStatement: Hashable, Sendable {
    public var currency: Currency
    /// The number of the account as the file prints it, or its last digits; `nil` if it does not say.
    public var accountNumber: String?
    /// The period that the statement states; otherwise from the first line's day to the last one's.
    public var period: DaySpan?
    public var opening: Int64?
    public var closing: Int64?
    /// The lines, oldest first.
    public var lines: [StatementLine]
    /// The name of the ``PaymentColumns`` by which a list of payments was read; `nil` for a statement. A list has some
    /// payments of several accounts: a payment that is missing proves nothing, and no balance proves that it is
    /// complete.
    public var list: String?
    /// Rows of a list that make no line.
    public var omitted: [OmittedRow] = []

    public init(currency: Currency, lines: [StatementLine] = []) {
        self.currency = currency
        self.lines = lines
    }
}

/// One line of a statement: one movement of money.
public struct StatementLine: Hashable, Sendable {
    /// The position in the file as a person counts: the row of a table, or the line of a text, from 1.
    public var row: Int
    /// The day on which the bank entered the movement.
    public var day: CalendarDate
    /// The day from which the amount counts, if it is printed.
    public var valueDay: CalendarDate?
    /// Minor units with their sign: negative if money left the account.
    public var change: Int64
    /// The balance after this line, if it is printed.
    public var balance: Int64?
    /// The description as printed, blanks collapsed.
    public var text: String
    /// Cheque number, UTR or RRN, or the bank's own identifier (`FITID` of OFX).
    public var reference: String?
    /// The account that a line of a list names, as printed: `HDFC Bank - 12`. It is not stored.
    public var printedAccount: String?
    /// `user_accounts.id` of that account, if it is certain.
    public var account: Int64?

    public init(row: Int, day: CalendarDate, change: Int64, text: String) {
        self.row = row
        self.day = day
        self.change = change
        self.text = text
    }
}
