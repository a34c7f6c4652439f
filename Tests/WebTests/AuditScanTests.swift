import Access
import Chronology
import ChronologyFixture
import Codecs
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Requests of every kind with private text in every possible place: none of it may appear in the audit log.
@Suite struct AuditScanTests {
    static let merchant = "ZANZIBAR TEA"
    static let amount = "98641357.42"
    static let account = "73915528"
    static let address = "quokka@numbat.example"
    static let reference = "61739155284410"
    static let passphrase = "wombat-lantern"
    static let device = "facade73915528facade"
    /// Nine digits or more, or words: no identifier of the log contains them by chance.
    static let secrets = [
        "ZANZIBAR", "98641357", "9864135742", account, "quokka", "numbat", reference, "wombat", device, "potoroo",
    ]

    private static let query = FormFields.encoded([
        ("q", merchant), ("merchant", merchant), ("amount_from", amount), ("account", account), ("keyword", merchant),
        ("days", "9"), ("next", "/?q=" + merchant), ("back", "/?q=" + merchant),
    ])

    /// Members of all routes, so that each route finds some that it accepts.
    private static let body = JSON.object([
        ("parsed_amount", .string(amount)), ("amount", .string(amount)), ("currency", .string("INR")),
        ("parsed_vendor", .string(merchant)), ("merchant", .string(merchant)), ("notes", .string("potoroo")),
        ("parsed_date", .string("2026-01-05")), ("transaction_type", .string("expense")),
        ("reference", .string(reference)), ("account_digits", .string(account)), ("name", .string(merchant)),
        ("vendor_keyword", .string(merchant)), ("device_token", .string(device)), ("sender_email", .string(address)),
        ("card_last_four", .string(account)), ("text", .string("Paid \(amount) to \(merchant)")),
        ("mail", .string("From: \(address)\r\n\r\nPaid \(amount) to \(merchant)")), ("ids", .array([.integer(1)])),
        ("code", .string("73915528")),
    ]).text

    /// A unique Idempotency-Key.
    private static func headers() -> HTTPFields {
        var headers: HTTPFields = [
            .userAgent: "potoroo/1", .referer: "https://numbat.example/?q=ZANZIBAR", .cookie: "potoroo=wombat",
        ]
        for name in ["X-Request-ID", "X-Forwarded-For", "Forwarded", "Idempotency-Key", "X-Forwarded-User"] {
            if let name = HTTPField.Name(name) { headers[name] = "potoroo-" + UUID().uuidString }
        }
        return headers
    }

