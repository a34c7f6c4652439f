import Access
import Chronology
import Codecs
import Exports
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Requests and their responses.
@Suite struct APITests {
    static let coffee =
        #"{"parsed_amount":"250.50","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"Café","category_name":"Food"}"#

    /// Null for another body.
    func json(_ response: TestResponse) -> JSON {
        (try? JSON(parsing: Array(response.body.readableBytesView))) ?? .null
    }

    func fields(_ response: TestResponse) -> [String] {
        guard case .array(let errors)? = json(response)["errors"] else { return [] }
        return errors.compactMap { if case .string(let field)? = $0["field"] { field } else { nil } }
    }

    @Test func allFaultsOfAQueryAreReportedTogether() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/transactions/?days=x&sort=foo&bogus=1")
            #expect(answer.status == .unprocessableContent && Set(fields(answer)) == ["days", "sort", "bogus"])
            #expect(fields(try await client.ask(.get, "/accounts/?bogus=1")) == ["bogus"])
            // Programs disagree on which of two values counts.
            #expect(fields(try await client.ask(.get, "/transactions/?days=1&days=2")) == ["days"])
        }
    }

    /// Signs of SQL, of its patterns and of its full-text search in a search are words, which this row does not have.
    @Test(arguments: [
        "'; DROP TABLE transactions; --", "' OR '1'='1", "x%' OR 1=1 --", "%", "_", "\\", "NEAR(a b)", "a* OR b*",
        "\"x' OR 1=1",
        "category:' OR 1=1 --", "tag:%", "payee:_", "account:%",
    ])
    func aHostileSearchFindsNothing(search: String) async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.post, "/transactions/", json: Self.coffee).status == .created)
            let path = "/transactions/?q=" + escapedForQuery(search)
            let found = try await client.ask(.get, path)
            #expect(found.status == .ok && found.headers[.totalCount] == "0", "\(found.status) \(found.text)")
            #expect(try await client.ask(.get, "/transactions/").headers[.totalCount] == "1")
        }
    }

    @Test func transactionLifecycle() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let made = try await client.ask(.post, "/transactions/", json: Self.coffee)
            #expect(made.status == .created && made.headers[.location] == "/transactions/1")
            #expect(json(made)["parsed_amount"]?.text == "\"250.50\"" && json(made)["recorder"]?.text == "\"Manual\"")
            for path in [
                "/transactions", "/transactions/", "/transactions/?days=36500", "/transactions?sort=amount&order=asc",
            ] {
                let list = try await client.ask(.get, path)
                #expect(list.status == .ok && list.headers[.totalCount] == "1", "\(path)")
            }
            let one = try await client.ask(.get, "/transactions/1")
            let tag = try #require(one.headers[.eTag])
            #expect(try await client.ask(.get, "/transactions/1", [.ifNoneMatch: tag]).status == .notModified)
            let head = try await client.ask(.head, "/transactions/1")
            #expect(head.status == .ok && head.body.readableBytes == 0)
            // Null clears, an absent member keeps its value, and members sent back unchanged are ignored.
            let edit = try await client.ask(
                .put, "/transactions/1", [.ifMatch: tag],
                json: #"{"parsed_vendor":null,"notes":"n","id":1,"created_at":"x","revision":1}"#)
            #expect(edit.status == .ok, "\(edit.text)")
            #expect(
                json(edit)["parsed_vendor"]?.text == "null" && json(edit)["category_name"]?.text == "\"Food\""
                    && json(edit)["revision"]?.text == "2")
            #expect(
                try await client.ask(.put, "/transactions/1", [.ifMatch: tag], json: #"{"notes":"m"}"#).status
                    == .preconditionFailed)
            #expect(
                try await client.ask(.put, "/transactions/1", json: #"{"notes":"m","revision":1}"#).status == .conflict)
            #expect(
                try await client.ask(.put, "/transactions/1", json: #"{"currency":"JPY"}"#).status
                    == .unprocessableContent, "250.50 yen do not exist")
            #expect(try await client.ask(.delete, "/transactions/1", [.ifMatch: tag]).status == .preconditionFailed)
            #expect(try await client.ask(.delete, "/transactions/1").status == .noContent)
            #expect(try await client.ask(.delete, "/transactions/1").status == .notFound)
            #expect(try await client.ask(.get, "/transactions/1").status == .notFound)
            // Undone by the journal.
            let changes = json(try await client.ask(.get, "/changes/?transaction_id=1"))
            guard case .array(let list) = changes, case .integer(let last)? = list.first?["id"] else {
                return #expect(Bool(false))
            }
            #expect(list.map { $0["done"]?.text } == ["\"deleted\"", "\"changed\"", "\"added\""])
            #expect(try await client.ask(.post, "/changes/\(last)/undo").status == .ok)
            #expect(try await client.ask(.get, "/transactions/1").status == .ok)
            #expect(try await client.ask(.post, "/changes/\(last)/undo").status == .conflict)
        }
    }

    /// A request, its body, the status, and the fields of the reported problems.
    static let refused: [(HTTPRequest.Method, String, String?, HTTPResponse.Status, [String])] = [
        (
            .post, "/transactions/", #"{"parsed_amount":1.5,"parsed_date":"2026-01-05","transaction_type":"expense"}"#,
            .unprocessableContent, ["parsed_amount"]
        ),
        (
            .post, "/transactions/",
            #"{"parsed_amount":"1","parsed_date":"2026-01-05","transaction_type":"expense","account_id":"0190c0de-0000-7000-8000-000000000001"}"#,
            .conflict, ["account_id"]
        ),
        (
            .put, "/categories/mappings/1",
            #"{"vendor_keyword":"x","category_id":1,"conditions":{"account_digits":""}}"#, .notFound, []
        ),
        (
            .post, "/categories/mappings/preview",
            #"{"vendor_keyword":"x","category_id":1,"conditions":{"account_digits":"1","amount_from":"2","amount_to":"1"}}"#,
            .unprocessableContent, ["conditions.amount_to", "conditions.account_digits"]
        ),
        (
            .post, "/categories/mappings/", #"{"vendor_keyword":"5411x","kind":"mcc","category_id":1}"#,
            .unprocessableContent, ["vendor_keyword"]
        ),
        (.post, "/transfers/", #"{"debit_id":1}"#, .unprocessableContent, ["credit_id"]),
        (.post, "/transfers/", #"{"debit_id":1,"credit_id":2}"#, .notFound, []),
        (.get, "/transfers/?state=linked,x", nil, .unprocessableContent, ["state"]),
        (.get, "/transfers/1", nil, .notFound, []), (.post, "/transfers/1/confirm", nil, .notFound, []),
        (.get, "/transactions/1/offer", nil, .notFound, []),
        (.get, "/transactions/?account_id=x", nil, .unprocessableContent, ["account_id"]),
        (.get, "/transactions/?status=%20", nil, .unprocessableContent, ["status"]),
        (.get, "/transactions/?cursor=", nil, .unprocessableContent, ["cursor"]),
        (.get, "/changes/?group_id=", nil, .unprocessableContent, ["group_id"]),
        (
            .post, "/transactions/", #"{"parsed_amount":1.5e3}"#, .unprocessableContent,
            ["parsed_amount", "parsed_date", "transaction_type"]
        ),
        (
            .post, "/transactions/",
            #"{"parsed_amount":"1,000.00","parsed_date":"2026-02-30","transaction_type":"gift","x":1}"#,
            .unprocessableContent, ["parsed_amount", "parsed_date", "transaction_type", "x"]
        ),
        (
            .post, "/transactions/", #"{"parsed_amount":"-1","parsed_date":"2026-01-05","transaction_type":"expense"}"#,
            .unprocessableContent, ["parsed_amount"]
        ),
        (
            .post, "/transactions/",
            #"{"parsed_amount":"1.001","parsed_date":"2026-01-05","transaction_type":"expense"}"#,
            .unprocessableContent, ["parsed_amount"]
        ),
        (
            .post, "/transactions/",
            #"{"parsed_amount":"1","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"a\u0007"}"#,
            .unprocessableContent, ["parsed_vendor"]
        ),
        (
            .post, "/transactions/",
            #"{"parsed_amount":"1","parsed_date":"2026-01-05","transaction_type":"expense","account_id":"nope"}"#,
            .unprocessableContent, ["account_id"]
        ),
        (.post, "/transactions/", #"{"parsed_amount":"1","#, .badRequest, [""]),
        (.post, "/transactions/", nil, .badRequest, []), (.post, "/transactions/", "[]", .unprocessableContent, [""]),
        (
            .post, "/transactions/bulk",
            #"[{"parsed_amount":"1","parsed_date":"2026-01-05","transaction_type":"expense"},{"parsed_amount":"x"}]"#,
            .unprocessableContent, ["1.parsed_amount", "1.parsed_date", "1.transaction_type"]
        ),
        (.post, "/transactions/bulk", "{}", .unprocessableContent, ["transactions"]),
        (.get, "/transactions/?dayz=3", nil, .unprocessableContent, ["dayz"]),
        (.get, "/transactions/?days=x", nil, .unprocessableContent, ["days"]),
        (.get, "/transactions/?days=1&days=2", nil, .unprocessableContent, ["days"]),
        (.get, "/transactions/?status=confirmed,x", nil, .unprocessableContent, ["status"]),
        (.get, "/transactions/?cursor=zz", nil, .unprocessableContent, ["cursor"]),
        (.get, "/transactions/?limit=0", nil, .unprocessableContent, ["limit"]),
        (.get, "/transactions/x", nil, .notFound, []), (.get, "/transactions/99", nil, .notFound, []),
        (.get, "/transactions/01", nil, .notFound, []), (.patch, "/transactions/1", "{}", .methodNotAllowed, []),
        (.get, "/transactions/bulk", nil, .methodNotAllowed, []),
        (.delete, "/accounts/", nil, .methodNotAllowed, []), (.get, "/accounts/x", nil, .notFound, []),
        (.post, "/accounts/", #"{"name":""}"#, .unprocessableContent, ["name"]),
        (
            .post, "/accounts/",
            #"{"name":"a","sender_email":"x","amount_regex":"(","date_regex":"(?<x>a)","merchant_regex":"(a+)+$"}"#,
            .unprocessableContent, ["sender_email", "amount_regex", "date_regex", "merchant_regex"]
        ),
        (.post, "/accounts/sync", #"[{"id":"x","name":"a"}]"#, .unprocessableContent, ["0.updated_at", "0.id"]),
        (
            .post, "/accounts/sync", #"[{"id":"0190c0de-0000-7000-8000-000000000001","name":"a","updated_at":null}]"#,
            .unprocessableContent, ["0.updated_at"]
        ), (.put, "/categories/1", #"{"name":"X"}"#, .conflict, ["name"]),
        (.delete, "/categories/1", nil, .conflict, []),
        (.post, "/categories/", #"{"name":"uncategorized"}"#, .conflict, ["name"]),
        (.post, "/categories/", #"{"name":"a","color":"red"}"#, .unprocessableContent, ["color"]),
        (.post, "/categories/9/subcategories", #"{"name":"a"}"#, .notFound, []),
        (.post, "/categories/mappings/", #"{"vendor_keyword":"x"}"#, .unprocessableContent, ["category_id"]),
        (.post, "/categories/mappings/", #"{"vendor_keyword":"x","category_id":99}"#, .conflict, ["category_id"]),
        (.post, "/devices/", #"{"device_token":"a b"}"#, .unprocessableContent, ["device_token"]),
        (.delete, "/devices/nobody", nil, .notFound, []), (.post, "/review/9/accept", nil, .notFound, []),
        (.post, "/parsers/test", "{}", .unprocessableContent, ["raw", "from"]),
        (.get, "/stats/summary?period=decade", nil, .unprocessableContent, ["period"]),
        (.get, "/stats/summary?period=2026-13", nil, .unprocessableContent, ["period"]),
        (.get, "/stats/summary?period=2026-10&since=2026-10-01", nil, .unprocessableContent, ["since"]),
        (.get, "/stats/summary?period=2026-10&until=2026-10-09", nil, .unprocessableContent, ["until"]),
        (.get, "/stats/summary?since=2026-02-01&until=2026-01-01", nil, .unprocessableContent, ["since"]),
        (.get, "/no/such/thing", nil, .notFound, []),
    ]

    @Test(arguments: refused) func refuses(
        method: HTTPRequest.Method, path: String, body: String?, status: HTTPResponse.Status, wrong: [String]
    ) async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let answer = try await client.ask(method, path, json: body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(fields(answer) == wrong, "\(answer.text)")
            if status == .methodNotAllowed { #expect(answer.headers[.allow] != nil) }
        }
    }

    @Test func otherBodiesAreRefused() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let form = try await client.ask(.post, "/transactions/", form: "a=b")
            #expect(form.status == .unsupportedMediaType)
            let large = try await client.ask(
                .post, "/transactions/", json: String(repeating: " ", count: Call.largestBody + 1))
            #expect(large.status == .contentTooLarge)
        }
    }

    @Test func sameKeyActsOnce() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let first = try await client.ask(.post, "/transactions/", [.idempotencyKey: "k1"], json: Self.coffee)
            let again = try await client.ask(.post, "/transactions/", [.idempotencyKey: "k1"], json: Self.coffee)
            #expect(
                first.status == .created && again.status == .created && first.text == again.text
                    && again.headers[.idempotencyReplayed] == "true")
            #expect(again.headers[.location] == "/transactions/1")
            #expect(
                try await client.ask(.post, "/transactions/", [.idempotencyKey: "k1"], json: #"{"x":1}"#).status
                    == .unprocessableContent)
            #expect(
                try await client.ask(.post, "/transactions/", [.idempotencyKey: "k2"], json: #"{"x":1}"#).status
                    == .unprocessableContent)
            #expect(
                try await client.ask(.post, "/transactions/", [.idempotencyKey: "k2"], json: Self.coffee).status
                    == .created, "a refused request may be repeated with corrections")
            #expect(try await client.ask(.get, "/transactions/").headers[.totalCount] == "2")
        }
    }

    @Test func bulkAndPagesAndCSV() async throws {
        let site = try Site(.open)
        let rows = (1...7).map {
            #"{"parsed_amount":"\#($0).10","parsed_date":"2026-01-0\#($0)","transaction_type":"expense","parsed_vendor":"=shop, \#($0)"}"#
        }
        try await site.application.test(.router) { client in
            let made = try await client.ask(.post, "/transactions/bulk", json: "[\(rows.joined(separator: ","))]")
            #expect(made.status == .created && json(made)["ids"]?.text == "[1,2,3,4,5,6,7]", "\(made.text)")
            var uri = "/transactions/?limit=3&sort=amount&q=shop"
            var seen: [String] = []
            for _ in 0..<4 {
                let page = try await client.ask(.get, uri)
                guard case .array(let list) = json(page) else { return #expect(Bool(false)) }
                seen += list.compactMap { $0["id"]?.text }
                #expect(page.headers[.totalCount] == "7")
                guard let link = page.headers[.link] else { break }
                #expect(link.hasSuffix(#">; rel="next""#))
                uri = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(seen == ["7", "6", "5", "4", "3", "2", "1"])
            let csv = try await client.ask(.get, "/transactions/export/csv?until=2026-01-02")
            #expect(csv.headers[.contentType]?.hasPrefix("text/csv") ?? false)
            #expect(
                csv.text == CSV.header
                    + "\nPersonal,Uncategorized,,INR,1.10,,Manual,2026-01-01,,\"'=shop, 1\",expense\nPersonal,Uncategorized,,INR,2.10,,Manual,2026-01-02,,\"'=shop, 2\",expense\n"
            )
            guard case .string(let group)? = json(made)["group_id"] else { return #expect(Bool(false)) }
            #expect(try await client.ask(.post, "/changes/groups/\(group)/undo").status == .ok)
            #expect(try await client.ask(.get, "/transactions/").headers[.totalCount] == "0")
        }
    }

    @Test func categoriesKeywordsDevices() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let made = try await client.ask(.post, "/categories/", json: ##"{"name":"Tea","color":"#00aa00"}"##)
            #expect(made.status == .created)
            let path = try #require(made.headers[.location])
            #expect(try await client.ask(.post, path + "/subcategories", json: #"{"name":"Green"}"#).status == .created)
            #expect(
                try await client.ask(.put, path, [.ifMatch: made.headers[.eTag] ?? ""], json: #"{"color":null}"#).status
                    == .preconditionFailed, "a subcategory came")
            #expect(
                try await client.ask(
                    .post, "/categories/mappings/",
                    json: #"{"vendor_keyword":"Chai  Point","category_name":"tea","subcategory":"green"}"#
                ).status == .created)
            let booked = try await client.ask(
                .post, "/transactions/",
                json:
                    #"{"parsed_amount":"5","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"CHAI POINT PUNE"}"#
            )
            #expect(
                json(booked)["category_name"]?.text == "\"Tea\"" && json(booked)["subcategory"]?.text == "\"Green\"")
            let export = try await client.ask(.get, "/categories/mappings/export")
            #expect(
                export.text.contains(#""vendor_keyword":"chai point","kind":"keyword","#)
                    && export.text.contains(#""category_name":"Tea","subcategory":"Green""#), "\(export.text)")
            let sync = try await client.ask(.post, "/categories/mappings/sync", json: export.text)
            #expect(sync.text == #"[{"vendor_keyword":"chai point","result":"unchanged"}]"#, "\(sync.text)")
            #expect(try await client.ask(.put, path, json: #"{"name":"Teas"}"#).status == .ok)
            #expect(try await client.ask(.get, "/transactions/?category=teas").headers[.totalCount] == "1")
            #expect(try await client.ask(.delete, path).status == .noContent)
            #expect(try await client.ask(.get, "/transactions/?category=Uncategorized").headers[.totalCount] == "1")
            #expect(try await client.ask(.post, "/devices/", json: #"{"device_token":"ab:cd"}"#).status == .created)
            #expect(
                try await client.ask(.post, "/devices/", json: #"{"device_token":"ab:cd","os_version":"19"}"#).status
                    == .ok)
            #expect(try await client.ask(.delete, "/devices/ab%3Acd").status == .noContent)
        }
    }

    /// The document names exactly the served routes, and every referenced schema exists.
    @Test func documentMatchesTheRoutes() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/openapi.json")
            let document = json(answer)
            guard case .object(let paths)? = document["paths"],
                case .object(let schemas)? = document["components"]?["schemas"]
            else { return #expect(Bool(false)) }
            for (path, item) in paths {
                guard case .object(let operations) = item else { return #expect(Bool(false)) }
                let served = path.replacing("{id}", with: "0190c0de-0000-7000-8000-000000000001").replacing(
                    "{token}", with: "t")
                for (method, _) in operations {
                    let method = try #require(HTTPRequest.Method(method.uppercased()))
                    let answer = try await client.ask(method, served)
                    #expect(answer.status != .methodNotAllowed && answer.status.code < 500, "\(method) \(path)")
                    // A missing row is answered with a problem, an unknown route is not.
                    if answer.status == .notFound {
                        #expect(answer.headers[.contentType] == "application/problem+json", "\(method) \(path)")
                    }
                }
                if !["/", "/health", "/metrics"].contains(path) {
                    for method in ["GET", "POST", "PUT", "DELETE", "PATCH"]
                    where !operations.contains(where: { $0.0.uppercased() == method }) {
                        let other = try #require(HTTPRequest.Method(method))
                        #expect(try await client.ask(other, served).status == .methodNotAllowed, "\(method) \(path)")
                    }
                }
            }
            for word in answer.text.split(separator: "#/components/schemas/").dropFirst() {
                let name = word.prefix { $0 != "\"" }
                #expect(schemas.contains { $0.0 == name }, "\(name)")
            }
        }
    }
}
