import Chronology
import Ledger
public import Store

/// One event of double entry: the change of an account, and what it is balanced by.
struct ExportEntry: Sendable {
    /// The account of the other half of an entry.
    enum Place: Hashable, Sendable {
        case account(ExportAccount)
        case expense(category: String, subcategory: String?)
        case income(category: String, subcategory: String?)
        /// A transfer whose other account is unknown or not part of the export.
        case transfers
        case openings
    }

    /// A part of the other half, with the sign of its place. The parts and the change of the account add up to zero.
    struct Part: Hashable, Sendable {
        var place: Place
        var amount: Money
    }

    /// A balance that an alert printed behind a movement.
    struct PrintedBalance: Hashable, Sendable {
        var amount: Money
        /// True if the entries of the file lead to it.
        var holds: Bool
    }

    /// Stays the same as long as the transaction exists.
    var id: String
    /// The transaction of ``account``; `nil` for an opening balance.
    var row: TransactionRow?
    /// The transaction on the other side of a transfer that is one entry.
    var counterpart: TransactionRow?
    /// The purchase that the transaction returns.
    var purchase: TransactionRow?
    var day: CalendarDate
    var payee: String
    var account: ExportAccount
    /// The change of the account, negative for an outflow.
    var amount: Money
    var parts: [Part]
    var printed: PrintedBalance?
    var counterpartPrinted: PrintedBalance?
    /// The price of its currency, with the first entry of a day.
    var price: ExportPrice?

    var isTransfer: Bool {
        parts.contains { if case .account = $0.place { true } else { $0.place == .transfers } }
    }

    /// The account on the other side of a transfer.
    var otherAccount: ExportAccount? {
        for part in parts { if case .account(let account) = part.place { return account } }
        return nil
    }

    /// Notes of the transaction and of its counterpart, as one line.
    var notes: String {
        [row?.notes, counterpart?.notes].compactMap { $0 }.map { PlainLine.make($0) }.filter { !$0.isEmpty }
            .joined(separator: "; ")
    }

    /// Facts of the transaction by name, without empty ones, each as one line.
    var facts: [(name: String, value: String)] {
        guard let row else { return [] }
        let facts: [(String, String?)] = [
            ("reference", row.reference), ("channel", row.channel?.rawValue), ("upi", row.vpa), ("mcc", row.mcc),
            ("time", row.time?.description), ("counterpart-id", counterpart?.exportID),
            ("counterpart-date", counterpart.flatMap { $0.date == day ? nil : $0.date.description }),
            ("refund-of", purchase?.exportID),
            ("notes", notes), ("status", row.status == .confirmed ? nil : row.status.rawValue),
        ]
        return facts.compactMap { name, value in
            let line = PlainLine.make(value ?? "")
            return line.isEmpty ? nil : (name, line)
        }
    }
}

extension TransactionRow {
    /// The identifier of the transaction in exports: its number, and the time of its booking, so that a ledger that was
    /// made anew does not use it for another transaction.
    public var exportID: String { "\(id)-\(String(createdAt.seconds, radix: 36))" }
}
