import Chronology
import Ledger

/// The changes of the ledger that changed profiles would make, row by row and value by value.
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
                ? "None of the \(preview.mails) booked mails of the bank that are retained would be read differently."
                : "\(count) of \(preview.mails) booked mails of the bank that are retained would be read differently."
        ]
        if count > Self.limit { sentences.append("The first \(Self.limit) are shown.") }
        if preview.settled > 0 {
            sentences.append(
                "\(preview.settled) more would be, but a person edited the transaction or a reconciled statement has it: it stays."
            )
        }
        if !preview.isComplete { sentences.append("There was no time for the rest: run parserctl replay.") }
        summary = sentences.joined(separator: " ")
        rows = preview.rows.prefix(Self.limit).map(Row.init)
    }
}

extension ReplayDifference.Row {
    fileprivate init(_ row: ReplayPreview.Row) {
        self.init(
            path: "/app/transactions/\(row.transaction)", date: DayText.text(row.date),
            amount: MoneyText.text(row.amount), merchant: row.merchant ?? "no merchant",
            changes: (row.outcome == .recorded ? [] : ["\(row.outcome.words) instead of booked"])
                + row.changes.map { "\($0.field.rawValue): \($0.before ?? "none") \u{2192} \($0.after ?? "none")" })
    }
}
