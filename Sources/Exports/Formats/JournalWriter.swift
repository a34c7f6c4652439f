import Chronology
import Ledger
import Store

/// A journal for hledger and ledger: each account and currency is declared before its first use, each entry has its
/// identifier as code and as tag.
struct JournalWriter: ExportWriter {
    private var declared: Set<String> = []

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        out.line("; SpendWise")
        out.line()
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        let own = Path.make(.account(entry.account), Path.worded)
        let others = entry.parts.map { (Path.make($0.place, Path.worded), $0.amount) }
        for (path, amount) in [(own, entry.amount)] + others {
            declare(amount.currency, &out)
            declare(path, &out)
        }
        if let price = entry.price {
            declare(price.quote, &out)
            out.line("P \(price.day) \(price.base.code) \(price.quote.code) \(price.decimal)")
            out.line()
        }
        out.line("\(entry.day) * (\(entry.id)) \(Self.description(entry.payee))".trimmedEnd)
        out.line("    ; id: \(entry.id)")
        for (name, value) in entry.facts { out.line("    ; \(name): \(Self.comment(value))") }
        let tags = entry.row?.tags.map(Self.tag).filter { !$0.isEmpty } ?? []
        if !tags.isEmpty { out.line("    ; tags: \(tags.joined(separator: " "))") }
        posting(own, entry.amount, entry.printed, &out)
        for (path, amount) in others { posting(path, amount, entry.counterpartPrinted, &out) }
        out.line()
    }

    private mutating func declare(_ currency: Currency, _ out: inout ExportText) {
        if declared.insert(currency.code).inserted {
            out.line("commodity \(currency.code)")
            let fraction = String(repeating: "0", count: currency.exponent)
            out.line("    format \(currency.code) 1000.\(fraction)")
            out.line()
        }
    }

    private mutating func declare(_ path: String, _ out: inout ExportText) {
        if declared.insert(path).inserted {
            out.line("account \(path)")
            out.line()
        }
    }

    /// A balance that holds is asserted; another one is a comment.
    private func posting(
        _ path: String, _ amount: Money, _ printed: ExportEntry.PrintedBalance?, _ out: inout ExportText
    ) {
        var line = "    \(path)  \(Self.amount(amount))"
        if let printed {
            line += printed.holds ? " = \(Self.amount(printed.amount))" : "  ; printed: \(Self.amount(printed.amount))"
        }
        out.line(line)
    }

    private static func amount(_ amount: Money) -> String { "\(amount.currency.code) \(amount.decimal)" }

    /// Text without the marks that end a description (`;`) or divide it (`|`).
    private static func description(_ text: String) -> String {
        PlainLine.make(text) { $0 == ";" ? "," : $0 == "|" ? "/" : $0 }
    }

    /// Text of a comment. A comma ends the value of a tag, and brackets can be a date.
    private static func comment(_ text: String) -> String {
        PlainLine.make(text) { scalar in
            switch scalar {
            case ",", ";": " "
            case "[": "("
            case "]": ")"
            default: scalar
            }
        }
    }

    private static func tag(_ text: String) -> String { comment(text).replacing(" ", with: "-") }
}

extension String {
    /// Without blanks at the end.
    var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
