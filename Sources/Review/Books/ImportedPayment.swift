public import Ledger
public import Store

/// A line of a list of payments beside the ledger.
public struct ImportedPayment: Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The ledger has nothing like it: it can be booked.
        case new
        /// This list booked it.
        case booked
        /// The ledger has it, by its reference, or by amount, day and name.
        case duplicate
        /// The ledger has a transaction of the same amount within a day. It is booked only if its row is named.
        case possibleDuplicate = "possible_duplicate"
    }

    public let line: StatementLine
    public let state: State
    /// The transaction of the ledger; `nil` for a new payment.
    public let transaction: TransactionRow?
}

extension StatementComparison {
    /// The lines of a list of payments with what the ledger has of them, in their order.
    public var payments: [ImportedPayment] {
        var matches: [Int: Reconciliation.Match] = [:]
        for match in result.matches { matches[match.line] = match }
        return statement.lines.enumerated().map { index, line in
            guard let match = matches[index] else {
                return ImportedPayment(line: line, state: .new, transaction: nil)
            }
            let state: ImportedPayment.State =
                switch match.strength {
                case .booked: .booked
                case .reference, .name: .duplicate
                case .amount: .possibleDuplicate
                }
            return ImportedPayment(line: line, state: state, transaction: transactions[match.transaction])
        }
    }
}

extension ImportedPayment.State {
    /// The state for a person.
    public var sentence: String {
        switch self {
        case .new: "not booked yet"
        case .booked: "booked from this file"
        case .duplicate: "booked already"
        case .possibleDuplicate: "same amount within a day: possibly booked already"
        }
    }
}

extension OmittedRow.Reason {
    /// The reason for a person.
    public var sentence: String {
        switch self {
        case .notCompleted: "the payment was not completed"
        case .noDirection: "nothing shows whether money came or went, as in a transfer between own accounts"
        case .otherCurrency: "it is in another currency than the account"
        case .unreadable: "the date or the amount cannot be read for certain"
        }
    }
}
