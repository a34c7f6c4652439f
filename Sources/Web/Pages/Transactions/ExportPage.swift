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
                try $0.statusSummary().transactions.values.reduce(0, +) == 0
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

let exportTemplate = #"""
    {{#view}}<h1>Export</h1>{{#isEmpty}}<section class="card empty"><h2>Nothing to export yet</h2><p>The file would hold its header only. Transactions come with the first alert mail: see <a href="/app/mailboxes">Mailboxes</a>.</p></section>{{/isEmpty}}
    <section class="card" aria-labelledby="csv"><h2 id="csv">CSV</h2><p class="note">For spreadsheets and the phone app: ledger, category, subcategory, currency, price, account, recorder, date, time, note and type of each booked transaction.</p>
    <form method="get" action="/transactions/export/csv"><div class="fields"><label>From<input type="date" name="since" value="{{since}}" required></label><label>To<input type="date" name="until" value="{{until}}" required></label></div><p class="actions"><button>Download</button> <a class="button plain" href="/transactions/export/csv">Everything</a></p></form></section>{{/view}}
    """#
