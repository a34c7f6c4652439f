import Glibc
public import Hummingbird
public import Logging
public import Store

/// The HTTP side: for now the program's name at `/`, its health at `/health` and its figures at `/metrics`.
public enum WebApplication {
    struct About: ResponseEncodable {
        var name = "SpendWise"
        var version: String
    }

    /// - Parameters:
    ///   - mailboxes: the names that the configuration has.
    ///   - figures: gathers them off the threads that serve; SQLite blocks.
    public static func make(
        host: String, port: Int, version: String, mailboxes: [String], logger: Logger, figures: @escaping @Sendable () async throws -> Figures,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let startTime = Int64(time(nil))
        let router = Router()
        router.add(middleware: LoopbackHost())
        router.get("/") { _, _ in About(version: version) }
        router.get("/health") { _, _ -> EditedResponse<HealthAnswer> in
            do {
                let gathered = try await figures()
                let report = HealthReport(gathered, configured: mailboxes)
                return EditedResponse(
                    status: report.level == .failing ? .serviceUnavailable : .ok, headers: [.cacheControl: "no-store"], response: HealthAnswer(gathered, report))
            } catch {
                logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
                return EditedResponse(
                    status: .serviceUnavailable, headers: [.cacheControl: "no-store"],
                    response: HealthAnswer(failing: "the ledger cannot be read; the log of spendwised says why"))
            }
        }
        router.get("/metrics") { _, _ -> EditedResponse<String> in
            let page: MetricsPage
            do {
                page = MetricsPage(try await figures(), version: version, process: .now(startTime: startTime))
            } catch {
                logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
                throw HTTPError(.serviceUnavailable, message: "the ledger cannot be read; the log of spendwised says why")
            }
            return EditedResponse(status: .ok, headers: [.contentType: Exposition.contentType, .cacheControl: "no-store"], response: page.text)
        }
        return Application(
            router: router, configuration: .init(address: .hostname(host, port: port), serverName: "SpendWise"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) }, logger: logger)
    }
}
