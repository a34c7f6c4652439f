import Access
import HTTPTypes
import Hummingbird

/// The period of the last page that shows one, which the browser keeps for pages whose address has none: those below
/// others, and the ones that forms lead to. The address of a page decides; the cookie only completes links to other
/// pages. It ends with the browser.
enum KeptPeriod {
    private static let cookieName = "period"

    /// The pages that show a period.
    private static let paths: Set<String> = [
        "/", StatisticsPage.path, "/app/budgets", "/app/tags", "/app/transactions",
    ]

    /// The period that counts for links of a page that shows none, as ``PeriodChoice/carried``; empty without one.
    static func query(for call: PageCall) -> String { isShown(by: call) ? "" : query(in: call.request) }

    private static func query(in request: Request) -> String { request.cookies[cookieName]?.value ?? "" }

    private static func isShown(by call: PageCall) -> Bool {
        call.request.method == .get && paths.contains(call.request.uri.path)
    }

    /// Completes the address that a form leads to, and keeps the period of a page that is shown.
    static func apply(_ call: PageCall, _ pages: Pages, to response: inout Response) {
        if let location = response.headers[.location] {
            complete(location, call, pages, in: &response)
        } else if call.request.method == .get, response.status == .ok {
            let own = PeriodChoice(call.query, today: pages.today)
            let wanted = own.carried
            guard own.period != nil || isShown(by: call), wanted != query(in: call.request) else {
                return
            }
            response.setCookie(
                Cookie(
                    name: cookieName, value: wanted, maxAge: wanted.isEmpty ? 0 : nil, path: "/",
                    secure: pages.services.access.policy.isTLS, httpOnly: true, sameSite: .strict))
        }
    }

    private static func complete(_ location: String, _ call: PageCall, _ pages: Pages, in response: inout Response) {
        let (path, fields) = FormFields.parts(ofAddress: location)
        // The list to return to is shown as it was.
        guard paths.contains(path), call.back.map({ FormFields.parts(ofAddress: $0).path }) != path,
            !["period", "since", "until"].contains(where: { fields[$0] != nil })
        else { return }
        let kept = PeriodChoice(carriedBy: call, today: pages.today).fields
        guard !kept.isEmpty else { return }
        response.headers[.location] = path + "?" + fields.with(kept)
    }
}
