import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Testing

@testable import Web

/// Refusals, limits and values that a person meets on the page.
@Suite struct RefusalPageTests {
    @Test func peopleGetPagesAndProgramsGetJSON() async throws {
        let site = try PageSite()
        let page = try await site.ask { try await $0.page("/app/nothing-here") }
        #expect(page.status == .notFound && page.headers[.contentType]?.hasPrefix("text/html") == true)
        #expect(!page.words.contains("{\""))
        let json = try await site.ask {
            try await $0.execute(uri: "/app/nothing-here", method: .get, headers: [.accept: "application/json"])
        }
        #expect(json.status == .notFound && json.words.hasPrefix("{"))
    }

    @Test(arguments: [
        ("/transactions", "/app/transactions"), ("/review", "/app/review"), ("/accounts", "/app/accounts"),
        ("/accounts/", "/app/accounts"), ("/user-accounts/7", "/app/accounts/7"), ("/dues", "/app/dues"),
        ("/recurring", "/app/dues"), ("/statements", "/app/accounts"), ("/changes", "/app/history"),
        ("/transactions?category=x", "/app/transactions?category=x"),
    ]) func addressesOfTheAPILeadPeopleToThePages(path: String, page: String) async throws {
        let answer = try await PageSite().ask { try await $0.page(path) }
        #expect((300..<400).contains(answer.status.code) && answer.headers[.location] == page)
    }

    /// Each resource that people have a page for, so that a new one is not forgotten. The page exists.
    @Test func everyCollectionOfTheAPIHasItsPage() async throws {
        let site = try PageSite()
        let paths = Set(APIRoutes.endpoints.filter { $0.method == .get }.map(\.path))
        #expect(Set(PageAddresses.pages.keys).subtracting(paths) == [])
        for page in Set(PageAddresses.pages.values) where !page.contains("{") {
            #expect(try await site.ask { try await $0.page(page) }.status == .ok, "\(page)")
        }
        let collections = paths.filter { $0.split(separator: "/").count == 1 && !$0.contains(".") }
        #expect(collections.subtracting(PageAddresses.pages.keys) == ["/exchange-rates", "/imports"])
    }

    @Test(
        arguments: [
            ("amount", "0"), ("amount", "0.00"), ("currency", "XYZ"), ("date", "2126-01-05"),
            ("merchant", "\u{200B}\u{200B}"),
        ])
    func valuesThatNoBankReportsAreRefused(field: String, value: String) async throws {
        let site = try PageSite()
        let fields = PageFormTests.fields.map { $0.0 == field ? (field, value) : $0 }
        let answer = try await site.ask { try await $0.submit("/app/transactions/new", fields) }
        #expect(answer.status == .unprocessableContent, "\(answer.status)")
    }

    /// The API has names of its own for them.
    @Test(
        arguments: [
            ("/app/transactions/new", "amount", "0", "en", "Amount: must be more than zero."),
            ("/app/transactions/new", "amount", "0", "hi", "राशि: यह शून्य से अधिक हो"),
            ("/app/transactions/new", "merchant", "\u{200B}", "en", "Merchant: must not be empty."),
            ("/app/categories", "name", "\u{200B}", "en", "Name: must not be empty."),
            ("/app/categories", "name", "\u{200B}", "hi", "नाम: यह खाली न हो"),
        ])
    func problemsHaveTheLabelsOfThePage(
        path: String, field: String, value: String, language: String, words: String
    ) async throws {
        let site = try PageSite()
        let fields = PageFormTests.fields.filter { $0.0 != field } + [(field, value)]
        let answer = try await site.ask {
            try await $0.execute(
                uri: path, method: .post,
                headers: [
                    .accept: "text/html", .acceptLanguage: language,
                    .contentType: "application/x-www-form-urlencoded",
                ], body: ByteBuffer(string: FormFields.encoded(fields)))
        }
        #expect(answer.status == .unprocessableContent && answer.words.contains(words), "\(answer.words)")
        #expect(!answer.words.contains("parsed_") && !answer.words.contains("name: "))
    }

    /// A form that was sent without a login is carried through it: the login page has its fields.
    @Test func formSentAfterTheLoginEndedIsKept() async throws {
        let site = try Site()
        try site.setPassphrase()
        let body = FormFields.encoded([("notes", "typed for minutes"), ("csrf", "old")])
        func send(_ more: HTTPFields) async throws -> TestResponse {
            var headers: HTTPFields = [.accept: "text/html"]
            headers.append(contentsOf: more)
            return try await site.application.test(.router) { [headers] client in
                try await client.ask(.post, "/app/transactions/new", headers, form: body)
            }
        }
        let kept = try await send([.fetchSite: "same-origin"])
        #expect(kept.status == .unauthorized && kept.words.contains("minutes"))
        #expect(kept.words.contains("/app/transactions/new"))
        #expect(kept.words.contains(#"action="/login?kept=1""#))
        // Only a login page with a form sends that much.
        let large = FormFields.encoded([("to", "/app/transactions/new"), ("kept", String(repeating: "a", count: 9000))])
        for (path, status) in [("/login", HTTPResponse.Status.contentTooLarge), ("/login?kept=1", .unauthorized)] {
            let answer = try await site.application.test(.router) { try await $0.ask(.post, path, form: large) }
            #expect(answer.status == status, "\(path)")
        }
        // Nothing of another site's form is carried on.
        for foreign in [[.fetchSite: "cross-site"], [:]] as [HTTPFields] {
            #expect(try await !send(foreign).words.contains("minutes"))
        }
    }
}
