import Chronology
import CurlTransport
import IMAP
import Settings
import Store

/// Sender for one sink, with a persistent connection. Used by one thread.
final class SinkSender {
    let sink: SinkSettings
    private var client: HTTPSClient?
    private var apns: APNsSender?

    init(_ sink: SinkSettings) {
        self.sink = sink
        if case .apns(let settings) = sink.receiver { apns = APNsSender(settings, caFile: sink.caFile) }
    }

    func closeConnection() { client = nil }

    var isForDevices: Bool { apns != nil }

    /// - Parameter device: the receiver, for Apple's service only.
    func send(_ notice: Notice, to device: PushDevice?, at now: UnixTime, wake: Wake) -> DeliveryResult {
        if case .email(let settings) = sink.receiver {
            return EmailSender(settings: settings, caFile: sink.caFile).send(notice, at: now, wake: wake)
        }
        let client: HTTPSClient
        do throws(HTTPSError) {
            if let known = self.client { client = known } else { client = try HTTPSClient() }
            self.client = client
        } catch {
            return DeliveryResult(error)
        }
        switch sink.receiver {
        case .apns:
            guard let device else { return .deviceUnregistered("it is not registered any more") }
            return apns?.send(notice, to: device, client, at: now, wake: wake) ?? .stopped
        case .ntfy(let settings):
            return NtfySender(settings: settings, caFile: sink.caFile).send(notice, client, at: now, wake: wake)
        case .webhook(let settings):
            return WebhookSender(settings: settings, caFile: sink.caFile).send(notice, client, at: now, wake: wake)
        case .email: return .stopped
        }
    }
}
