import Hummingbird
import Ledger
import Profiles
import Store

/// Searches that are kept under a name, and the words that complete one.
enum SearchesPage {
    /// Payees among the completions: those with the most transactions.
    private static let payees = 200

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/searches", on: router) { call in
            try await pages.show(.searches, call) { SearchesView(try $0.searches.all()) }
        }
        pages.get("/app/searches/words", on: router) { call in
            let banks = pages.services.profiles().banks.map(\.key)
            return try await pages.show(.searchWords, call) { ledger in
                let categories = try ledger.categories.all()
                let figures = try ledger.payees.figures()
                func transactions(_ payee: PayeeRow) -> Int { figures[payee.id]?.transactions ?? 0 }
                let payees = try ledger.payees.all().filter { transactions($0) > 0 }
                    .sorted { transactions($0) > transactions($1) }.prefix(Self.payees)
                return SearchWordsView(
                    words: SearchExpression.completions(
                        categories: categories.map(\.name) + categories.flatMap { $0.subcategories.map(\.name) },
                        accounts: try ledger.userAccounts.all().map(\.name),
                        tags: try ledger.transactions.tags().map(\.name), payees: payees.map(\.name), banks: banks))
            }
        }
        pages.post("/app/searches", on: router) { call in
            let group = LedgerChange.newGroup()
            let query = TransactionList(FormFields(call.form["list"] ?? ""), pages).kept
            try await pages.services.write { [actor = call.context.actor] in
                try $0.searches.save(call.form.text("name") ?? "", query: query, by: actor, group: group)
            }
            return pages.seeOther("/app/transactions?" + query, done: "search", undo: group)
        }
        pages.post("/app/searches/{id}/delete", on: router) { call in
            let id = try call.number(of: "entry")
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.searches.delete(id, by: actor, group: group)
            }
            return pages.seeOther("/app/searches", done: "deleted", undo: group)
        }
    }
}

struct SearchWordsView: Sendable {
    var words: [String]
}

struct SearchesView: Sendable {
    struct Line: Sendable {
        var id: Int64
        var name: String
        var path: String
        var isCurrent: Bool
    }

    var searches: [Line]

    /// - Parameter current: the query of the list that is shown.
    init(_ searches: [SavedSearch], current: String? = nil) {
        self.searches = searches.map {
            Line(id: $0.id, name: $0.name, path: "/app/transactions?\($0.query)", isCurrent: $0.query == current)
        }
    }
}
