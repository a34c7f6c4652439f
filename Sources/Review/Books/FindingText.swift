public import Ledger

extension ContinuityFinding.Cause {
    /// The key of the kind, as JSON and exports show it.
    public var kind: String {
        switch self {
        case .draft: "draft"
        case .wrongDirection: "wrong_direction"
        case .booked: "booked_twice"
        case .outlier: "outlier"
        }
    }

    /// The numbers of the transactions concerned; empty for a balance that a notice printed.
    public var transactions: [Int64] {
        switch self {
        case .outlier(let id): AccountMovement.evidence(id).transaction.map { [$0] } ?? []
        case .draft(let id), .wrongDirection(let id): [id]
        case .booked(let first, let second): [first, second]
        }
    }

    /// The remedy for a person, in one sentence.
    public var sentence: String {
        switch self {
        case .draft(let id): "Accept item \(id) to close this gap."
        case .wrongDirection(let id): "Transaction \(id) seems to be booked in the wrong direction."
        case .booked(let first, let second): "Transactions \(first) and \(second) seem to be one event."
        case .outlier(let id):
            "The balance printed by \(AccountMovement.evidence(id).title) alone disagrees with its neighbours."
        }
    }
}

extension AccountMovement.Evidence {
    /// The number of the transaction; `nil` for a notice.
    public var transaction: Int64? { if case .transaction(let id) = self { id } else { nil } }

    /// The number of the notice; `nil` for a transaction.
    public var notice: Int64? { if case .notice(let id) = self { id } else { nil } }

    fileprivate var title: String {
        switch self {
        case .transaction(let id): "transaction \(id)"
        case .notice(let id): "notice \(id)"
        }
    }
}

extension ContinuityFinding {
    /// The finding for a person, in one sentence without its days.
    ///
    /// - Parameter money: formats an amount as the surface shows it.
    public func sentence(in currency: Currency, money: (Money) -> String) -> String {
        let amount = money(Money(minorUnits: gap == .min ? .max : abs(gap), currency: currency))
        if case .outlier? = causes.first { return "A printed balance differs by \(amount) from its neighbours." }
        return gap < 0 ? "\(amount) left this account without an alert." : "\(amount) arrived without an alert."
    }
}
