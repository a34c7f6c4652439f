import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Lists of payments on the page and in the API.
@Suite struct PaymentListPageTests {
    /// The first payment is booked by a mail, see ``StatementPageTests/site()``.
    static let paytm = """
        Date,Time,Transaction Details,Your Account,Amount,UPI Ref No.
        05/01/2026,22:32:45,Paid to Cafe Moon,HDFC Bank - 12,-1.00,
        06/01/2026,09:01:02,Received from =Asha,HDFC Bank - 12,"+5,000.00",612345678902
        06/01/2026,09:01:03,Transfer to own account,HDFC Bank - 12,100.00,612345678903
        07/01/2026,10:00:00,Paid to <Fern>,HDFC Bank - 12,-250.00,612345678904

        """

    private static func post(
        _ site: PageSite, _ uri: String, _ body: String, type: String = "text/csv"
    ) async throws -> TestResponse {
        try await site.ask {
            try await $0.execute(
                uri: uri, method: .post, headers: [.contentType: type], body: ByteBuffer(string: body))
        }
    }

    private static func get(_ site: PageSite, _ uri: String) async throws -> TestResponse {
        try await site.ask { try await $0.execute(uri: uri, method: .get, headers: [:], body: nil) }
    }

    @Test func theAPIPreviewsConfirmsAndRemembers() async throws {
        let (site, account) = try StatementPageTests.site()
        let booked = try #require(try site.store.transactions.find(1))
        let text = Self.paytm.replacingOccurrences(of: "-1.00", with: "-" + booked.amount.decimal)
        let preview = try await Self.post(site, "/tools/import/paytm?account_id=\(account)&name=may.csv", text)
        #expect(preview.status == .ok && preview.words.contains("\"is_new\":true"), "\(preview.words)")
        for words in [
            "\"state\":\"duplicate\",\"transaction_id\":1", "\"reason\":\"no_direction\"",
            "\"amount\":\"-250.00\",\"text\":\"<Fern>\",\"reference\":\"612345678904\"",
        ] { #expect(preview.words.contains(words), "\(words): \(preview.words)") }
        let id = try #require(try site.store.statements.all().first).id
        let confirm = "/tools/import/paytm/confirm"
        let done = try await Self.post(site, confirm, "{\"id\":\(id)}", type: "application/json")
        #expect(done.status == .ok && done.words.contains("\"booked\":[2,3]"), "\(done.words)")
        #expect(try site.store.transactions.find(2)?.recorder == "Import")
        let again = try await Self.post(site, confirm, "{\"id\":\(id),\"rows\":[2,3]}", type: "application/json")
        #expect(again.words.contains("\"booked\":[]"))
        let same = try await Self.post(site, "/tools/import/paytm?account_id=\(account)", text)
        #expect(same.words.contains("\"is_new\":false"))
        let download = try await Self.get(site, "/tools/import/paytm/download?id=\(id)")
        #expect(download.headers[.contentType] == "text/csv; charset=utf-8")
        #expect(
            download.words.contains("3,2026-01-06,5000.00,INR,'=Asha,612345678902,\(account),booked,2\r\n"),
            "\(download.words)")
        let history = try await Self.get(site, "/tools/import/history")
        #expect(history.words.contains("\"source\":\"paytm\"") && history.words.contains("\"file_hash\":\""))
        #expect(history.words.contains("\"booked\":2,\"open\":0,\"omitted\":1"), "\(history.words)")
    }

