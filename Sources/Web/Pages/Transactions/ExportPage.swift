import Chronology
import Hummingbird
import Ledger
import Store

/// The form to export the ledger as CSV for chosen days.
enum ExportPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/export", on: router) { call in
            let today = pages.today
            let first = CalendarDate(year: today.year, month: today.month, day: 1) ?? today
            return try await pages.show(.export, call) { ledger in
                ExportView(
                    since: first.description, until: today.description,
                    isEmpty: try ledger.monitoring.status().transactions.values.reduce(0, +) == 0)
            }
        }
    }
}

struct ExportView: Sendable {
    var since: String
    var until: String
    var isEmpty: Bool
}
