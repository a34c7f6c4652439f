public import Chronology

/// One booked transaction as a movement of one account, or a notice of its balance, which moves nothing.
public struct AccountMovement: Hashable, Sendable {
    /// The source of a printed balance.
    public enum Evidence: Hashable, Sendable {
        case transaction(Int64)
        case notice(Int64)
    }

    /// The number of the transaction, or that of a notice by ``notice(_:)``: see ``evidence(_:)``.
    public var id: Int64
    /// The instant of the movement; noon of its day if no time is printed.
    public var instant: UnixTime
    /// The day as printed.
    public var day: CalendarDate
    /// False if the alert printed a day only: the order within the day is then unknown.
    public var hasTime: Bool
    /// The change of the account in minor units of its currency, negative for an outflow; `nil` if it is not known in
    /// that currency, as for a payment in a foreign one.
    public var change: Int64?
    /// The balance, or the available limit, that the alert printed behind the movement, in minor units.
    public var printed: Int64?

    public init(
        id: Int64, instant: UnixTime, day: CalendarDate, hasTime: Bool = true, change: Int64?, printed: Int64? = nil
    ) {
        self.id = id
        self.instant = instant
        self.day = day
        self.hasTime = hasTime
        self.change = change
        self.printed = printed
    }
}

extension AccountMovement {
    /// The number of a notice among those of transactions.
    public static func notice(_ id: Int64) -> Int64 { 0 - id }

    /// The row that the number of a movement identifies.
    public static func evidence(_ id: Int64) -> Evidence { id < 0 ? .notice(0 - id) : .transaction(id) }

    /// The sign of a movement in its account: 1 for an inflow, -1 for an outflow.
    ///
    /// - Parameters:
    ///   - linked: the side of the linked transfer that the transaction is; `nil` if it is none.
    ///   - counterparty: the printed payee or payer; decides the direction of a transfer without a second side.
    public static func sign(of type: TransactionType, linked: TransferLeg.Flow?, counterparty: String) -> Int64 {
        switch TransferLeg.flow(of: type, linked: linked, counterparty: counterparty) {
        case .credit: 1
        case .debit: -1
        }
    }
}
