import ArgumentParser
import Chronology
import Codecs
import Console
import Exports
import Ledger
import Review
import Store

/// Corrects a draft or a booked transaction.
struct ReviewEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Correct the fields of a transaction; with --accept also book it.",
        discussion: """
            For a mail that could not be read this makes the draft, which needs --amount, --type and --date. On a terminal the missing ones are asked for.
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
    @Option(help: "The payee or payer.")
    var merchant: String?
    @Option(help: "The last digits of the account or card.")
    var account: String?
    @Option(help: "upi, card, neft, imps, rtgs, atm, mandate, cheque, wallet or other.")
    var channel: String?
    @Option(help: "The bank's reference number.")
    var reference: String?
    @Option(help: "A category, or category/subcategory.")
    var category: String?
    @Flag(help: "Also book it.")
    var accept = false
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try orReport(id, json: options.json) {
            let store = try options.locations.store(readOnly: false)
            let service = ReviewService(store)
            let reviewID = ReviewID(id)
            let before = try service.item(reviewID)
            let edit = try completed(given(in: store, amountInstead: before?.transaction?.amount), before, by: service)
            guard accept || !edit.isEmpty else {
                throw ValidationError(
                    "nothing to change: give --amount, --currency, --merchant, --date, --time, --type, --account, --channel, --reference or --category"
                )
            }
            // An amount without a currency is completed from the draft that was read.
            let seen = before.map(SeenDraft.init) ?? .anything
            let result =
                accept
                ? try service.accept(reviewID, seen: seen) { _ in edit }
                : try service.correct(reviewID, seen: seen) { _ in edit }
            guard let row = result.item?.transaction else { throw Refused("\(id): there is no draft") }
            let changed = result.changed && !edit.isEmpty
            let accepted = accept && result.changed && before?.transaction?.status != .confirmed
            report(
                row, changed: changed, accepted: accepted, try service.profileFix(forTransaction: row.id),
                try store.payees.offer(for: row.id))
        }
    }

    /// Asks for the fields that a mail without a draft still needs.
    private func completed(
        _ given: TransactionEdit, _ item: ReviewItem?, by service: ReviewService<Store>
    ) throws -> TransactionEdit {
        let missing = given.missingOptions
        guard let item, item.isBlank, !missing.isEmpty else { return given }
        guard !options.json, Terminal.isInteractive else {
            throw Refused(
                "nothing could be read from this mail: give \(missing.joined(separator: ", ")), too", kind: .invalid)
        }
        var edit = given
        try FieldQuestions.complete(&edit, of: ReviewID(id), by: service)
        return edit
    }

    private func report(_ row: TransactionRow, changed: Bool, accepted: Bool, _ fix: ProfileFix?, _ alias: AliasOffer?)
    {
        if options.json {
            let offer = fix.map { fix in
                JSON.object([("sentence", .string(fix.sentence)), ("command", .string(fix.command))])
            }
            return Output.line(
                JSON.object([
                    ("id", .string(id)), ("changed", .bool(changed)), ("accepted", .bool(accepted)),
                    ("transaction", row.json), ("profile_fix", offer ?? .null),
                    (
                        "payee_offer",
                        alias.map { .object([("alias", .string($0.alias)), ("payee", .string($0.payee))]) } ?? .null
                    ),
                ]).text)
        }
        let done = (changed ? "changed" : "as it was") + (accepted ? ", accepted" : "")
        Output.line(
            "\(id): \(done): \(row.date) \(row.amount.description) \(Terminal.printable(row.vendor ?? ""))")
        if changed, let why = row.categoryWhy {
            Output.line("category: \(Terminal.printable(row.target)), \(Terminal.printable(why))")
        }
        if changed, let alias {
            Output.line("offer: \(Terminal.printable(alias.sentence))\n  parserctl payee offer \(row.id) --accept")
        }
        if changed, let fix { Output.line("offer: \(fix.sentence)\n  \(fix.command)") }
    }

    private func given(in store: Store, amountInstead old: Money?) throws -> TransactionEdit {
        do {
            var edit = TransactionEdit()
            edit.date = try date.map(FieldInput.date)
            edit.merchant = merchant.map { .set($0) } ?? .keep
            edit.accountDigits = account.map { .set($0) } ?? .keep
            edit.reference = reference.map { .set($0) } ?? .keep
            edit.time = try time.map { .set(try FieldInput.time($0)) } ?? .keep
            edit.type = try type.map { try FieldInput.choice($0, "a type") }
            edit.channel = try channel.map { .set(try FieldInput.choice($0, "a channel")) } ?? .keep
            if let category {
                let target = try CategoryTarget(category, in: store)
                edit.category = target.category
                edit.subcategory = target.subcategory.map { .set($0) } ?? .clear
            }
            if amount != nil || currency != nil {
                // The part that is not given stays.
                let unit = try FieldInput.currency(currency ?? old?.currency.code ?? store.homeCurrency.code)
                edit.amount = try FieldInput.amount(amount ?? old?.decimal ?? "", unit)
            }
            return edit
        } catch let error as FieldInputError { throw Refused("\(error)", kind: .invalid) }
    }
}

extension ProfileFix {
    /// The command that makes or mends the template.
    var command: String {
        let name = template.flatMap { $0.split(separator: "/").last }.map { "\($0) --mend" } ?? "alert"
        return "parserctl new --review \(reviewID) --bank \(bank ?? "BANK") --name \(name)"
    }
}
