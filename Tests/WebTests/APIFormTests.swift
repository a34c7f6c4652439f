import Access
import Codecs
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import NIOCore
import Processes
import Store
import Testing

@testable import Web

/// Methods, content codings, and the storage of answers.
@Suite struct APIFormTests {
    private func json(_ response: TestResponse) -> JSON {
        (try? JSON(parsing: Array(response.body.readableBytesView))) ?? .null
    }

    @Test func methods() async throws {
        let site = try Site(.open)
        let query = try #require(HTTPRequest.Method("QUERY"))
        try await site.application.test(.router) { client in
            for path in [
                "/", "/health", "/metrics", "/transactions/", "/stats/summary", "/openapi.json",
                "/transactions/export/csv",
            ] {
                let head = try await client.ask(.head, path)
                #expect(head.status == .ok && head.body.readableBytes == 0, "\(path)")
                #expect(try await client.ask(.options, path).headers[.allow]?.contains("GET, HEAD") ?? false, "\(path)")
                let other = try await client.ask(query, path)
                #expect(other.status == .methodNotAllowed && other.headers[.allow] != nil, "\(path)")
            }
            let bulk = try await client.ask(.options, "/transactions/bulk")
            #expect(bulk.status == .noContent && bulk.headers[.allow] == "POST, OPTIONS")
        }
    }

    static let accepts: [(String, HTTPResponse.Status)] = [
        ("application/json", .ok), ("*/*", .ok), ("text/html, application/*;q=0.1", .ok), ("text/html", .notAcceptable),
        ("application/json;q=0, text/plain", .notAcceptable),
        ("text/html, */*;q=0.8", .ok),
    ]

