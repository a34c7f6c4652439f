import Codecs
import Hummingbird
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Store

/// /parsers/test
enum ParserRoutes {
    /// Bytes of a pasted mail.
    static let largestMail = 4 << 20

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/parsers/test", "Parsers",
            "Says what becomes of a mail, as parserctl explain --json does; changes nothing. A whole mail as message/rfc822, or as the member raw; or its text with from and subject.",
            body: .object([
                (
                    "oneOf",
                    .array([
                        Schema.object(
                            [("raw", Schema.text(largestMail)), ("authserv_id", Schema.nullable(Schema.line(253)))],
                            required: ["raw"]),
                        Schema.object([("text", Schema.text(TextLimit.sample))] + heading, required: ["text", "from"]),
                        Schema.object([("html", Schema.text(TextLimit.sample))] + heading, required: ["html", "from"]),
                    ])
                )
            ]), otherBodies: ["message/rfc822"],
            responses: [.init(status: 200, about: "The decision and how it came about.", schema: decision)], run: test)
    ]

    private static let heading: [(String, JSON)] = [
        ("from", Schema.line(320)), ("subject", Schema.nullable(Schema.filtered(998))),
        ("date", Schema.nullable(Schema.line(60))), ("authserv_id", Schema.nullable(Schema.line(253))),
    ]
    private static let maybe = Schema.nullable(Schema.text())
    private static let decision = Schema.object(
        [
            ("file", Schema.text()), ("outcome", Schema.words(Outcome.self)), ("profile", maybe), ("template", maybe),
            ("fields", .object([("type", .string("object"))])),
            ("confidence", Schema.number), ("reasons", Schema.list(Schema.ref("Reason"))),
            ("authentication", Schema.text()), ("category", maybe), ("subcategory", maybe),
            ("category_why", maybe), ("error", maybe),
            ("templates", Schema.list(.object([("type", .string("object"))]))),
        ], required: ["outcome", "fields", "confidence", "reasons", "templates"], isOpen: true)

    private static func test(_ call: Call) async throws -> Answer {
        let type = call.request.headers[.contentType].map { $0.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }
        var mail: [UInt8]
        var policy = AuthenticationPolicy.unverified
        if type == "message/rfc822" {
            mail = try await call.bytes(atMost: largestMail)
            guard !mail.isEmpty else { throw Problem(status: .badRequest, detail: "A mail is expected as the body.") }
        } else {
            var fields = try await call.fields()
            let (raw, text, html) = (fields.optional("raw"), fields.optional("text"), fields.optional("html"))
            let from = fields.text("from").new
            let (subject, date) = (fields.optional("subject"), fields.optional("date"))
            if let server = fields.optional("authserv_id") { policy = .pinned(authservID: server) }
            if [raw, text, html].compactMap({ $0 }).count != 1 {
                fields.refuse("raw", "one of raw, text and html is required")
            }
            if raw != nil, from != nil || subject != nil || date != nil {
                fields.refuse("from", "from, subject and date stand in the raw mail itself")
            }
            if raw == nil, from == nil {
                fields.refuse("from", "is required beside text or html: the address that the alert came from")
            }
            var check = FieldCheck()
            for (name, value, limit) in [
                ("raw", raw, largestMail), ("text", text, TextLimit.sample), ("html", html, TextLimit.sample),
            ] where value?.unicodeScalars.count ?? 0 > limit {
                check.refuse(name, "must have at most \(limit) characters")
            }
            if case .pinned(let server) = policy { check.text("authserv_id", server, atMost: 253) }
            check.text("from", from, atMost: 320)
            check.text("subject", subject, atMost: 998, mayBeEmpty: true)
            check.text("date", date, atMost: 60)
            for problem in check.problems { fields.refuse(problem.field, problem.detail) }
            try fields.finish()
            if let raw {
                mail = Array(raw.utf8)
            } else {
                var head = "From: \(from ?? "")\r\nSubject: \(subject ?? "")\r\n"
                if let date { head += "Date: \(date)\r\n" }
                head +=
                    "MIME-Version: 1.0\r\nContent-Type: text/\(html == nil ? "plain" : "html"); charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
                mail = Array((head + (text ?? html ?? "")).utf8)
            }
        }
        let (bytes, trusted, profiles) = (mail, policy, call.services.profiles())
        let json = try await call.ledger { store in
            let message = Message(parsing: bytes)
            let claim = profiles.claim(message)
            return claim.json(
                of: "pasted",
                claim.decide(trusting: trusted, receivedAt: nil).categorized(by: try store.categories.rules())
            ).utf8
        }
        var answer = Answer(body: .bytes(json))
        answer.headers[.contentType] = "application/json; charset=utf-8"
        return answer
    }
}
