import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Filters of the list that are invalid, that name nothing, and that the form keeps.
@Suite struct FilterPageTests {
    private static func site() throws -> PageSite {
        let site = try PageSite()
        try site.record(1, merchant: "BIG BAZAAR")
        try site.record(2, merchant: "LAKE BAKERY")
        let food = try site.store.categories.add(name: "Food & Dining")
        _ = try site.store.categories.addSubcategory(of: food.id, name: "Tea Stalls")
        return site
    }

    static let invalid = [
        ("type=foo", "Type: must be one of: expense, income, transfer."), ("status=foo", "Status: must be one of:"),
        ("channel=zzz", "Channel: must be one of: upi, card"), ("payee=abc", "Payee: must be a whole number from 1."),
        ("user_account=zz", "Account: must be a whole number"), ("sort=zzz", "Order: must be one of: date"),
        ("dir=up", "Order: must be one of: asc, desc"), ("currency=XYZ", "&#39;XYZ&#39; is not a currency"),
    ]

    @Test(arguments: invalid) func anInvalidFilterIsReported(query: String, words: String) async throws {
        let page = try await Self.site().ask { try await $0.page("/app/transactions?" + query) }.words
        #expect(page.contains(words) && page.contains("role=\"alert\""), "\(page)")
        #expect(!page.contains("Change all of them"))
    }

    static let unknown = [
        ("bank=nope", "There is no bank &#39;nope&#39;."), ("category=nope", "No category is named &#39;nope&#39;."),
        ("subcategory=nope", "No subcategory is named &#39;nope&#39;."),
        ("tag=nope", "No transaction has the tag &#39;nope&#39;."), ("payee=999", "There is no payee &#39;999&#39;."),
        ("user_account=999", "There is no account &#39;999&#39;."), ("q=category:nope", "No category is named"),
        ("q=account:nope", "There is no account"), ("q=tag:nope", "No transaction has the tag"),
        ("q=bank:nope", "There is no bank"), ("q=payee:nope", "There is no payee"),
        ("q=-tag:nope", "No transaction has the tag"),
    ]

    @Test(arguments: unknown) func aNameThatNothingHasIsReported(query: String, words: String) async throws {
        let page = try await Self.site().ask { try await $0.page("/app/transactions?" + query) }.words
        #expect(page.contains(words) && !page.contains("role=\"alert\""), "\(page)")
        #expect(!page.contains("Change all of them"))
    }

    /// Whatever is wrong with a list, a change of all its rows could reach other rows than the person means.
    @Test(arguments: (invalid + unknown).map(\.0)) func aChangeOfAllRefusesSuchAList(query: String) async throws {
        let site = try Self.site()
        let list = FormFields.encoded([("list", query)])
        let shown = try await site.ask { try await $0.page("/app/transactions/bulk?" + list) }
        #expect(shown.status == .unprocessableContent && shown.words.contains("A filter is not valid"))
        let done = try await site.ask {
            try await $0.submit("/app/transactions/bulk", [("list", query), ("do", "delete")])
        }
        #expect(done.status == .unprocessableContent)
        #expect(try site.store.transactions.page(TransactionQuery()).total == 2)
    }

    @Test(arguments: [
        "bank=example", "category=food%20%26%20dining", "subcategory=tea%20stalls", "q=category:food%26din",
        "q=account:4321",
        "q=bank:example", "q=-category:tea", "category=Uncategorized", "status=", "type=", "currency=inr",
    ]) func aKnownNameIsNotReported(query: String) async throws {
        let page = try await Self.site().ask { try await $0.page("/app/transactions?" + query) }.words
        #expect(!page.contains("role=\"alert\"") && !page.contains("There is no") && !page.contains("No category"))
    }

    @Test(arguments: [
        ("/?currency=XYZ", "is not a currency"), ("/app/statistics?currency=XYZ", "is not a currency"),
        ("/app/statistics?category=nope", "No category is named"),
        ("/app/history?kind=zzz", "Kinds of change: must be"),
    ]) func otherPagesReportToo(path: String, words: String) async throws {
        let page = try await Self.site().ask { try await $0.page(path) }.words
        #expect(page.contains(words) && page.contains("role=\"alert\""), "\(page)")
    }

    /// The next search must not be wider than the one before.
    @Test func theFormHasEveryFilter() async throws {
        let site = try Self.site()
        let payee = try site.store.payees.add(NewPayee(name: "Corner Shop"), by: .terminal).row.id
        let query =
            "category=Food%20%26%20Dining&subcategory=Tea%20Stalls&channel=upi&type=expense&status=confirmed&bank=example"
            + "&tag=nope&payee=\(payee)&account=4321&from=1&to=9&currency=INR&period=2026-10&sort=amount&dir=asc"
        let page = try await site.ask { try await $0.page("/app/transactions?" + query) }.words
        let form = try #require(page.firstMatch(of: #/<form class="filter.*?<\/form>/#.dotMatchesNewlines())).output
        for (name, value) in FormFields(query: query).fields {
            let escaped = MarkupEscaping().escapeText(value)
            let input = form.contains("name=\"\(name)\" value=\"\(escaped)\"")
            let select = form.contains("<select name=\"\(name)\">")
            let chosen =
                form.contains("<option value=\"\(escaped)\" selected>") || form.contains("<option selected>\(escaped)")
            #expect(input || select && chosen, "\(name)=\(value)")
        }
    }

    /// Sentences about a search and about typed values are in the language of the page.
    @Test(arguments: [
        ("q=%3Emany", "'>' के ठीक बाद राशि चाहिए; ऐसे लिखें"), ("q=is:rich", "केवल ये शब्द हो सकते हैं: income"),
        ("q=since:x", "'since:' के बाद दिन चाहिए"), ("q=700..500", "पहली राशि दूसरी से बड़ी"),
        ("q=foo:x", "खोज 'foo:' को नहीं जानती, केवल tag:"), ("from=x", "राशि कम से कम: ऐसे लिखें: 1234.56"),
    ]) func aProblemIsInHindiOnTheHindiPage(query: String, words: String) async throws {
        let site = try Self.site()
        let page = try await site.ask {
            try await $0.execute(
                uri: "/app/transactions?" + query, method: .get, headers: [.accept: "text/html", .acceptLanguage: "hi"])
        }.words
        #expect(page.replacing("&#39;", with: "'").replacing("&gt;", with: ">").contains(words), "\(page)")
        for english in ["write it as", "needs a", "knows only", "first amount"] { #expect(!page.contains(english)) }
    }

    /// The address of the list is in no row; the browser names it.
    @Test func aTransactionLeadsBackToItsList() async throws {
        let site = try Self.site()
        func crumb(_ referer: String) async throws -> Bool {
            try await site.ask {
                try await $0.execute(
                    uri: "/app/transactions/1", method: .get, headers: [.accept: "text/html", .referer: referer])
            }.words.contains("<a href=\"/app/transactions?q=big\">Back to the list")
        }
        #expect(try await crumb("http://localhost/app/transactions?q=big&done=saved"))
        #expect(try await !crumb("http://elsewhere.example/app/transactions?q=big"))
        #expect(try await !crumb("http://localhost/app/transactions/2?q=big"))
    }
}
