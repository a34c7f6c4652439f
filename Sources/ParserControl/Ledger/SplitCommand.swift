import ArgumentParser
import Codecs
import Console
import Ledger
import Review
import Store

struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a payment over several categories, or show its parts.",
        discussion: """
            The parts must make up the amount; one part may be CATEGORY=rest. Statistics and budgets count the parts. 'parserctl review undo' takes the \
            change back.
            """)
    @Argument(help: "The number of a transaction.")
    var id: Int64
    @Argument(help: "CATEGORY=AMOUNT or CATEGORY/SUBCATEGORY=AMOUNT, at least two; none shows the parts.")
    var parts: [String] = []
    @Flag(help: "Join the parts again.")
    var join = false
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        if join, !parts.isEmpty { throw ValidationError("--join takes no parts") }
    }

    func run() async throws {
        try options.open(forChanges: join || !parts.isEmpty) { store in
            guard var row = try store.transactions.find(id) else { throw Refused("there is no transaction \(id)") }
            if join || !parts.isEmpty {
                let made = try parts(of: row, in: store)
                row = try store.transactions.split(id, made, expecting: row.revision, by: .terminal)
            }
            show(row, try store.transactions.parts(of: id))
        }
    }

    private func parts(of row: TransactionRow, in store: Store) throws -> [SplitPart] {
        var made: [SplitPart] = []
        var rest: Int?
        for text in parts {
            guard let sign = text.lastIndex(of: "=") else {
                throw Refused("'\(text)' is not a part: write CATEGORY=AMOUNT", kind: .invalid)
            }
            let target = try CategoryTarget(String(text[..<sign]), in: store)
            let amount = String(text[text.index(after: sign)...])
            if amount == "rest", rest == nil { rest = made.count }
            let units = try amount == "rest" ? 0 : FieldInput.amount(amount, row.amount.currency).minorUnits
            made.append(SplitPart(category: target.category, subcategory: target.subcategory, minorUnits: units))
        }
        if let rest {
            let others = made.reduce(Int64(0)) { $0.addingReportingOverflow($1.minorUnits).partialValue }
            made[rest].minorUnits = row.amount.minorUnits.subtractingReportingOverflow(others).partialValue
        }
        return made
    }

    private func show(_ row: TransactionRow, _ parts: [SplitPart]) {
        func decimal(_ part: SplitPart) -> String {
            Money(minorUnits: part.minorUnits, currency: row.amount.currency).decimal
        }
        let list = parts.map { part -> JSON in
            .object([
                ("category_name", .string(part.category)), ("subcategory", JSON(part.subcategory)),
                ("amount", .string(decimal(part))),
            ])
        }
        let lines = parts.map {
            "  \($0.category)" + ($0.subcategory.map { "/\($0)" } ?? "") + "  " + decimal($0)
        }
        options.show(
            .object([
                ("id", .integer(row.id)), ("currency", .string(row.amount.currency.code)),
                ("amount", .string(row.amount.decimal)), ("splits", .array(list)),
            ]),
            parts.isEmpty
                ? "\(row.id): \(row.amount), not split"
                : (["\(row.id): \(row.amount)"] + lines.map(Terminal.printable)).joined(separator: "\n"))
    }
}
