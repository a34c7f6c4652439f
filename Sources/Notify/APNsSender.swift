import Chronology
import Codecs
import Crypto
import CurlTransport
import IMAP
import Ledger
import Settings
import Store

/// Sends to one device through Apple's service (Apple: "Sending notification requests to APNs").
struct APNsSender {
    let settings: APNsSettings
    let caFile: String?
    private var token: ProviderToken

    /// Seconds for which Apple keeps a message for an unreachable device.
    static let lifetime: Int64 = 86_400

    init(_ settings: APNsSettings, caFile: String?) {
        self.settings = settings
        self.caFile = caFile
        token = ProviderToken(settings)
    }

    mutating func send(
        _ notice: Notice, to device: PushDevice, _ client: HTTPSClient, at now: UnixTime, wake: Wake
    ) -> DeliveryResult {
        guard !device.token.isEmpty, device.token.utf8.count <= 400,
            device.token.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
            })
        else { return .deviceUnregistered("its token is not hexadecimal") }
        // The second attempt follows the renewal of an expired token.
        for isSecond in [false, true] {
            let answer: HTTPSRequest.Answer
            do {
                answer = try client.send(request(notice, device, at: now), wake: wake)
            } catch let error as HTTPSError {
                return DeliveryResult(error)
            } catch {
                return .refused("\(error)".split(whereSeparator: \.isNewline).joined(separator: "; "), wholeSink: true)
            }
            let reason = Self.reason(in: answer.body) ?? ""
            if answer.status == 403, reason == "ExpiredProviderToken", !isSecond, token.expire(at: now) { continue }
            return result(answer, reason, device, at: now)
        }
        return .later("Apple accepts no token", .slow, asked: nil, wholeSink: true)
    }

    private mutating func request(_ notice: Notice, _ device: PushDevice, at now: UnixTime) throws -> HTTPSRequest {
        let server =
            settings.url ?? (device.isSandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com")
        let path = server + (server.hasSuffix("/") ? "" : "/") + "3/device/" + device.token.lowercased()
        var request = HTTPSRequest(
            url: path, body: Array(Self.payload(notice).utf8),
            headers: [
                "authorization: bearer \(try token.current(at: now))", "apns-id: \(notice.id)",
                "apns-topic: \(settings.topic)", "apns-push-type: alert",
                "apns-priority: \(notice.isOver || notice.kind == .drift ? 5 : 10)",
                "apns-expiration: \((notice.createdAt + Self.lifetime).seconds)",
                "apns-collapse-id: \(Self.collapseID(notice))", "content-type: application/json",
            ], caFile: caFile)
        request.name = server
        request.requiresHTTP2 = server.hasPrefix("https://")
        request.allowsLoopback = true
        return request
    }

    static func payload(_ notice: Notice) -> String {
        JSON.object([
            (
                "aps",
                .object([
                    (
                        "alert",
                        .object([("title", .string(notice.title)), ("body", .string(String(notice.body.prefix(800))))])
                    ), ("sound", .string("default")),
                    ("thread-id", .string(notice.kind.rawValue)),
                    ("interruption-level", .string(notice.isGrave ? "time-sensitive" : "active")),
                ])
            ),
            (
                "spendwise",
                .object([
                    ("id", .string(notice.id)),
                    ("type", .string(notice.items.count == 1 ? notice.items[0].type : "digest")),
                    ("count", .integer(Int64(notice.count))),
                ])
            ),
        ]).text
    }

    /// Key by which a device replaces an older message; at most 64 bytes.
    static func collapseID(_ notice: Notice) -> String {
        notice.key.utf8.count <= 64 && notice.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            ? notice.key
            : Hexadecimal.text(SHA256.hash(data: Array(notice.key.utf8)))
    }

    private func result(
        _ answer: HTTPSRequest.Answer, _ reason: String, _ device: PushDevice, at now: UnixTime
    ) -> DeliveryResult {
        let answered = "Apple answers \(answer.status)" + (reason.isEmpty ? "" : " \(reason)")
        let asked = answer.header("retry-after").flatMap { Backoff.retryAfter($0, at: now) }
        switch (answer.status, reason) {
        case (200, _): return .accepted
        case (410, _), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .deviceUnregistered(answered)
        case (403, "ExpiredProviderToken"):
            return .later(
                "\(answered): check this machine's clock", .slow, asked: max(asked ?? 0, ProviderToken.shortest),
                wholeSink: true)
        case (403, _): return .refused("\(answered): check key_file, key_id, team_id and topic", wholeSink: true)
        case (404, _), (405, _): return .refused("\(answered): check url", wholeSink: true)
        case (429, "TooManyProviderTokenUpdates"):
            return .later(answered, .slow, asked: max(asked ?? 0, ProviderToken.shortest), wholeSink: true)
        // The limit of one device, not of the whole sink.
        case (429, _): return .later(answered, .slow, asked: asked, wholeSink: false)
        case (500..., _): return .later(answered, .quick, asked: asked, wholeSink: true)
        case (400, "TopicDisallowed"), (400, "BadTopic"), (400, "MissingTopic"):
            return .refused("\(answered): check topic", wholeSink: true)
        default: return .refused(answered, wholeSink: false)
        }
    }

    /// The reason of Apple's answer: `{"reason":"Unregistered"}`. Accepts letters only, because it is displayed.
    static func reason(in body: [UInt8]) -> String? {
        guard let reason = (try? JSON(parsing: body))?["reason"]?.textValue, (1...60).contains(reason.utf8.count),
            reason.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        return reason
    }
}
