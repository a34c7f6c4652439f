import Chronology
import Ledger
import Store

/// A beancount file: each account is opened on the day of its first entry, each entry has its identifier as metadata.
struct BeancountWriter: ExportWriter {
    private var opened: Set<String> = []
    /// Balances that hold at the end of ``day``, by account; asserted at the beginning of the next day.
    private var ends: [String: Money] = [:]
    private var day: CalendarDate?

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        out.line("option \"title\" \"SpendWise\"")
        out.line()
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        advance(to: entry.day, &out)
        let own = Path.make(.account(entry.account), Path.dashed)
        let others = entry.parts.map { (Path.make($0.place, Path.dashed), $0.amount) }
        for path in [own] + others.map(\.0) { open(path, on: entry.day, &out) }
        if let price = entry.price {
            out.line("\(price.day) price \(price.base.code) \(price.decimal) \(price.quote.code)")
        }
        let tags = entry.row?.tags.map(Path.dashed).filter { !$0.isEmpty }.map { " #\($0.lowercased())" } ?? []
        let payee = Self.quoted(entry.payee)
        out.line("\(entry.day) * \(payee) \(Self.quoted(entry.notes))\(tags.joined())")
        out.line("  id: \"\(entry.id)\"")
        for (name, value) in entry.facts where name != "notes" { out.line("  \(name): \(Self.quoted(value))") }
        posting(own, entry.amount, entry.printed, &out)
        for (path, amount) in others { posting(path, amount, entry.counterpartPrinted, &out) }
        out.line()
    }

    mutating func end(_ out: inout ExportText) { assertEnds(&out) }

    private mutating func open(_ path: String, on day: CalendarDate, _ out: inout ExportText) {
        // An opening balance can be dated before the entries around it.
        if opened.insert(path).inserted { out.line("\(min(day, self.day ?? day)) open \(path)") }
    }

    private mutating func posting(
        _ path: String, _ amount: Money, _ printed: ExportEntry.PrintedBalance?, _ out: inout ExportText
    ) {
        var line = "  \(path)  \(Self.amount(amount))"
        ends[path] = nil
        if let printed {
            if printed.holds {
                ends[path] = printed.amount
            } else {
                line += " ; printed \(Self.amount(printed.amount))"
            }
        }
        out.line(line)
    }

    private mutating func advance(to next: CalendarDate, _ out: inout ExportText) {
        if let day, next > day { assertEnds(&out) }
        day = max(day ?? next, next)
    }

    private mutating func assertEnds(_ out: inout ExportText) {
        guard let day, !ends.isEmpty else { return }
        let next = CalendarDate(daysSince1970: day.daysSince1970 + 1)
        // The last day of the calendar has no day after it for the assertion.
        if next > day {
            for (path, amount) in ends.sorted(by: { $0.key < $1.key }) {
                out.line("\(next) balance \(path)  \(Self.amount(amount))")
            }
            out.line()
        }
        ends = [:]
    }

    private static func amount(_ amount: Money) -> String { "\(amount.decimal) \(amount.currency.code)" }

    private static func quoted(_ text: String) -> String {
        "\"" + PlainLine.escaped(PlainLine.make(text), "\"\\", by: "\\") + "\""
    }
}
