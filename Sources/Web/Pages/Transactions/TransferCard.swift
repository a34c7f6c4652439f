import Chronology
import Ledger
import Store

/// Describes transfers between own accounts.
enum TransferText {
    /// `transfer to HDFC Bank 4321`, from the view of one of the two sides.
    static func direction(_ transfer: TransferRow, of id: Int64) -> String {
        transfer.debit?.id == id
            ? PageText.of("transfer-card.to", ["account": account(transfer.credit)])
            : PageText.of("transfer-card.from", ["account": account(transfer.debit)])
    }

    static func account(_ row: TransactionRow?) -> String {
        guard let row else { return PageText.of("transfer-card.another-account") }
        return row.accountName ?? row.accountDigits.map { PageText.of("transfer-card.account", ["digits": $0]) }
            ?? PageText.of("transfer-card.another-account")
    }
}

/// The transfer that a transaction is, or may be, one side of.
struct TransferCard: Sendable {
    struct Candidate: Sendable {
        var id: String
        var merchant: String
        var about: String
        var isFirst: Bool
    }

    /// The ID of the transaction.
    var own: String
    /// The ID of the transfer.
    var number = ""
    var title: String
    var sentence = ""
    var why: String?
    /// The other side.
    var otherPath: String?
    var other: String?
    var isLinked = false
    var isAsked = false
    var candidates: [Candidate] = []
    var back: String

    /// `nil` if the transaction is not part of a transfer and has no candidate for one.
    init?(of row: TransactionRow, in ledger: Snapshot, back: String) throws {
        own = "\(row.id)"
        self.back = back
        if let transfer = try ledger.transfers.find(of: row.id) {
            let other = transfer.debit?.id == row.id ? transfer.credit : transfer.debit
            number = "\(transfer.id)"
            isLinked = transfer.state == .linked
            isAsked = !isLinked
            let words = TransferText.direction(transfer, of: row.id)
            title = isLinked ? PageText.of("transfer-card.is-one") : PageText.of("transfer-card.is-it-one")
            sentence =
                isLinked
                ? PageText.of("transfer-card.counts-not", [PageText.of("transfer-card.transfer"): words])
                : PageText.of("transfer-card.may-be", [PageText.of("transfer-card.transfer"): words])
            why = transfer.basis.clause + "."
            otherPath = other.map { "/app/transactions/\($0.id)?" + FormFields.encoded([("back", back)]) }
            self.other = other.map {
                "\($0.vendor ?? $0.vpa ?? PageText.of("common.no-merchant")), \(DayText.text($0.date)), \(TransferText.account($0))"
            }
            return
        }
        title = PageText.of("transfer-card.part-of-one")
        candidates = try ledger.transfers.candidates(for: row.id).enumerated().map { index, other in
            Candidate(
                id: "\(other.id)", merchant: other.vendor ?? other.vpa ?? PageText.of("common.no-merchant"),
                about: [
                    DayText.text(other.date), other.accountName ?? other.accountDigits,
                    other.type == .income
                        ? PageText.of("transfer-card.received")
                        : other.type == .expense
                            ? PageText.of("transfer-card.spent") : PageText.of("transfer-card.transfer"),
                ]
                .compactMap { $0 }.joined(separator: " · "), isFirst: index == 0)
        }
        if candidates.isEmpty { return nil }
    }
}
