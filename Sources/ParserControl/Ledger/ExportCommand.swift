import ArgumentParser
import Chronology
import Codecs
import Glibc
import Ledger
import Review
import Settings
import Store

struct Export: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, json }

    static let configuration = CommandConfiguration(abstract: "Write the transactions to standard output.")

    @Option(help: "csv or json (an array of objects).")
    var format = Format.csv
    @Option(help: "First day, yyyy-mm-dd.")
    var since: String?
    @Option(help: "Last day, yyyy-mm-dd.")
    var until: String?
    @Option(help: "confirmed, needs_review, rejected or all.")
    var status = "confirmed"
    @OptionGroup var locations: Locations

    func run() async throws {
        let filter = TransactionFilter(since: try day(since), until: try day(until), statuses: try statuses(status))
        try orExit {
            let store = try locations.store()
            var output = Output.Buffer()
            switch format {
            case .csv:
                output.line(CSV.header)
                try store.transactions.each(filter) {
                    output.line(CSV.line($0))
                    return true
                }
            case .json:
                var isFirst = true
                try store.transactions.each(filter) {
                    output.line((isFirst ? "[" : ",") + $0.json.text)
                    isFirst = false
                    return true
                }
                output.line(isFirst ? "[]" : "]")
            }
            output.flush()
        }
    }
}

func day(_ text: String?) throws -> CalendarDate? {
    do { return try text.map(FieldInput.date) } catch { throw ValidationError("\(error)") }
}

func statuses(_ text: String) throws -> Set<TransactionStatus>? {
    if text == "all" { return nil }
    guard let status = TransactionStatus(rawValue: text) else {
        throw ValidationError(
            "unknown status '\(text)': use \(TransactionStatus.allCases.map(\.rawValue).joined(separator: ", ")) or all"
        )
    }
    return [status]
}

extension TransactionRow {
    var json: JSON {
        .object([
            ("id", .integer(id)), ("date", JSON(describing: date)), ("time", JSON(describing: time)),
            ("type", .string(type.rawValue)),
            ("amount", .string(amount.decimal)),
            ("currency", .string(amount.currency.code)), ("merchant", JSON(vendor)), ("category", .string(category)),
            ("subcategory", JSON(subcategory)), ("category_why", JSON(categoryWhy)),
            ("category_by", JSON(categoryBy?.rawValue)),
            ("bank", JSON(profile)), ("account_name", JSON(accountName)), ("account", JSON(accountDigits)),
            ("channel", JSON(channel?.rawValue)), ("reference", JSON(reference)), ("vpa", JSON(vpa)),
            ("mcc", JSON(mcc)),
            ("balance", JSON(balance?.decimal)), ("limit", JSON(limit?.decimal)), ("status", .string(status.rawValue)),
            ("confidence", confidence.map(JSON.number) ?? .null), ("recorder", .string(recorder)),
            ("ledger", .string(ledger)), ("notes", JSON(notes)), ("tags", .array(tags.map(JSON.string))),
            ("payee", JSON(payee)), ("payee_id", JSON(payeeID)), ("is_split", .bool(isSplit)),
            ("duplicate_of", JSON(duplicateOf)), ("provenance", JSON.parsed(provenance)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}
