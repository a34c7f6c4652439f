import Chronology
import Hummingbird
import Ledger
import Store

/// The ledger as a file, for the days that a person chooses.
enum ExportPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/export", on: router) { call in
            let today = pages.today
            let first = CalendarDate(year: today.year, month: today.month, day: 1) ?? today
            let isEmpty = try await pages.services.ledger {
                try $0.monitoring.status().transactions.values.reduce(0, +) == 0
            }
            return await pages.show(
                "export", ExportView(since: first.description, until: today.description, isEmpty: isEmpty), call,
                title: "Export", section: .export)
        }
    }
}

struct ExportView {
    var since: String
    var until: String
    var isEmpty: Bool
}
