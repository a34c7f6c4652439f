import Chronology
import Glibc
import Hummingbird
import Logging
import Monitoring
import Review
import Store

/// `/health` for users and supervisors, `/metrics` for Prometheus.
enum StatusRoutes {
    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let startTime = UnixTime.now
        router.get("/health") { _, _ -> EditedResponse<HealthAnswer> in
            do {
                let (gathered, names) = try await services.read { ledger in
                    (try ledger.monitoring.snapshot(), try services.mailboxNames(in: ledger))
                }
                let report = HealthReport(gathered, configured: names)
                return EditedResponse(
                    status: report.level == .failing ? .serviceUnavailable : .ok, headers: [.cacheControl: "no-store"],
                    response: HealthAnswer(gathered, report))
            } catch {
                services.logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
                return EditedResponse(
                    status: .serviceUnavailable, headers: [.cacheControl: "no-store"],
                    response: HealthAnswer(failing: "the ledger cannot be read; the log of spendwised gives the reason")
                )
            }
        }
        router.get("/metrics") { _, _ -> EditedResponse<String> in
            let page: MetricsPage
            do {
                page = MetricsPage(
                    try await services.ledger { try $0.monitoring.snapshot() }, version: services.version,
                    process: .now(startTime: startTime), responses: services.access.responses.byStatus)
            } catch {
                services.logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
                throw HTTPError(
                    .serviceUnavailable, message: "the ledger cannot be read; the log of spendwised gives the reason")
            }
            return EditedResponse(
                status: .ok, headers: [.contentType: Exposition.contentType, .cacheControl: "no-store"],
                response: page.text)
        }
    }
}
