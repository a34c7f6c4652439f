import Chronology
import Ledger

/// The changes that new profiles would make in the ledger, row by row and value by value.
struct ReplayDifference: Sendable {
    struct Row: Sendable {
        var path: String
        var date: String
        var amount: String
        var merchant: String
        var changes: [String]
    }

    /// Rows that a page shows.
    static let limit = 100

    var summary: String
    var rows: [Row]

    init(_ preview: ReplayPreview) {
        let count = preview.rows.count
        var sentences = [
            count == 0
                ? PageText.of("template.replay-none", count: preview.mails)
                : PageText.of("template.replay-some", ["different": "\(count)", "mails": "\(preview.mails)"])
        ]
        if count > Self.limit { sentences.append(PageText.of("common.first-shown", count: Self.limit)) }
        if preview.settled > 0 {
            sentences.append(
                PageText.of("template.replay-settled", count: preview.settled)
            )
        }
        if !preview.isComplete { sentences.append(PageText.of("template.replay-rest")) }
        summary = sentences.joined(separator: " ")
        rows = preview.rows.prefix(Self.limit).map(Row.init)
    }
}

extension ReplayDifference.Row {
    fileprivate init(_ row: ReplayPreview.Row) {
        self.init(
            path: "/app/transactions/\(row.transaction)", date: DayText.text(row.date),
            amount: MoneyText.text(row.amount), merchant: row.merchant ?? PageText.of("template.no-merchant"),
            changes: (row.outcome == .recorded
                ? [] : [PageText.of("template.instead-of-booked", ["outcome": row.outcome.title])])
                + row.changes.map {
                    "\($0.field.rawValue): \($0.before ?? PageText.of("common.none-value")) \u{2192} \($0.after ?? PageText.of("common.none-value"))"
                })
    }
}
