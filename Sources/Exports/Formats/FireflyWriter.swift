import Chronology
import Ledger
import Store

/// CSV for the data importer of Firefly III, with the names of its roles as headings. The importer skips rows whose
/// `external-id` it knows.
struct FireflyWriter: ExportWriter {
    static let header = [
        "external-id", "date_transaction", "amount", "currency-code", "description", "account-name", "opposing-name",
        "category-name", "tags-comma", "internal_reference", "note",
    ]

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        out.line(Self.header.joined(separator: ","))
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        // The importer makes no opening balances: a person enters them with the account.
        guard let row = entry.row else { return }
        let payee = PlainLine.make(entry.payee)
        let description = payee.isEmpty ? row.category : payee
        let opposing = entry.otherAccount?.name ?? (entry.isTransfer ? "Transfers" : description)
        let tags = row.tags.map { $0.replacing(",", with: " ") }.joined(separator: ",")
        let category = entry.isTransfer ? "" : row.category + (row.subcategory.map { " / \($0)" } ?? "")
        let fields = [
            entry.id, entry.day.description, entry.amount.decimal, entry.amount.currency.code, description,
            entry.account.name, opposing, category, tags, row.reference ?? "", entry.notes,
        ]
        out.line(fields.map { CSV.quoted(PlainLine.make($0)) }.joined(separator: ","))
    }
}
