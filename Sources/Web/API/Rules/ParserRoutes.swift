import Codecs
import Hummingbird
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Store

/// /parsers/test
enum ParserRoutes {
    /// Limit of a mail in bytes.
    static let largestMail = 4 << 20

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/parsers/test", "Parsers",
            "Decides about a mail, as parserctl explain --json does; changes nothing. The mail is message/rfc822, or the member raw, or its text with from and subject.",
            .init(
                body: .object([
                    (
                        "oneOf",
                        .array([
                            Schema.object(
                                [
                                    ("raw", Schema.text(largestMail)),
                                    ("authserv_id", Schema.nullable(Schema.line(253))),
                                ],
                                required: ["raw"]),
                            Schema.object(
                                [("text", Schema.text(TextLimit.sample))] + heading, required: ["text", "from"]),
                            Schema.object(
                                [("html", Schema.text(TextLimit.sample))] + heading, required: ["html", "from"]),
                        ])
                    )
                ]), otherBodies: ["message/rfc822"],
                responses: [.init(status: 200, about: "The decision and its reasons.", schema: decision)]),
            run: test)
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
            ("notice", Schema.nullable(.object([("type", .string("object"))]))),
            ("confidence", Schema.number), ("reasons", Schema.list(Schema.ref("Reason"))),
            ("authentication", Schema.text()), ("category", maybe), ("subcategory", maybe),
            ("category_why", maybe), ("error", maybe),
            ("templates", Schema.list(.object([("type", .string("object"))]))),
        ], required: ["outcome", "fields", "confidence", "reasons", "templates"], isOpen: true)

    private static func test(_ call: Call) async throws -> Answer {
        let sent = try await sentMail(call)
        let profiles = call.services.profiles()
        let json = try await call.ledger { store in
            let message = Message(parsing: sent.bytes)
            let claim = profiles.claim(message)
            return claim.json(
                of: "pasted",
                try store.dated(claim.decide(trusting: sent.policy, receivedAt: nil))
                    .categorized(by: try store.categories.rules()),
                nearest: TemplateExplanation.usualCount
            ).utf8
        }
        var answer = Answer(body: .bytes(json))
        answer.headers[.contentType] = "application/json; charset=utf-8"
        return answer
    }

    /// A mail of a request, and the policy for its authentication results.
    fileprivate struct SentMail {
        var bytes: [UInt8]
        var policy = AuthenticationPolicy.unverified
    }

    private static func sentMail(_ call: Call) async throws -> SentMail {
        let type = call.request.headers[.contentType].map { $0.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }
        guard type == "message/rfc822" else {
            var fields = try await call.fields()
            return try SentMail(&fields)
        }
        let bytes = try await call.bytes(atMost: largestMail)
        guard !bytes.isEmpty else { throw Problem(status: .badRequest, detail: "A mail is expected as the body.") }
        return SentMail(bytes: bytes)
    }
}

extension ParserRoutes.SentMail {
    /// Reads the mail from the member `raw`, or builds it from `text` or `html` with `from`, `subject` and `date`.
    fileprivate init(_ fields: inout Fields) throws {
        let (raw, text, html) = (fields.optional("raw"), fields.optional("text"), fields.optional("html"))
        let from = fields.text("from").new
        let (subject, date) = (fields.optional("subject"), fields.optional("date"))
        let server = fields.optional("authserv_id")
        if [raw, text, html].compactMap({ $0 }).count != 1 {
            fields.refuse("raw", "one of raw, text and html is required")
        }
        if raw != nil, from != nil || subject != nil || date != nil {
            fields.refuse("from", "from, subject and date are part of the raw mail")
        }
        if raw == nil, from == nil {
            fields.refuse("from", "is required with text or html: the sender's address of the alert")
        }
        var check = FieldCheck()
        for (name, value, limit) in [
            ("raw", raw, ParserRoutes.largestMail), ("text", text, TextLimit.sample), ("html", html, TextLimit.sample),
        ] where value?.unicodeScalars.count ?? 0 > limit {
            check.refuse(name, "must have at most \(limit) characters")
        }
        check.text("authserv_id", server, atMost: 253)
        check.text("from", from, atMost: 320)
        check.text("subject", subject, atMost: 998, mayBeEmpty: true)
        check.text("date", date, atMost: 60)
        for problem in check.problems { fields.refuse(problem.field, problem.detail) }
        try fields.finish()
        if let server { policy = .pinned(authservID: server) }
        if let raw {
            bytes = Array(raw.utf8)
            return
        }
        let head = [
            "From: \(from ?? "")", "Subject: \(subject ?? "")", date.map { "Date: \($0)" }, "MIME-Version: 1.0",
            "Content-Type: text/\(html == nil ? "plain" : "html"); charset=utf-8", "Content-Transfer-Encoding: 8bit",
        ]
        bytes = Array((head.compactMap { $0 } + ["", text ?? html ?? ""]).joined(separator: "\r\n").utf8)
    }
}
