import Chronology
import Hummingbird
import Ledger
import Profiles
import Store

/// The list of transactions: search, filters, order, pages.
enum TransactionsPage {
    /// Rows of a page. More would make the page heavier than 100 kB.
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions", on: router) { call in
            let list = TransactionList(call, pages)
            let banks = pages.services.profiles().banks.map { ($0.key, $0.name) }
            return try await pages.show(.transactions, call) { ledger in
                TransactionsView(list, try TransactionsContent(list, banks: banks.map(\.0), in: ledger), banks: banks)
            }
        }
    }
}

/// The rows of one page of the list, with their sums and filters.
struct TransactionsContent: Sendable {
    var page: TransactionPage
    /// Sums of all pages; only for a filtered list, since the overview has the sums of the ledger.
    var sums: [Statistics.Totals]
    var categories: [CategoryRow]
    var accounts: [UserAccountRow]
    var tags: [String]
    /// The name of the payee that is selected.
    var payee: String?
    var transfers: [Int64: TransferRow]
    var cycles: [StatementCycle]
    var searches: [SavedSearch]
    /// True if the ledger holds no transaction at all.
    var isEmpty: Bool
    /// What the filters and the search name and nothing in the ledger has.
    var unknown: [UnknownName]

    /// - Parameter banks: the keys of the known banks.
    init(_ list: TransactionList, banks: [String], in ledger: Snapshot) throws {
        page = try Self.page(list.query, in: ledger)
        sums = list.isFiltered && !page.rows.isEmpty ? try ledger.transactions.totals(of: list.query) : []
        categories = try ledger.categories.all()
        accounts = try ledger.userAccounts.all()
        tags = try ledger.transactions.tags().map(\.name)
        payee = try list.query.payeeID.flatMap { try ledger.payees.find($0)?.name }
        cycles = try ledger.statistics.statementCycles()
        unknown = try ledger.transactions.unknownNames(in: list.query, banks: banks)
        searches = try ledger.searches.all()
        transfers = try ledger.transfers.linked(of: page.rows.map(\.id))
        isEmpty = try page.rows.isEmpty && ledger.transactions.page(TransactionQuery(limit: 1)).total == 0
    }

    /// Returns the page at the cursor; the first page if the cursor belongs to another query.
    private static func page(_ query: TransactionQuery, in ledger: Snapshot) throws -> TransactionPage {
        do {
            return try ledger.transactions.page(query)
        } catch {
            guard error.kind == .invalid else { throw error }
        }
        var first = query
        first.cursor = nil
        return try ledger.transactions.page(first)
    }
}
