import Chronology
import ChronologyFixture
import Foundation
import Ledger
import Store
import Testing

@testable import Exports

/// Refunds, instalments and second reports of a payment in exports, as the programs that read them count.
@Suite struct LinkedExportTests {
    /// Toys of 500.00 with 200.00 returned; a cupboard of 900.00 in two parts of 500.00; a tea that is reported twice.
    private static func household() throws -> ExportFixture {
        let fixture = try ExportFixture()
        let bank = try fixture.account("Savings", initial: 500_000, from: "2026-01-01")
        let toys = try fixture.book(50_000, on: "2026-01-02", in: bank) {
            ($0.merchant, $0.category, $0.subcategory) = ("Toy Barn", "Gifts", "Toys")
        }
        let refund = try fixture.book(20_000, .income, on: "2026-01-09", in: bank) {
            ($0.merchant, $0.category) = ("Toy Barn", "Income")
        }
        let cupboard = try fixture.book(90_000, on: "2026-01-03", in: bank) { $0.category = "House" }
        let parts = try ["2026-02-03", "2026-03-03"].map { day in
            try fixture.book(50_000, on: try #require(CalendarDate(iso: day)), in: bank) { $0.category = "Loans" }
        }
        let tea = try fixture.book(1_000, on: "2026-01-04", in: bank)
        let again = try fixture.book(1_000, on: "2026-01-04")
        let links = fixture.store.eventLinks
        try links.link(toys, to: refund, as: .refund, by: ExportFixture.clerk)
        for part in parts { try links.link(cupboard, to: part, as: .instalment, by: ExportFixture.clerk) }
        try links.link(tea, to: again, as: .sameEvent, by: ExportFixture.clerk)
        return fixture
    }

    /// Amounts in rupees.
    static let expected: [String: String] = [
        "Assets:Bank:Savings": "2790", "Expenses:Food": "10", "Expenses:Gifts:Toys": "300", "Expenses:House": "900",
        "Expenses:Loans": "100", "Equity:Transfers": "900", "Equity:Opening-Balances": "-5000",
    ]

    @Test(.enabled(if: Reader.hledger.isInstalled, "hledger is not installed"))
    func hledgerCountsEachPurchaseOnce() throws {
        let fixture = try Self.household()
        let file = try fixture.file(.hledger)
        let check = try Reader.hledger.run(["-f", file, "check", "--strict", "ordereddates"], in: fixture.folder)
        #expect(check.status == 0, "\(check.errors.prefix(2000))")
        let result = try Reader.hledger.run(
            ["-f", file, "balance", "--flat", "--no-total", "--layout", "bare", "-O", "csv"], in: fixture.folder)
        var found: [String: String] = [:]
        for line in result.output.split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\",\"").map { String($0.replacing("\"", with: "")) }
            if cells.count == 3 { found[cells[0]] = cells[2].replacing(".00", with: "") }
        }
        #expect(found == Self.expected)
    }

    @Test(.enabled(if: Reader.beanCheck.isInstalled, "beancount is not installed"))
    func beancountAcceptsLinkedEntries() throws {
        let fixture = try Self.household()
        let check = try Reader.beanCheck.run([try fixture.file(.beancount)], in: fixture.folder)
        #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors.prefix(2000))")
        let text = try fixture.text(.beancount)
        #expect(text.contains("Expenses:Gifts:Toys  -200.00 INR"), "\(text)")
        #expect(text.contains("refund-of: \"1-"))
        #expect(!text.contains("Income"))
    }

    @Test func otherFormatsNameThePurchasesCategory() throws {
        let fixture = try Self.household()
        let qif = try fixture.text(.qif)
        #expect(qif.contains("T200.00\nN2-"), "\(qif)")
        #expect(qif.components(separatedBy: "LGifts:Toys\n").count == 3)
        let firefly = try fixture.text(.firefly)
        #expect(firefly.contains(",200.00,INR,") && !firefly.contains("Income"), "\(firefly)")
        #expect(firefly.components(separatedBy: ",Gifts / Toys,").count == 3)
        let csv = try fixture.text(.csv)
        #expect(csv.components(separatedBy: "Gifts,Toys").count == 3 && !csv.contains("Income"), "\(csv)")
        for format in ExportFormat.allCases {
            let text = try fixture.text(format)
            #expect(!text.contains("7-t8dsw0"), "\(format) has the report that counts only")
        }
        // Without the link, the refund is income again.
        let link = try #require(try fixture.store.eventLinks.list(of: [.refund]).first)
        try fixture.store.eventLinks.reject(link.id, by: ExportFixture.clerk)
        #expect(try fixture.text(.hledger).contains("Income"))
    }
}
