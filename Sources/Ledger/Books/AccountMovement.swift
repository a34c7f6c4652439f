public import Chronology

/// One booked transaction as a movement of one account, or a notice of its balance, which moves nothing.
public struct AccountMovement: Hashable, Sendable {
    /// The source of a printed balance.
    public enum Evidence: Hashable, Sendable {
        case transaction(Int64)
        case notice(Int64)
    }

    /// The id of the transaction, or of a notice as ``notice(_:)`` encodes it; ``evidence(_:)`` decodes it.
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
    /// The balance, or the available limit, after the movement as the alert printed it, in minor units.
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
    /// The id of a notice as a movement: negative, so that it differs from the ids of transactions.
    public static func notice(_ id: Int64) -> Int64 { 0 - id }

    /// The transaction or notice with the ``id`` of a movement.
    public static func evidence(_ id: Int64) -> Evidence { id < 0 ? .notice(0 - id) : .transaction(id) }

    /// The sign of a movement in its account: 1 for an inflow, -1 for an outflow.
    ///
    /// - Parameters:
    ///   - linked: the transaction's side of its linked transfer; `nil` without one.
    ///   - counterparty: the printed payee or payer; decides the direction of a transfer without a second side.
    public static func sign(of type: TransactionType, linked: TransferLeg.Flow?, counterparty: String) -> Int64 {
        switch TransferLeg.flow(of: type, linked: linked, counterparty: counterparty) {
        case .credit: 1
        case .debit: -1
        }
    }
}
