import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ingest
import Ledger
import NIOCore
import Settings
import Store
import Testing

@testable import Web

/// The bytes of HTML of the heaviest pages, before compression.
@Suite struct PageSizeTests {
    static let limit = 60_000

    static let merchants = [
        "SWIGGY INSTAMART BANGALORE", "AMAZON PAY INDIA PVT LTD", "RELIANCE FRESH KORAMANGALA 4TH BLOCK",
        "INDIAN OIL CORPORATION LTD, HSR LAYOUT", "MS GREEN LEAF PHARMACY AND GENERAL STORES", "UBER INDIA SYSTEMS",
        "Shri Lakshmi Provision Store", "BSES RAJDHANI POWER LTD", "ZERODHA BROKING LTD", "NETFLIX ENTERTAINMENT",
    ]

    /// A household with the shipped categories, and rows on which everything is printed that a row can have.
    static func site() throws -> PageSite {
        let site = try PageSite()
        let file = CatalogueTests.sources.appending(path: "../../config/categories.yaml").standardized.path
        try site.store.seed(CategoryFile(path: file))
        let places = try site.store.categories.all().flatMap { row in row.subcategories.map { (row.name, $0.name) } }
        for uid in 1...80 as ClosedRange<UInt32> {
            let index = Int(uid)
            let id = try site.record(
                uid, merchant: merchants[index % merchants.count], 1_234_567 + Int64(uid) * 7919, waits: index % 9 == 0,
                on: CalendarDate(daysSince1970: site.store.today.daysSince1970 - index % 25),
                type: index % 11 == 0 ? .income : .expense, account: "432\(index % 4)",
                vpa: "merchant.\(index)@okhdfcbank", bank: "bank-\(index % 5)")
            var edit = TransactionEdit()
            (edit.category, edit.subcategory) = (places[index % places.count].0, .set(places[index % places.count].1))
            edit.tags = ["trip-\(index % 20)", "shared"]
            if index % 3 == 0 { edit.notes = .set("Shared with Asha, half of it comes back in December") }
            _ = try site.store.transactions.change(id, edit, by: Actor(.page, "asha"))
        }
        return site
    }

    static let paths = [
        "/", "/app/transactions",
        "/app/transactions?category=Food%20%26%20Dining&type=expense&period=this-year&status=confirmed&q=-cash",
        "/app/transactions?q=-tag:trip-1&period=this-year&type=expense&currency=INR&sort=amount&dir=desc",
        "/app/transactions?q=-%E0%A4%9A%E0%A4%BE%E0%A4%AF%20-cash&from=1&to=9999999&channel=upi",
        "/app/transactions/bulk?list=type%3Dexpense", "/app/transactions/bulk?list=type%3Dexpense&do=tag&tag=goa",
        "/app/transactions/1", "/app/categories", "/app/categories?change=1", "/app/payees", "/app/tags",
        "/app/history", "/app/review",
        "/app/mails", "/app/accounts", "/app/statistics", "/app/statistics?part=groups", "/app/searches",
    ]

    @Test func everyPageIsBelow60Kilobytes() async throws {
        let site = try Self.site()
        for path in Self.paths {
            for language in ["en", "hi"] {
                let page = try await site.ask {
                    try await $0.execute(
                        uri: path, method: .get, headers: [.accept: "text/html", .acceptLanguage: language])
                }
                #expect(page.status == .ok, "\(path)")
                #expect(
                    page.body.readableBytes < Self.limit, "\(path) in \(language): \(page.body.readableBytes) bytes")
                if path == "/app/transactions" {
                    #expect(page.words.matches(of: #/data-row/#).count == TransactionsPage.rows)
                }
            }
        }
    }
}
