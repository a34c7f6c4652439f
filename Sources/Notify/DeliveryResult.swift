import Chronology
import CurlTransport
import Ledger

/// Result of one delivery attempt. Its texts go to logs, the database and `/health`; they hold no secret and no mail
/// text.
enum DeliveryResult: Sendable {
    case accepted
    /// `asked`: the receiver's Retry-After in seconds. `wholeSink`: the sink would refuse every other message, too.
    case later(String, Backoff.Pace, asked: Int64?, wholeSink: Bool)
    case refused(String, wholeSink: Bool)
    /// The device is no longer registered.
    case deviceUnregistered(String)
    /// The daemon is stopping.
    case stopped

    init(_ error: HTTPSError) {
        switch error.kind {
        case .unreachable: self = .later(error.description, .quick, asked: nil, wholeSink: true)
        case .invalid: self = .refused(error.description, wholeSink: true)
        case .stopped: self = .stopped
        }
    }

    init(_ error: SMTPError) {
        switch error.kind {
        case .later: self = .later(error.description, .quick, asked: nil, wholeSink: true)
        case .refused: self = .refused(error.description, wholeSink: true)
        case .stopped: self = .stopped
        }
    }

    /// Maps the status of an HTTP server (RFC 9110 section 15).
    init(_ answer: HTTPSRequest.Answer, from name: String, at now: UnixTime) {
        let asked = answer.header("retry-after").flatMap { Backoff.retryAfter($0, at: now) }
        switch answer.status {
        case 200..<300: self = .accepted
        case 408, 425, 500...599:
            self = .later("\(name) answers \(answer.status)", .quick, asked: asked, wholeSink: true)
        case 429: self = .later("\(name) answers 429, too many requests", .slow, asked: asked, wholeSink: true)
        case 300..<400:
            self = .refused(
                "\(name) answers \(answer.status), a redirect, which is not followed: write the final address",
                wholeSink: true)
        case 401, 403:
            self = .refused(
                "\(name) answers \(answer.status): check the secret's file and what it allows", wholeSink: true)
        case 404, 405: self = .refused("\(name) answers \(answer.status): check the address", wholeSink: true)
        case 410:
            self = .refused(
                "\(name) answers 410, gone for good: remove it from the configuration, or write its new address",
                wholeSink: true)
        default: self = .refused("\(name) answers \(answer.status)", wholeSink: false)
        }
    }
}
