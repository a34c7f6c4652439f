import Chronology
import Exports
import Hummingbird
import Ledger
import Store

/// The form to export the ledger, or what a filter of the list selects, in a chosen format.
enum ExportPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/export", on: router) { call in
            let today = pages.today
            let first = CalendarDate(year: today.year, month: today.month, day: 1) ?? today
            // The navigation passes a period on, which is no filter here: it fills in the days.
            let days = PeriodChoice(call.query, today: today).period?.days
            let list = TransactionList(FormFields(call.query.with([("period", nil), ("compare", nil)])), pages)
            return try await pages.show(.export, call) { ledger in
                var view = ExportView(
                    since: (days?.first ?? first).description, until: (days?.last ?? today).description,
                    isEmpty: try ledger.monitoring.status().transactions.values.reduce(0, +) == 0)
                if list.isFiltered {
                    view.since = call.query["since"] ?? days?.first.description ?? ""
                    view.until = call.query["until"] ?? days?.last.description ?? ""
                    view.filter = Self.kept(call).map { ExportView.Field(name: $0.name, value: $0.value) }
                    let query = Self.query(list)
                    view.selected = PageText.count(try ledger.transactions.page(query).total, "transaction")
                }
                return view
            }
        }
        pages.get("/app/export/file", on: router) { call in
            let list = TransactionList(call, pages)
            guard let format = ExportFormat(rawValue: call.query["format"] ?? "csv"), list.problems.isEmpty else {
                throw PageProblem(
                    status: .unprocessableContent, title: PageText.of("export.cannot"),
                    text: list.problems.first ?? PageText.of("export.no-format"))
            }
            var request = ExportRequest(format, Self.query(list))
            request.marksEncoding = call.query["bom"] != nil
            return try await ExportAnswer.answer(request, pages.services).response(ContentCoding(call.request))
        }
    }

    /// The query of the list; the booked transactions unless a status is chosen.
    private static func query(_ list: TransactionList) -> TransactionQuery {
        var query = list.query
        query.cursor = nil
        if list.fields.text("status") == nil { query.statuses = [.confirmed] }
        return query
    }

    /// The fields of the filter that the form has no inputs for.
    private static func kept(_ call: PageCall) -> [(name: String, value: String)] {
        let own: Set<String> = [
            "since", "until", "period", "compare", "format", "bom", "sort", "dir", "cursor",
        ]
        return call.query.fields.filter {
            !own.contains($0.name) && !PageNotice.parameters.map(\.0).contains($0.name) && !$0.value.isEmpty
        }
    }
}

struct ExportView: Sendable {
    /// A field of the filter of the list.
    struct Field: Sendable {
        var name: String
        var value: String
    }

    var since: String
    var until: String
    var isEmpty: Bool
    var filter: [Field] = []
    /// The number of transactions of the filter, in words; `nil` without one.
    var selected: String?
    var formats: [SelectChoice] = ExportFormat.allCases.map { SelectChoice($0.rawValue, $0.title, chosen: "csv") }
}
