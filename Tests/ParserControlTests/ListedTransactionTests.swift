import Foundation
import Ledger
import Store
import Testing

@testable import ParserControl

/// The rows of `parserctl list`.
@Suite struct ListedTransactionTests {
    /// A transfer with a payee leaves an account; one without confirms that a card or a loan received money.
    @Test func everyAmountHasTheSignOfItsDirection() throws {
        let folder = NSTemporaryDirectory() + "listed-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try Store(path: folder + "/ledger.db")
        let kinds: [(TransactionType, String?)] = [
            (.expense, "Shop"), (.income, "Employer"), (.transfer, "HDFC Credit Card"), (.transfer, nil),
        ]
        let rows = try kinds.map { type, merchant in
            try store.transactions.add(
                NewTransaction(amount: Money(minorUnits: 500, currency: .inr), type: type, date: store.today) {
                    $0.merchant = merchant
                }, by: .terminal)
        }
        let amount = try #require(RowFormat.transactions.columns.first { $0.title == "amount" })
        let cells = try ListedTransaction.all(rows, in: store).map(amount.cell)
        #expect(cells == ["-5.00", "+5.00", "-5.00", "+5.00"])
    }
}
