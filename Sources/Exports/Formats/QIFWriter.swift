import Chronology
import Ledger
import Store

/// QIF: one list for each account and currency. QIF has no identifiers; the number of a transaction is its identifier.
struct QIFWriter: ExportWriter {
    private var kind = ""

    mutating func open(_ section: ExportSection, _ out: inout ExportText) {
        kind =
            switch section.account.type {
            case .card: "CCard"
            case .cash: "Cash"
            case .loan: "Oth L"
            case .bank, .wallet, .investment: "Bank"
            }
        out.line("!Account")
        out.line("N\(Self.place(section.name))")
        out.line("T\(kind)")
        out.line("^")
        out.line("!Type:\(kind)")
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        out.line("D\(entry.day)")
        out.line("T\(entry.amount.decimal)")
        out.line("N\(entry.id)")
        out.line("P\(Self.text(entry.payee))")
        let memo = [entry.notes, entry.row?.reference.map { "ref \($0)" } ?? ""].filter { !$0.isEmpty }
        if !memo.isEmpty { out.line("M\(Self.text(memo.joined(separator: "; ")))") }
        if let part = entry.parts.first { out.line("L\(place(part.place, entry))") }
        if entry.parts.count > 1 {
            for part in entry.parts {
                out.line("S\(place(part.place, entry))")
                out.line("$\(part.amount.negated.decimal)")
            }
        }
        out.line("^")
    }

    private func place(_ place: ExportEntry.Place, _ entry: ExportEntry) -> String {
        switch place {
        case .account(let account):
            let currency = entry.amount.currency
            return "[\(Self.place(account.name + (account.currency == currency ? "" : " \(currency.code)")))]"
        // An opening balance is a transfer from its own account.
        case .openings: return "[\(Self.place(entry.account.name))]"
        case .transfers: return "Transfers"
        case .expense(let category, let subcategory), .income(let category, let subcategory):
            return ([category] + (subcategory.map { [$0] } ?? [])).map(Self.place).joined(separator: ":")
        }
    }

    private static func text(_ text: String) -> String { PlainLine.make(text) }

    /// A name without the marks of transfers, subcategories and classes.
    private static func place(_ text: String) -> String {
        PlainLine.make(text) { scalar in
            switch scalar {
            case "[": "("
            case "]": ")"
            case ":", "/", "|": "-"
            default: scalar
            }
        }
    }
}
