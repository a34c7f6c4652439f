import ArgumentParser
import Glibc
import Ledger
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
        let filter = Store.Filter(since: try day(since), until: try day(until), statuses: try statuses(status))
        try orExit {
            let store = try locations.store()
            switch format {
            case .csv:
                print(CSV.header)
                try store.transactions(filter) { print(CSV.line($0)); return true }
            case .json:
                var isFirst = true
                try store.transactions(filter) {
                    print((isFirst ? "[" : ",") + $0.json.text)
                    isFirst = false
                    return true
                }
                print(isFirst ? "[]" : "]")
            }
        }
    }
}

func day(_ text: String?) throws -> CalendarDate? {
    guard let text else { return nil }
    guard let day = CalendarDate(iso: text) else { throw ValidationError("'\(text)' is not a day: write yyyy-mm-dd") }
    return day
}

func statuses(_ text: String) throws -> Set<TransactionStatus>? {
    if text == "all" { return nil }
    guard let status = TransactionStatus(rawValue: text) else {
        throw ValidationError("unknown status '\(text)': use \(TransactionStatus.allCases.map(\.rawValue).joined(separator: ", ")) or all")
    }
    return [status]
}

/// Prints an error of the database or of a file and ends with status 1.
func orExit<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ValidationError { throw error } catch let error as ExitCode { throw error } catch {
        StandardError.write("parserctl: \(error)\n")
        throw ExitCode(1)
    }
}

/// The export that spreadsheets and the phone client read.
enum CSV {
    static let header = "Ledger,Category,Subcategory,Currency,Price,Account,Recorder,Date,Time,Note,Transaction"

    static func line(_ row: TransactionRow) -> String {
        let account = [row.accountName, row.accountDigits].compactMap { $0 }.joined(separator: " ")
        let note = [row.vendor, row.notes].compactMap { $0 }.joined(separator: "; ")
        return [
            row.ledger, row.category, row.subcategory ?? "", row.amount.currency.code, row.amount.decimal, account, row.recorder, row.date, row.time ?? "",
            note, row.type.rawValue,
        ].map(field).joined(separator: ",")
    }

    /// RFC 4180, and no spreadsheet takes a merchant's name for a formula.
    static func field(_ text: String) -> String {
        let safe = text.first.map { "=+-@\t".contains($0) } ?? false ? "'" + text : text
        guard safe.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension TransactionRow {
    var json: JSON {
        .object([
            ("id", .integer(id)), ("date", .string(date)), ("time", JSON(time)), ("type", .string(type.rawValue)), ("amount", .string(amount.decimal)),
            ("currency", .string(amount.currency.code)), ("merchant", JSON(vendor)), ("category", .string(category)), ("subcategory", JSON(subcategory)), ("category_why", JSON(categoryWhy)), ("category_by", JSON(categoryBy?.rawValue)),
            ("bank", JSON(profile)), ("account_name", JSON(accountName)), ("account", JSON(accountDigits)), ("channel", JSON(channel?.rawValue)), ("reference", JSON(reference)), ("vpa", JSON(vpa)), ("mcc", JSON(mcc)),
            ("balance", JSON(balance?.decimal)), ("limit", JSON(limit?.decimal)), ("status", .string(status.rawValue)),
            ("confidence", confidence.map(JSON.number) ?? .null), ("recorder", .string(recorder)), ("ledger", .string(ledger)), ("notes", JSON(notes)),
            ("duplicate_of", JSON(duplicateOf)), ("provenance", JSON.parsed(provenance)), ("created_at", .string(createdAt)), ("updated_at", .string(updatedAt)),
        ])
    }
}
