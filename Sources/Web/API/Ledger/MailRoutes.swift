import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// /mails/: every mail with its outcome.
enum MailRoutes {
    private static let decided = Endpoint.Response(
        status: 200, about: "The mail as it is now, and whether its outcome changed.",
        schema: Schema.shown([("changed", Schema.bool), ("mail", Schema.ref("MailDetail"))]))
    private static let unavailable = Endpoint.Response.problem(503, "This server does not decide mails.")

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/mails", "Mails", "Mails of any outcome, the last recorded first.",
            .init(
                parameters: [
                    .query("status", Schema.words(Outcome.self), "The outcome."),
                    .query("mailbox", Schema.line(200), "The name of the mailbox."),
                    .query("bank", Schema.line(200), "The key of the bank."),
                    .query("template", Schema.line(200), "The name of the template."),
                    .query("since", Schema.date, "The first day of arrival."),
                    .query("until", Schema.date, "The last day of arrival."),
                    .query("q", Schema.line(200), "Part of the subject or of the sender's address."),
                    .query("before", Schema.integer(1), "The value of X-Next-Before of the page before."),
                    .query("limit", Schema.integer(1, 1000), "The maximum number of mails; 100 by default."),
                    .ifNoneMatch,
                ],
                responses: [
                    .init(
                        status: 200, about: "The mails.", schema: Schema.list(Schema.ref("Mail")),
                        headers: [
                            ("ETag", "The ETag of the list."),
                            ("X-Next-Before", "The value of 'before' for the next page; absent on the last one."),
                        ])
                ])
        ) { call in
            var fields = Query(call)
            var query = MailQuery()
            query.outcomes = fields.choice("status", Outcome.self).map { [$0] }
            query.mailbox = fields.text("mailbox", mayBeEmpty: false)
            query.bank = fields.text("bank", mayBeEmpty: false)
            query.template = fields.text("template", mayBeEmpty: false)
            query.since = fields.date("since")
            query.until = fields.date("until")
            query.text = fields.text("q", mayBeEmpty: false)
            query.before = fields.number("before", 1...Int.max).map(Int64.init)
            query.limit = fields.number("limit", 1...1000) ?? 100
            try fields.finish()
            let page = try await call.read { [query] in try $0.mails.page(query) }
            var answer = Answer.json(.array(page.rows.map(\.api)))
            if let next = page.next { answer.headers[.nextBefore] = "\(next)" }
            return answer.tagged(for: call.request)
        },
        Endpoint(
            .get, "/mails/{id}", "Mails", "One mail with the reasons of its outcome and its text.",
            .init(
                parameters: [.uuid, .ifNoneMatch],
                responses: [.row("MailDetail", "mail", "The mail."), .notFound])
        ) { call in
            let id = try call.text().lowercased()
            return Answer.json(try await call.read { try detail(id, $0) }).tagged(for: call.request)
        },
        Endpoint(
            .post, "/mails/{id}/release", "Mails",
            "Decides a quarantined mail as if its server had authenticated it: a person confirms the sender.",
            .init(parameters: [.uuid], responses: [decided, .notFound, .conflict, unavailable])
        ) { call in
            try await decide(call) { actions, id, actor, group in try actions.release(id, actor, group) }
        },
        Endpoint(
            .post, "/mails/{id}/retry", "Mails",
            "Decides a mail again by the current profiles. A failed mail whose bytes are not kept is fetched again.",
            .init(parameters: [.uuid], responses: [decided, .notFound, .conflict, unavailable])
        ) { call in
            try await decide(call) { actions, id, _, _ in try actions.decideAgain(id) }
        },
    ]

    private static func detail(_ id: String, _ store: some ReadScope) throws -> JSON {
        guard let content = try ReviewService(store).mail(id) else { throw Problem.notFound("such mail") }
        return content.api
    }

    private static func decide(
        _ call: Call, _ body: @escaping @Sendable (MailActions, String, Actor, _ group: String) throws -> Outcome?
    ) async throws -> Answer {
        let id = try call.text().lowercased()
        let decision: MailDecision
        do { (decision, _) = try await call.services.decideMail(id, by: call.actor, body) } catch let error
            as StoreError
        { throw Problem(error, isStale: false) }
        switch decision {
        case .missing: throw Problem.notFound("such mail")
        case .unavailable:
            throw Problem(status: .serviceUnavailable, detail: "This server does not decide mails; use parserctl.")
        case .unchanged, .fetchedAgain, .decided: break
        }
        var changed = false
        if case .decided = decision { changed = true }
        return try await call.read { [changed] in
            .json(.object([("changed", .bool(changed)), ("mail", try detail(id, $0))]))
        }
    }
}

extension HTTPField.Name {
    static let nextBefore = HTTPField.Name("X-Next-Before")!  // a constant token (RFC 9110, section 5.6.2)
}

extension MailContent {
    var api: JSON {
        .object([
            ("mail", mail.api), ("transaction_id", JSON(transaction?.id)), ("duplicate_of", JSON(mail.duplicateOf)),
            ("attempts", JSON(mail.attempts)), ("authentication", JSON(authentication)),
            ("authserv_id", JSON(authservID)), ("waits", .bool(isWaiting)),
            (
                "reasons",
                .array(
                    reasons.map {
                        .object([
                            ("factor", .string($0.name)), ("weight", .number($0.weight)), ("note", .string($0.note)),
                        ])
                    })
            ),
            ("text", JSON(text.map { String(decoding: $0, as: UTF8.self) })),
        ])
    }
}
