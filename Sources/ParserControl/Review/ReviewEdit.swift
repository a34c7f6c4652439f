import ArgumentParser
import JSONText
import Ledger
import Store

/// Puts right what was read wrongly. Also a transaction that was booked can be edited.
struct ReviewEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Put right what was read wrongly; with --accept also book it.",
        discussion: """
            A mail in which nothing could be read becomes a draft by this: --amount, --type and --date are needed then. On a terminal what is missing is asked for.
            """)

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
    @Option(help: "upi, card, neft, imps, rtgs, atm, mandate, cheque, wallet or other.")
    var channel: String?
    @Option(help: "The bank's own number for it.")
    var reference: String?
    @Option(help: "A category, or category/subcategory.")
    var category: String?
    @Flag(help: "Then book it.")
    var accept = false
    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orTell(id, json: json) {
            let store = try locations.store(readOnly: false)
            let reviewID = ReviewID(id)
            var edit = try given(in: store, amountInstead: try store.reviewItem(reviewID)?.transaction?.amount)
            if let item = try store.reviewItem(reviewID), item.isBlank {
                let missing = edit.missingOptions
                if !missing.isEmpty {
                    guard !json, Terminal.isInteractive else {
                        throw ValidationError(
                            "nothing could be read from this mail: give \(missing.joined(separator: ", ")), too")
                    }
                    try FieldQuestions.complete(&edit, of: item, in: store)
                }
            }
            guard accept || !edit.isEmpty else {
                throw ValidationError(
                    "nothing to change: give --amount, --currency, --merchant, --date, --time, --type, --account, --channel, --reference or --category"
                )
            }
            let before = try store.reviewItem(reviewID)?.transaction
            // Both or none.
            let isDone =
                accept ? try store.accept(reviewID, edit) : try store.edit(draft: reviewID, edit, by: .terminal)
            guard let row = try store.reviewItem(reviewID)?.transaction else {
                throw Refused(description: "\(id): there is no draft")
            }
            let changed = isDone && !edit.isEmpty
            let accepted = accept && isDone && before?.status != .confirmed
            let fix = try store.profileFix(for: row.id)
            if json {
                return print(
                    JSON.object([
                        ("id", .string(id)), ("changed", .bool(changed)), ("accepted", .bool(accepted)),
                        ("transaction", row.json),
                        (
                            "profile_fix",
                            fix.map { .object([("sentence", .string($0.sentence)), ("command", .string($0.command))]) }
                                ?? .null
                        ),
                    ]).text)
            }
            print(
                "\(id): \(changed ? "changed" : "as it was")\(accepted ? ", accepted" : ""): \(row.date) \(row.amount.description) \(Terminal.printable(row.vendor ?? ""))"
            )
            if changed, let why = row.categoryWhy {
                print("category: \(Terminal.printable(row.target)), \(Terminal.printable(why))")
            }
            if changed, let fix { print("offer: \(fix.sentence)\n  \(fix.command)") }
        }
    }

    private func given(in store: Store, amountInstead old: Money?) throws -> TransactionEdit {
        func value<Value>(_ text: String?, _ form: String, _ read: (String) -> Value?) throws -> Value? {
            try text.map { text in
                guard let value = read(text) else { throw ValidationError("'\(text)' is not \(form)") }
                return value
            }
        }
        func names<Value: CaseIterable & RawRepresentable>(_: Value.Type) -> String where Value.RawValue == String {
            Value.allCases.map(\.rawValue).joined(separator: ", ")
        }
        var edit = TransactionEdit()
        edit.date = try day(date)
        edit.merchant = merchant.map { .set($0) } ?? .keep
        edit.accountDigits = account.map { .set($0) } ?? .keep
        edit.reference = reference.map { .set($0) } ?? .keep
        edit.time = try value(time, "a time: write HH:mm:ss") { TimeOfDay(iso: $0) }.map { .set($0) } ?? .keep
        edit.type = try value(type, "a type: use \(names(TransactionType.self))") { TransactionType(rawValue: $0) }
        edit.channel =
            try value(channel, "a channel: use \(names(Channel.self))") { Channel(rawValue: $0) }.map { .set($0) }
            ?? .keep
        if let category {
            let target = try CategoryTarget(category, in: store)
            edit.category = target.category
            edit.subcategory = target.subcategory.map { .set($0) } ?? .clear
        }
        if amount != nil || currency != nil { edit.amount = try money(instead: old) }
        return edit
    }

    /// What is not given stays.
    private func money(instead old: Money?) throws -> Money {
        let code = currency ?? old?.currency.code ?? "INR"
        guard let unit = Currency(code: code.uppercased()) else {
            throw ValidationError("'\(code)' is not a currency: write three letters, such as INR")
        }
        let text = amount ?? old?.decimal ?? ""
        guard let money = Money(typed: text, currency: unit) else {
            throw ValidationError("'\(text)' is not an amount for certain: \(Money.typedForm)")
        }
        return money
    }
}
