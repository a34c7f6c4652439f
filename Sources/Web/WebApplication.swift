public import Hummingbird
public import Logging
import Store

/// The HTTP side: for now the program's name at `/` and its health at `/health`.
public enum WebApplication {
    struct About: ResponseEncodable {
        var name = "SpendWise"
        var version: String
    }

    struct Health: ResponseEncodable {
        /// `ok`, or `degraded` where a mailbox waits after a fault, or for a person.
        var status: String
        var mailboxes: [MailboxHealth]
    }

    public static func make(
        host: String, port: Int, version: String, logger: Logger, health: @escaping @Sendable () throws -> [MailboxHealth],
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/") { _, _ in About(version: version) }
        router.get("/health") { _, _ -> EditedResponse<Health> in
            do {
                let mailboxes = try health()
                return EditedResponse(
                    status: .ok,
                    response: Health(status: mailboxes.contains { $0.state == "waiting" || $0.state == "refused" } ? "degraded" : "ok", mailboxes: mailboxes))
            } catch {
                return EditedResponse(status: .serviceUnavailable, response: Health(status: "no database", mailboxes: []))
            }
        }
        return Application(
            router: router, configuration: .init(address: .hostname(host, port: port), serverName: "SpendWise"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) }, logger: logger)
    }
}