    @Test func refusals() async throws {
        let (site, account) = try StatementPageTests.site()
        _ = try await Self.post(site, "/tools/import/paytm?account_id=\(account)", Self.paytm)
        let cases: [(String, String, String, Int)] = [
            ("/tools/import/paytm", Self.paytm, "text/csv", 422),
            ("/tools/import/paytm?account_id=99", Self.paytm, "text/csv", 404),
            ("/tools/import/nothing?account_id=\(account)", Self.paytm, "text/csv", 404),
            ("/tools/import/paytm?account_id=\(account)", "", "text/csv", 400),
            ("/tools/import/paytm?account_id=\(account)", "a,b\n1,2", "text/csv", 422),
            ("/tools/import/paytm?account_id=\(account)", "--X", "multipart/form-data; boundary=X", 400),
            ("/tools/import/paytm/confirm", "{}", "application/json", 422),
            ("/tools/import/paytm/confirm", "{\"id\":77}", "application/json", 404),
            ("/tools/import/phonepe/confirm", "{\"id\":1}", "application/json", 404),
            ("/tools/import/paytm/confirm", "{\"id\":1,\"rows\":[\"2\"]}", "application/json", 422),
            ("/tools/import/paytm/confirm", "{\"id\":1,\"rows\":2}", "application/json", 422),
        ]
        for (uri, body, type, status) in cases {
            let answer = try await Self.post(site, uri, body, type: type)
            #expect(Int(answer.status.code) == status, "\(uri) \(body): \(answer.words)")
        }
        for (uri, status) in [
            ("/tools/import/paytm/download", 422), ("/tools/import/paytm/download?id=77", 404),
            ("/tools/import/phonepe/download?id=1", 404),
        ] { #expect(Int(try await Self.get(site, uri).status.code) == status, "\(uri)") }
        #expect(try site.store.transactions.page(TransactionQuery(limit: 10)).rows.count == 1)
    }

    @Test func ownColumnsAreRemembered() async throws {
        let (site, account) = try StatementPageTests.site()
        func put(_ name: String, _ json: String) async throws -> Int {
            Int(
                try await site.ask {
                    try await $0.execute(
                        uri: "/tools/import/mappings/\(name)", method: .put,
                        headers: [.contentType: "application/json"], body: ByteBuffer(string: json))
                }.status.code)
        }
        let columns = #"{"date":["When"],"text":["Station"],"amount":["Fare"],"unsigned":"outgoing"}"#
        #expect(try await put("metro", columns) == 200)
        for (name, json) in [
            ("history", columns), ("Metro", columns), ("metro", "{}"),
            ("metro", #"{"date":["When"],"text":["Station"],"amount":["Fare"],"unsigned":"maybe"}"#),
            ("metro", #"{"date":"When","text":["Station"],"amount":["Fare"]}"#),
        ] { #expect(try await put(name, json) == 422, "\(name) \(json)") }
        let text = "When,Station,Fare\n05/02/2026,Lake View,40\n"
        let preview = try await Self.post(site, "/tools/import/metro?account_id=\(account)", text)
        #expect(preview.words.contains("\"amount\":\"-40.00\",\"text\":\"Lake View\""), "\(preview.words)")
        let list = try await Self.get(site, "/tools/import/mappings")
        #expect(list.words.contains("\"name\":\"paytm\"") && list.words.contains("\"name\":\"metro\""))
        for status in [204, 404] {
            let answer = try await site.ask {
                try await $0.execute(uri: "/tools/import/mappings/metro", method: .delete, headers: [:], body: nil)
            }
            #expect(Int(answer.status.code) == status)
        }
    }

    @Test func thePageReadsBooksAndForgets() async throws {
        let (site, account) = try StatementPageTests.site()
        let body =
            [
                "Content-Disposition: form-data; name=\"list\"\r\n\r\npaytm",
                "Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n" + Self.paytm,
            ].map { "--XX\r\n\($0)\r\n" }.joined() + "--XX--\r\n"
        func upload(_ body: String) async throws -> TestResponse {
            try await site.ask {
                try await $0.execute(
                    uri: "/app/accounts/\(account)/statements", method: .post,
                    headers: [.accept: "text/html", .contentType: "multipart/form-data; boundary=XX"],
                    body: ByteBuffer(string: body))
            }
        }
        #expect(try await upload(body).status == .seeOther)
        #expect(try await upload(body.replacingOccurrences(of: "\npaytm", with: "\nnothing")).status == .notFound)
        let id = try #require(try site.store.statements.all().first).id
        let page = try await site.ask { try await $0.page("/app/statements/\(id)") }
        for words in ["Payments (paytm)", "Not booked yet: 3 lines", "&lt;Fern&gt;", "Rows that are left out", "Row 4"]
        {
            #expect(page.words.contains(words), "\(words)")
        }
        let booked = try await site.ask { try await $0.submit("/app/statements/\(id)/book", []) }
        #expect(booked.status == .seeOther && booked.undo != nil)
        #expect(try site.store.statements.all().first?.open == 0)
        let gone = try await site.ask { try await $0.submit("/app/statements/\(id)/undo", []) }
        #expect(gone.status == .seeOther)
        #expect(try site.store.transactions.page(TransactionQuery(limit: 10)).rows.count == 1)
    }

    @Test func columnsAreNamedOnThePage() async throws {
        let (site, account) = try StatementPageTests.site()
        let fields = [("name", "metro"), ("date", "When"), ("text", "Station"), ("amount", "Fare"), ("debit", "")]
        #expect(try await site.ask { try await $0.submit("/app/columns", fields) }.status == .seeOther)
        let wrong = try await site.ask { try await $0.submit("/app/columns", [("name", "metro"), ("date", "When")]) }
        #expect(wrong.status == .unprocessableContent)
        let page = try await site.ask { try await $0.page("/app/columns") }
        #expect(page.words.contains("metro") && page.words.contains("date: When") && page.words.contains("paytm"))
        #expect(!page.words.contains("/app/columns/paytm/delete"))
        let form = try await site.ask { try await $0.page("/app/accounts/\(account)/statements") }
        #expect(form.words.contains("<option value=\"metro\">"))
        #expect(try await site.ask { try await $0.submit("/app/columns/metro/delete", []) }.status == .seeOther)
        #expect(try await site.ask { try await $0.submit("/app/columns/metro/delete", []) }.status == .notFound)
    }
}
