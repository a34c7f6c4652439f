import Chronology
import Codecs
import Crypto
import CurlTransport
import IMAP
import Ledger
import Settings
import Store

/// Publishes to a topic of an ntfy server as JSON, which needs no header escaping.
struct NtfySender {
    let settings: NtfySettings
    let caFile: String?

    func send(_ notice: Notice, _ client: HTTPSClient, at now: UnixTime, wake: Wake) -> DeliveryResult {
        do {
            return DeliveryResult(try client.send(try request(notice), wake: wake), from: "ntfy", at: now)
        } catch let error as HTTPSError {
            return DeliveryResult(error)
        } catch {
            return .refused("\(error)".split(whereSeparator: \.isNewline).joined(separator: "; "), wholeSink: true)
        }
    }

    private func request(_ notice: Notice) throws -> HTTPSRequest {
        let tags = settings.tags.isEmpty ? [Self.tag(notice)] : settings.tags
        let body = JSON.object(present: [
            ("topic", .string(settings.topic)), ("title", .string(notice.title)),
            ("message", .string(notice.body.isEmpty ? notice.title : notice.body)),
            ("priority", .integer(Int64(settings.priority ?? (notice.isGrave ? 4 : 3)))),
            ("tags", .array(tags.map { .string($0) })), ("click", settings.click.map(JSON.string)),
            // A server that supports `sequence_id` replaces an earlier message with the same id.
            ("sequence_id", .string(notice.id.filter { $0 != "-" })),
        ])
        var headers = ["Content-Type: application/json"]
        if let token = settings.token {
            let secret = try token.read()
            guard secret.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw KeyError(description: "\(token.description) holds more than letters, digits and signs")
            }
            headers.append("Authorization: Bearer \(String(decoding: secret, as: UTF8.self))")
        }
        var request = HTTPSRequest(url: settings.server, body: Array(body.text.utf8), headers: headers, caFile: caFile)
        request.allowsLoopback = true
        return request
    }

    private static func tag(_ notice: Notice) -> String {
        switch notice.kind {
        case .transaction: "money_with_wings"
        case .review: "eyes"
        case .mailbox, .login, .database: notice.isOver ? "white_check_mark" : "warning"
        case .drift: "mag"
        case .balance: "heavy_division_sign"
        case .due: "calendar"
        case .budget: "bar_chart"
        case .statement: "page_facing_up"
        }
    }
}

/// Posts signed JSON (Standard Webhooks 1.0): `webhook-id`, `webhook-timestamp` and `webhook-signature`, HMAC-SHA256
/// over all three and the body.
struct WebhookSender {
    let settings: WebhookSettings
    let caFile: String?

    func send(_ notice: Notice, _ client: HTTPSClient, at now: UnixTime, wake: Wake) -> DeliveryResult {
        do {
            let body = Array(Self.payload(notice).utf8)
            var request = HTTPSRequest(
                url: settings.url, body: body,
                headers: [
                    "Content-Type: application/json", "webhook-id: \(notice.id)", "webhook-timestamp: \(now.seconds)",
                    "webhook-signature: \(Self.signature(id: notice.id, at: now, body, key: try key()))",
                ], caFile: caFile)
            // The address of a webhook is often secret.
            request.name = "the webhook"
            request.allowsLoopback = true
            return DeliveryResult(try client.send(request, wake: wake), from: "the webhook", at: now)
        } catch let error as HTTPSError {
            return DeliveryResult(error)
        } catch {
            return .refused("\(error)".split(whereSeparator: \.isNewline).joined(separator: "; "), wholeSink: true)
        }
    }

    static func payload(_ notice: Notice) -> String {
        if notice.items.count == 1, notice.count == 1 { return notice.items[0].json.text }
        return JSON.object([
            ("type", .string("digest")), ("timestamp", .string(notice.createdAt.description)),
            (
                "data",
                .object([("count", .integer(Int64(notice.count))), ("events", .array(notice.items.map(\.json)))])
            ),
        ]).text
    }

    static func signature(id: String, at now: UnixTime, _ body: [UInt8], key: [UInt8]) -> String {
        let signed = Array("\(id).\(now.seconds).".utf8) + body
        return "v1,"
            + Base64.standard.encode(
                Array(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))))
    }

    private func key() throws -> [UInt8] {
        let line = try settings.secret.read()
        guard let key = WebhookSettings.key(line) else {
            throw KeyError(
                description:
                    "\(settings.secret.description) holds no signing secret\nIt is 24 to 64 bytes in Base64, with or without whsec_ before it: make one with 'openssl rand -base64 32'."
            )
        }
        return key
    }
}
