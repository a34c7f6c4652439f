import HTTPTypes
import HummingbirdTesting
import Ledger
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

    @Test(arguments: ["/transactions", "/review"]) func addressesOfTheAPILeadPeopleToThePages(path: String) async throws
    {
        let site = try PageSite()
        let page = try await site.ask { try await $0.page(path) }
        #expect((300..<400).contains(page.status.code) && page.headers[.location] == "/app" + path)
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
