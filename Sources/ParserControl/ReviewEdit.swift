import ArgumentParser
import JSONText
import Ledger
import Store

/// Puts right what was read wrongly. Also a transaction that was booked can be edited.
struct ReviewEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Put right what was read wrongly; with --accept also book it.")

    @Argument(help: "The number of a transaction, or the id of its mail.")
    var id: String
    @Option(help: "The amount, such as 1234.56.")
    var amount: String?
    @Option(help: "Three letters, such as INR.")
    var currency: String?
    @Option(help: "expense, income or transfer.")
    var type: String?
    @Option(help: "yyyy-mm-dd.")
    var date: String?
    @Option(help: "HH:mm:ss.")
    var time: String?
    @Option(help: "Who was paid, or who paid.")
    var merchant: String?
    @Option(help: "The last digits of the account or card.")
    var account: String?
    @Flag(help: "Then book it.")
    var accept = false
    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orExit {
            let store = try locations.store(readOnly: false)
            let reviewID = ReviewID(id)
            var correction = Store.Correction()
            correction.date = try day(date)
            correction.merchant = merchant
            correction.account = account
            correction.time = try time.map { text in
                guard let value = TimeOfDay(iso: text) else { throw ValidationError("'\(text)' is not a time: write HH:mm:ss") }
                return value
            }
            correction.type = try type.map { text in
                guard let value = TransactionType(rawValue: text) else {
                    throw ValidationError("unknown type '\(text)': use \(TransactionType.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                return value
            }
            if amount != nil || currency != nil { correction.amount = try money(instead: try store.reviewItem(reviewID)?.transaction?.amount) }
            guard accept || !correction.isEmpty else { throw ValidationError("nothing to change: give --amount, --merchant, --date, --time, --type or --account") }
            let changed = try store.correct(reviewID, correction)
            let accepted = try accept && store.accept(reviewID)
            guard let row = try store.reviewItem(reviewID)?.transaction else { return }
            let fix = try store.profileFix(for: row.id)
            if json {
                return print(
                    JSON.object([
                        ("id", .string(id)), ("changed", .bool(changed)), ("accepted", .bool(accepted)), ("transaction", row.json),
                        ("profile_fix", fix.map { .object([("sentence", .string($0.sentence)), ("command", .string($0.command))]) } ?? .null),
                    ]).text)
            }
            print("\(id): \(changed ? "changed" : "as it was")\(accepted ? ", accepted" : ""): \(row.date) \(row.amount.description) \(Terminal.printable(row.vendor ?? ""))")
            if changed, let why = row.categoryWhy { print("category: \(Terminal.printable(row.target)), \(Terminal.printable(why))") }
            if changed, let fix { print("offer: \(fix.sentence)\n  \(fix.command)") }
        }
    }

    /// What is not given stays.
    private func money(instead old: Money?) throws -> Money {
        let code = currency ?? old?.currency.code ?? "INR"
        guard let unit = Currency(code: code.uppercased()) else { throw ValidationError("'\(code)' is not a currency: write three letters, such as INR") }
        let text = amount ?? old?.decimal ?? ""
        guard let money = Money(printed: text.utf8, currency: unit) else { throw ValidationError("'\(text)' is not an amount: write it as 1234.56") }
        return money
    }
}
