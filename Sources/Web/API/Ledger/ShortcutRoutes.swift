import Chronology
import Codecs
import Hummingbird
import InternetMessage
import Ledger
import Store

/// /shortcuts/transaction: SMS that a phone's automation passes on.
enum ShortcutRoutes {
    /// Limit of the body in bytes: the longest text in percent-encoded UTF-8 is some 24,000.
    static let largestBody = 32 << 10
    private static let formType = "application/x-www-form-urlencoded"
    private static let textType = "text/plain"
    /// Earliest arrival. A phone's clock that was never set is at 1970.
    private static let earliest = UnixTime(seconds: 946_684_800)

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/shortcuts/transaction", "Shortcuts",
            "Reads a bank's SMS with the templates of mails and records it: booked, for review, as a duplicate, or ignored. The only route that a token with the scope shortcut may use. The same SMS again changes nothing. An SMS whose sender is no bank's is unclaimed: its text is not kept.",
            .init(
                parameters: [
                    .query("sender", Schema.filter, "With a body of text/plain, which is the text of the SMS."),
                    .query("received_at", Schema.filter, "With a body of text/plain."),
                ],
                body: Schema.object(
                    [
                        (
                            "sender",
                            Schema.text(TextLimit.name, about: "As the phone shows it: VM-HDFCBK, JM-HDFCBK-S.")
                        ),
                        ("text", Schema.text(ShortMessage.maximumCharacters)),
                        (
                            "received_at",
                            .object([
                                ("type", .array([.string("string"), .string("integer"), .string("null")])),
                                (
                                    "description",
                                    .string(
                                        "Arrival on the phone: an instant of RFC 3339, or seconds or milliseconds since 1970. Without it the same text of one day (UTC) is one SMS."
                                    )
                                ),
                            ])
                        ),
                    ], required: ["sender", "text"]),
                otherBodies: [formType, textType],
                responses: [
                    .init(
                        status: 200, about: "Nothing new: the SMS was recorded before, or is no bank's.", schema: shown),
                    .init(status: 201, about: "The SMS was recorded.", schema: shown),
                ]), run: add)
    ]

    private static let shown = Schema.shown([
        ("outcome", Schema.words(Outcome.self)), ("is_new", Schema.bool), ("message", Schema.text()),
        ("mail_id", Schema.nullable(Schema.text())), ("transaction_id", Schema.nullable(Schema.integer())),
    ])

    private static func add(_ call: Call) async throws -> Answer {
        var fields = try await fields(call)
        let (sender, text) = (fields.required("sender"), fields.required("text"))
        let receivedAt = receivedAt(&fields)
        let length = text.unicodeScalars.count
        if length > ShortMessage.maximumCharacters {
            fields.refuse("text", "must have at most \(ShortMessage.maximumCharacters) characters")
        } else if fields.isFree(of: "text"), text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            fields.refuse("text", "must not be blank")
        }
        if sender.unicodeScalars.count > TextLimit.name {
            fields.refuse("sender", "must have at most \(TextLimit.name) characters")
        }
        try fields.finish()
        // A telephone number or a person's name is no bank's; nothing of it is kept.
        guard let header = SMSHeader(sender) else { return json(.unclaimed, isNew: false, nil, nil) }
        guard let record = call.services.recordSMS else {
            throw Problem(status: .serviceUnavailable, detail: "This program cannot read SMS.")
        }
        let sms = ShortMessage(from: header, text: text, receivedAt: receivedAt)
        let recorded = try await call.ledger { _ in try record(sms) }
        return json(recorded.outcome, isNew: recorded.isNew, recorded.mailID, recorded.transactionID)
    }

    private static func json(_ outcome: Outcome, isNew: Bool, _ mail: String?, _ transaction: Int64?) -> Answer {
        .json(
            .object([
                ("outcome", .string(outcome.rawValue)), ("is_new", .bool(isNew)),
                ("message", .string(sentence(outcome, isNew: isNew))), ("mail_id", JSON(mail)),
                ("transaction_id", JSON(transaction)),
            ]), status: isNew ? .created : .ok)
    }

    /// For the notification that a phone shows. It contains no value of the ledger.
    private static func sentence(_ outcome: Outcome, isNew: Bool) -> String {
        if !isNew, outcome != .unclaimed { return "This SMS was recorded before." }
        return switch outcome {
        case .recorded: "Booked."
        case .review: "Recorded; it waits for review."
        case .duplicate: "This event was recorded before."
        case .ignored: "Not a transaction."
        case .unclaimed: "The sender is no known bank's."
        case .quarantined, .failed: "Recorded, but it could not be read."
        }
    }

    /// The members of a JSON object, the fields of a form, or a text with its sender in the query, which needs no
    /// quoting in an automation.
    private static func fields(_ call: Call) async throws -> Fields {
        let type = call.request.headers[.contentType].map { $0.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }
        var query = Query(call)
        let parameters = ["sender", "received_at"].compactMap { name in query.text(name).map { (name, JSON.string($0)) }
        }
        for (name, _) in parameters where type != textType {
            query.refuse(name, "belongs in the body, unless the body is \(textType)")
        }
        try query.finish()
        let bytes = try await call.bytes(atMost: largestBody)
        switch type {
        case textType: return Fields(parameters + [("text", .string(String(decoding: bytes, as: UTF8.self)))])
        case formType: return try form(bytes)
        case nil, "application/json": return try object(bytes)
        default:
            throw Problem(
                status: .unsupportedMediaType,
                detail: "The body must be JSON, a form or a text: send 'Content-Type: application/json'.",
                headers: [.accept: "application/json, \(formType), \(textType)"])
        }
    }

    private static func form(_ bytes: [UInt8]) throws -> Fields {
        var members: [(String, JSON)] = []
        for field in FormFields(bytes).fields {
            guard !members.contains(where: { $0.0 == field.name }) else {
                throw Problem.invalid("form", "a field occurs twice")
            }
            members.append((field.name, .string(field.value)))
        }
        return Fields(members)
    }

    private static func object(_ bytes: [UInt8]) throws -> Fields {
        guard !bytes.isEmpty else {
            throw Problem(status: .badRequest, detail: "A JSON object is expected as the body.")
        }
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes) } catch {
            throw Problem(
                status: .badRequest, detail: "The body is not JSON: \(error).", errors: [FieldProblem("", "\(error)")])
        }
        guard case .object(let members) = json else { throw Problem.invalid("", "a JSON object is expected") }
        return Fields(members)
    }

    /// Reads an instant of RFC 3339, or seconds or milliseconds since 1970. A blank one counts as absent: an
    /// automation sends it if its variable has no value.
    private static func receivedAt(_ fields: inout Fields) -> UnixTime? {
        let name = "received_at"
        let read: UnixTime?
        switch fields.remove(name) {
        case nil, .null: return nil
        case .integer(let number): read = since1970(number)
        case .string(let text):
            let text = text.filter { $0 != " " }
            if text.isEmpty { return nil }
            read = Int64(text).map(since1970) ?? UnixTime(rfc3339: text)
        default: read = nil
        }
        guard let instant = read, instant >= earliest, instant <= UnixTime.now + 86_400 else {
            fields.refuse(
                name,
                "must be an instant such as 2026-01-05T06:43:14Z, or seconds or milliseconds since 1970, not in the future"
            )
            return nil
        }
        return instant
    }

    /// A number of eleven digits or more is in milliseconds: in seconds it would be after the year 2286.
    private static func since1970(_ number: Int64) -> UnixTime {
        UnixTime(seconds: number >= 10_000_000_000 ? number / 1000 : number)
    }
}