    @Test(arguments: accepts) func contentNegotiation(accept: String, status: HTTPResponse.Status) async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/stats/summary", [.accept: accept])
            #expect(answer.status == status)
        }
    }

    @Test(arguments: ["/transactions/", "/transactions/export/csv"]) func packedBytesRoundTrip(
        path: String
    ) async throws {
        let site = try Site(.open)
        let rows = (1...600).map {
            #"{"parsed_amount":"\#($0)","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"shop \#($0)"}"#
        }
        try await site.application.test(.router) { client in
            _ = try await client.ask(.post, "/transactions/bulk", json: "[\(rows.joined(separator: ","))]")
            let plain = try await client.ask(.get, path)
            let packed = try await client.ask(.get, path, [.acceptEncoding: "br, gzip;q=0.5"])
            #expect(plain.headers[.contentEncoding] == nil && packed.headers[.contentEncoding] == "gzip")
            #expect(plain.headers[.vary] == "Accept-Encoding" && packed.headers[.vary] == "Accept-Encoding")
            #expect(packed.body.readableBytes * 5 < plain.body.readableBytes)
            #expect(try unzipped(Array(packed.body.readableBytesView)) == Array(plain.body.readableBytesView))
            for none in ["gzip;q=0", "br", "identity"] {
                #expect(try await client.ask(.get, path, [.acceptEncoding: none]).headers[.contentEncoding] == nil)
            }
            guard let tag = packed.headers[.eTag] else { return }
            #expect(tag != plain.headers[.eTag] && tag.hasSuffix("-gzip\""))
            #expect(
                try await client.ask(.get, path, [.ifNoneMatch: tag, .acceptEncoding: "gzip"]).status == .notModified)
        }
    }

    /// An invalid ETag matches nothing: a client changes nothing that it has not read.
    @Test func noETag() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            _ = try await client.ask(.post, "/transactions/", json: APITests.coffee)
            for tag in ["", "x", "\"a", "\"a\",", "\"a\" \"b\"", "W/*"] {
                let (put, delete) = (
                    try await client.ask(.put, "/transactions/1", [.ifMatch: tag], json: "{}"),
                    try await client.ask(.delete, "/transactions/1", [.ifMatch: tag])
                )
                #expect(put.status == .preconditionFailed && delete.status == .preconditionFailed, "\(tag)")
                #expect(try await client.ask(.get, "/transactions/1", [.ifNoneMatch: tag]).status == .ok, "\(tag)")
            }
            // Syntax errors take precedence over failed preconditions.
            let wrong = try await client.ask(.put, "/transactions/1", [.ifMatch: "x"], json: #"{"revision":0}"#)
            #expect(
                wrong.status == .unprocessableContent && wrong.text.contains(#""field":"revision""#), "\(wrong.text)")
        }
    }

    /// A POST of each repeatable route, and the table that it writes.
    static let repeatable: [(String, String?, String)] = [
        ("/transactions/", APITests.coffee, "transactions"),
        ("/transactions/bulk", "[\(APITests.coffee)]", "transactions"),
        ("/categories/", #"{"name":"Tea"}"#, "categories"),
        ("/categories/1/subcategories", #"{"name":"Green"}"#, "subcategories"),
        ("/categories/mappings/", #"{"vendor_keyword":"x","category_id":1}"#, "vendor_mappings"),
        ("/categories/mappings/sync", #"[{"vendor_keyword":"x","category_id":1}]"#, "vendor_mappings"),
        ("/categories/mappings/apply", #"{"vendor_keyword":"x","category_id":1}"#, "vendor_mappings"),
        ("/accounts/", #"{"name":"a"}"#, "accounts"),
        (
            "/accounts/sync",
            #"[{"id":"0190c0de-0000-7000-8000-000000000001","name":"a","updated_at":"2026-01-05T06:43:14Z"}]"#,
            "accounts"
        ),
        ("/devices/", #"{"device_token":"a"}"#, "devices"), ("/review/1/accept", nil, "changes"),
        ("/review/1/reject", nil, "changes"), ("/review/1/edit", #"{"notes":"n"}"#, "changes"),
        ("/changes/1/undo", nil, "changes"), ("/transfers/", #"{"debit_id":2,"credit_id":3}"#, "transfers"),
        ("/user-accounts/", #"{"name":"Purse"}"#, "user_accounts"),
        ("/recurring/", #"{"name":"Rent","amount":"5000","rule":"FREQ=MONTHLY;BYMONTHDAY=1"}"#, "recurring_items"),
        ("/budgets/", #"{"category_name":"Uncategorized","amount":"5000"}"#, "budgets"),
        ("/payees/", #"{"name":"Corner shop"}"#, "payees"),
        (
            "/exchange-rates/", #"{"day":"2026-01-05","base":"USD","quote":"INR","rate":"83.5"}"#, "exchange_rates"
        ),
        (
            "/exchange-rates/import",
            #"{"source":"ecb","csv":"Date,USD\n2026-01-05,1.05\n"}"#, "exchange_rates"
        ),
    ]

    /// If the answer cannot be stored, nothing is changed: both are one commit.
    @Test(arguments: repeatable) func answerIsCommittedWithTheChange(
        path: String, body: String?, table: String
    ) async throws {
        let site = try Site(.open)
        let rows = [
            APITests.coffee.replacing("}", with: #","status":"needs_review"}"#), APITests.coffee,
            APITests.coffee.replacing("expense", with: "income"),
        ]
        try await site.application.test(.router) { client in
            _ = try await client.ask(.post, "/transactions/bulk", json: "[\(rows.joined(separator: ","))]")
            let database = try DatabaseQueue(path: site.store.path)
            func count() throws -> Int {
                try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            }
            let before = try count()
            try await database.write {
                try $0.execute(
                    sql:
                        "CREATE TRIGGER broken BEFORE INSERT ON api_answers BEGIN SELECT raise(ABORT, 'power cut'); END"
                )
            }
            let failed = try await client.ask(.post, path, [.idempotencyKey: "k"], json: body)
            #expect(failed.status.code >= 500, "\(failed.status) \(failed.text)")
            #expect(try count() == before)
            try await database.write { try $0.execute(sql: "DROP TRIGGER broken") }
            let first = try await client.ask(.post, path, [.idempotencyKey: "k"], json: body)
            #expect(
                (200...201).contains(first.status.code) && first.headers[.idempotencyReplayed] == nil, "\(first.text)")
            let after = try count()
            #expect(after > before)
            let again = try await client.ask(.post, path, [.idempotencyKey: "k"], json: body)
            #expect(
                again.status == first.status && again.text == first.text
                    && again.headers[.idempotencyReplayed] == "true")
            #expect(try count() == after)
        }
    }

    @Test func everyRepeatableRouteIsTried() {
        let known = Set(
            Self.repeatable.map { $0.0.replacing("/1/", with: "/{id}/") }.map {
                $0.hasSuffix("/") ? String($0.dropLast()) : $0
            })
        let others: Set = [
            "/review/{id}/undo", "/changes/groups/{id}/undo", "/transfers/{id}/confirm", "/transfers/{id}/refuse",
            "/links", "/links/{id}/confirm", "/links/{id}/reject",
            "/transactions/{id}/offer/refuse", "/user-accounts/{id}", "/user-accounts/{id}/merge",
            "/payees/{id}/aliases", "/payees/{id}/merge", "/payees/{id}/settle",
            "/transactions/{id}/payee-offer/accept", "/transactions/{id}/payee-offer/refuse",
            "/user-accounts/{id}/split", "/user-accounts/{id}/withdrawals",
        ]
        for endpoint in APIRoutes.endpoints where endpoint.isRepeatable {
            #expect(known.contains(endpoint.path) || others.contains(endpoint.path), "\(endpoint.path)")
        }
    }

    @Test func transfersAndOffers() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            _ = try await client.ask(.post, "/transactions/", json: APITests.coffee)
            _ = try await client.ask(
                .post, "/transactions/",
                json: APITests.coffee.replacing("expense", with: "income").replacing(
                    #","category_name":"Food""#, with: ""))
            let made = try await client.ask(.post, "/transfers/", json: #"{"debit_id":1,"credit_id":2}"#)
            #expect(made.status == .created && made.headers[.location] == "/transfers/1", "\(made.text)")
            let rows = json(try await client.ask(.get, "/transactions/?sort=id&order=asc"))
            guard case .array(let list) = rows, list.count == 2 else { return #expect(Bool(false)) }
            #expect(list.map { $0["transfer"]?.text } == [#"{"id":1,"other_id":2}"#, #"{"id":1,"other_id":1}"#])
            #expect(list.map { $0["transaction_type"]?.text } == [#""transfer""#, #""transfer""#])
            #expect(
                try await client.ask(.post, "/transfers/", json: #"{"debit_id":1,"credit_id":2}"#).status == .conflict)
            // If one side is deleted, the other is no transfer; after an undo both are sides again.
            #expect(try await client.ask(.delete, "/transactions/1").status == .noContent)
            let other = json(try await client.ask(.get, "/transactions/2"))
            #expect(other["transaction_type"]?.text == #""income""# && other["transfer"]?.text == "null")
            #expect(json(try await client.ask(.get, "/transfers/1"))["state"]?.text == #""refused""#)
            guard case .array(let changes) = json(try await client.ask(.get, "/changes/?transaction_id=1")),
                case .integer(let last)? = changes.first?["id"]
            else { return #expect(Bool(false)) }
            #expect(try await client.ask(.post, "/changes/\(last)/undo").status == .ok)
            for id in 1...2 {
                #expect(
                    json(try await client.ask(.get, "/transactions/\(id)"))["transfer"]?.text
                        == #"{"id":1,"other_id":\#(3 - id)}"#)
            }
            #expect(json(try await client.ask(.post, "/transfers/1/refuse"))["state"]?.text == #""refused""#)
            #expect(try await client.ask(.get, "/transfers/").text == "[]")
            #expect(json(try await client.ask(.post, "/transfers/1/confirm"))["state"]?.text == #""linked""#)
            // A keyword: offered, previewed, created, undone.
            _ = try await client.ask(.post, "/transfers/1/refuse")
            _ = try await client.ask(.post, "/categories/", json: #"{"name":"Food"}"#)
            let offer = json(try await client.ask(.get, "/transactions/1/offer"))
            #expect(offer["vendor_keyword"]?.text == #""cafe""# && offer["count"]?.text == "1", "\(offer.text)")
            let mapping =
                #"{"vendor_keyword":"cafe","category_name":"Food","conditions":{"amount_from":"100","channel":null}}"#
            let preview = json(try await client.ask(.post, "/categories/mappings/preview", json: mapping))
            #expect(
                preview["count"]?.text == "1" && preview["staying_count"]?.text == "0"
                    && preview["same_count"]?.text == "1", "\(preview.text)")
            let applied = json(
                try await client.ask(
                    .post, "/categories/mappings/apply",
                    json: mapping.replacing("\"conditions", with: "\"past\":true,\"conditions")))
            #expect(
                applied["changed"]?.text == "1"
                    && applied["mapping"]?["conditions"]?["amount_from"]?.text == #""100.00""#, "\(applied.text)")
            #expect(json(try await client.ask(.get, "/transactions/2"))["category_by"]?.text == #""mapping""#)
            guard case .string(let group)? = applied["group_id"] else { return #expect(Bool(false)) }
            #expect(try await client.ask(.post, "/changes/groups/\(group)/undo").status == .ok)
            #expect(json(try await client.ask(.get, "/transactions/2"))["category_by"]?.text == "null")
            #expect(try await client.ask(.post, "/transactions/1/offer/refuse").status == .noContent)
            #expect(try await client.ask(.get, "/transactions/1/offer").status == .noContent)
        }
    }
}

/// Uncompressed by the system's own program.
fileprivate func unzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    try ChildProcess("/bin/gzip", arguments: ["gzip", "-dc"], seconds: 60, outputBytes: 64 << 20).run(input: bytes)
        .output
}