    /// A ledger with booked and waiting items, all of them private.
    private static func fill(_ store: Store) throws -> (booked: Int64, waiting: [Int64]) {
        let entries = (1...6).map { uid in
            var draft = TransactionDraft(
                amount: Money(minorUnits: 9_864_135_742 + Int64(uid), currency: .inr), type: .expense, channel: .upi,
                date: CalendarDate(daysSince1970: 20_458), occurredAt: 1_767_600_000)
            draft.merchant = merchant
            draft.vpa = "quokka@ybl"
            draft.account = account
            draft.reference = reference + "\(uid)"
            let decision = Decision(
                uid == 1 ? .book(draft) : .review(draft),
                by: Decision.Source(
                    profile: "example", bank: "Example Bank", version: "1", template: "example/paid",
                    authentication: "pass"),
                confidence: uid == 1 ? 0.95 : 0.4,
                reasons: [Reason(.secondAmount, weight: 0.8, note: "\(amount) is another amount")])
            return MailEntry(
                at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: UInt32(uid)), decision
            ) {
                $0.messageID = "<\(uid)@numbat.example>"
                $0.contentDigest = [UInt8(uid)]
                $0.fromAddress = address
                $0.subject = "Paid to \(merchant)"
                $0.sentAt = 1_767_600_000
                $0.receivedAt = 1_767_600_000
                $0.raw = Array("From: \(address)\r\n\r\nPaid \(amount) to \(merchant)".utf8)
            }
        }
        let ids = try store.recording.record(entries).compactMap(\.transactionID)
        return (ids[0], Array(ids.dropFirst()))
    }

    /// All columns of all rows, as stored by SQLite.
    private static func log(_ folder: String) throws -> [String] {
        try DatabaseQueue(path: folder + "/ledger.db").read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM audit_log").map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }.joined(separator: "|")
            }
        }
    }

    private static func expectSilence(
        _ log: [String], besides tokens: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) {
        for line in log {
            for secret in secrets + tokens {
                #expect(
                    !line.localizedCaseInsensitiveContains(secret), "\(secret) in \(line)", sourceLocation: location)
            }
        }
    }

    /// All operations of the document by a client with a token, for existing and for missing rows, then logins and a
    /// pairing.
    @Test(.timeLimit(.minutes(5))) func auditHasNoPrivateDataOfTheAPI() async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 100_000))
        try site.setPassphrase()
        let token = try site.token(.all, name: "phone")
        let ids = try Self.fill(site.store)
        try await site.application.test(.router) { client in
            let document = try JSON(
                parsing: Array(try await client.ask(.get, "/openapi.json", token: token).body.readableBytesView))
            guard case .object(let paths)? = document["paths"] else { return #expect(Bool(false)) }
            var asked = 0
            for (path, item) in paths {
                guard case .object(let operations) = item else { continue }
                for (name, _) in operations {
                    let method = try #require(HTTPRequest.Method(name.uppercased()))
                    for id in [
                        path.hasPrefix("/review") ? "\(ids.waiting[asked % ids.waiting.count])" : "\(ids.booked)",
                        "ZANZIBAR%20TEA", Self.account,
                    ] {
                        // A valid request as well: most routes refuse unknown members.
                        let isPlain = id.utf8.count < 4
                        let target =
                            path.replacing("{id}", with: id).replacing("{token}", with: Self.device)
                            + (isPlain ? "" : "?" + Self.query)
                        _ = try await client.ask(
                            method, target, token: token, Self.headers(),
                            json: method == .get || method == .delete || isPlain ? nil : Self.body)
                        asked += 1
                    }
                }
            }
            // Accepted requests.
            for (path, fields) in [
                (
                    "/transactions/",
                    [
                        ("parsed_amount", Self.amount), ("parsed_vendor", Self.merchant), ("parsed_date", "2026-01-05"),
                        ("transaction_type", "expense"), ("notes", "potoroo"),
                    ]
                ),
                ("/devices/", [("device_token", Self.device), ("device_name", "potoroo")]),
                ("/categories/", [("name", Self.merchant)]),
            ] {
                let answer = try await client.ask(
                    .post, path, token: token, Self.headers(),
                    json: JSON.object(fields.map { ($0.0, .string($0.1)) }).text)
                #expect(answer.status.code < 300, "\(path): \(answer.text)")
            }
            // Unknown routes, unknown methods and malformed tokens.
            for target in [
                "/ZANZIBAR", "/transactions/98641357.42/quokka", "/static/ZANZIBAR", "/app/ZANZIBAR",
                "/review/wombat/potoroo",
            ] {
                _ = try await client.ask(.get, target + "?" + Self.query, token: token, Self.headers())
                _ = try await client.ask(.get, target, token: "spw_potoroo", Self.headers())
            }
            for word in ["ZANZIBAR", "WOMBAT98641357"] {
                let method = try #require(HTTPRequest.Method(word))
                _ = try await client.ask(method, "/transactions", token: token, Self.headers())
            }
            for words in [Self.passphrase, Site.passphrase] {
                _ = try await client.ask(
                    .post, "/login",
                    form: FormFields.encoded([("passphrase", words), ("next", "/?q=" + Self.merchant)]))
            }
            _ = try await client.ask(.post, "/pair", Self.headers(), json: #"{"code": "73915528"}"#)
            await site.services.access.audit.flush()
            let log = try Self.log(site.folder)
            #expect(asked > 100 && log.count > asked)
            for event in [
                "request", "login", "login refused", "pairing refused", "decision: accepted", "decision: rejected",
            ] {
                #expect(
                    log.contains { $0.contains("|\(event)|") },
                    "\(event) among \(Set(log.map { $0.split(separator: "|").dropFirst(2).first ?? "" }))")
            }
            #expect(log.contains { $0.contains("|other|") } && log.contains { $0.contains("token phone") })
            Self.expectSilence(log, besides: [String(token.suffix(40)), Site.passphrase, "lamp"])
        }
    }

    /// The page's forms, and the decisions at the terminal.
    @Test(.timeLimit(.minutes(5))) func auditHasNoPrivateDataOfPageAndTerminal() async throws {
        let site = try Site(AccessPolicy(asksForLogin: false, requestsPerMinute: 0))
        let ids = try Self.fill(site.store)
        let fields = [
            ("amount", Self.amount), ("currency", "INR"), ("merchant", Self.merchant), ("date", "2026-01-05"),
            ("type", "expense"), ("notes", "potoroo"), ("account", Self.account), ("reference", Self.reference),
            ("keyword", Self.merchant), ("name", Self.merchant), ("mail", "Paid \(Self.amount) to \(Self.merchant)"),
            ("offer", "\(ids.booked)"), ("q", Self.merchant), ("back", "/?q=" + Self.merchant),
            ("group", "potoroo"),
        ]
        try await site.application.test(.router) { client in
            var pages = [
                "/", "/app/transactions", "/app/review", "/app/banks", "/app/banks/test", "/app/categories",
                "/app/mailboxes", "/app/export", "/app/settings", "/app/settings/sms", "/app/mappings/new",
            ]
            pages +=
                ids.waiting.map { "/app/review/\($0)" } + ["/app/transactions/\(ids.booked)", "/app/review/ZANZIBAR"]
            for page in pages { _ = try await client.ask(.get, page + "?" + Self.query, [.accept: "text/html"]) }
            let forms = [
                "/app/transactions/new", "/app/transactions/\(ids.booked)", "/app/transactions/bulk", "/app/mappings",
                "/app/mappings/refuse", "/app/categories", "/app/banks/test", "/app/undo",
            ]
            for form in forms {
                _ = try await client.ask(.post, form, [.accept: "text/html"], form: FormFields.encoded(fields))
            }
            for (id, action) in zip(ids.waiting, ["accept", "reject", "save"]) {
                _ = try await client.ask(
                    .post, "/app/review/\(id)", [.accept: "text/html"],
                    form: FormFields.encoded(fields + [("action", action)]))
            }
            await site.services.access.audit.flush()
        }
        var edit = TransactionEdit()
        (edit.merchant, edit.notes) = (.set(Self.merchant + " HOUSE"), .set("potoroo"))
        let last = ids.waiting[4]
        try site.store.review.edit(draft: .transaction(last), edit, by: .terminal)
        try site.store.review.accept(.transaction(last))
        let change = try #require(try site.store.journal.changes().first)
        try site.store.journal.undo(group: change.group)
        try site.store.audit.append(
            AuditEvent(
                at: .now, event: "token added: phone (read)", who: "operator"))
        let log = try Self.log(site.folder)
        for event in ["accepted", "rejected", "changed", "undone"] {
            #expect(log.contains { $0.contains("decision: \(event)") }, "\(event)")
        }
        #expect(log.count > 30)
        Self.expectSilence(log)
    }
}
