import ArgumentParser
import Codecs
import Console
import Ledger
import Statements
import Store

struct ColumnMappingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "columns", abstract: "The columns of lists of payments, for 'statement import --payments'.",
        subcommands: [Listing.self, Add.self, Remove.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the lists of payments that can be read, and the headings of their columns.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let shipped = try StatementReader.paymentLists(profiles: options.locations.profileFolders())
                options.show(PaymentColumns.choices(shipped, try store.statements.mappings()), as: .mappings)
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Name the columns of a list of payments; one of the same name is replaced.",
            discussion:
                "Example: parserctl statement columns add metro --column date=When --column text=Station --column amount=Fare --unsigned outgoing"
        )
        @Argument(help: "Its name: lower-case letters, digits and hyphens.")
        var name: String
        @Option(
            name: .customLong("column"),
            help:
                "A column and its heading, as in date=When; may be given several times. Columns: date, text, amount, debit, credit, sign, reference, account, status, currency."
        )
        var columns: [String] = []
        @Option(help: "The order of a date in digits: day_first, month_first or year_first.")
        var dateOrder = DateOrder.dayFirst.rawValue
        @Option(help: "An amount without a sign: omitted, outgoing or incoming.")
        var unsigned = PaymentColumns.Unsigned.omitted.rawValue
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            guard let order = DateOrder(rawValue: dateOrder) else {
                throw ValidationError("--date-order must be day_first, month_first or year_first")
            }
            guard let unsigned = PaymentColumns.Unsigned(rawValue: unsigned) else {
                throw ValidationError("--unsigned must be omitted, outgoing or incoming")
            }
            var mapping = PaymentColumns(name: name, headings: [:], dateOrder: order, unsigned: unsigned)
            for text in columns {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let column = PaymentColumns.Column(rawValue: parts[0]) else {
                    throw ValidationError("--column \(text): write COLUMN=HEADING, as in date=When")
                }
                mapping.headings[column, default: []].append(parts[1])
            }
            try options.write { [mapping] store in
                try store.statements.save(mapping)
                options.show(RowFormat<PaymentColumns>.mappings.object(mapping), "the columns of \(name) are kept")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Forget the columns of a list of payments. What was imported stays.")
        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                try store.statements.deleteMapping(name)
                options.show(.object([("name", .string(name))]), "the columns of \(name) are removed")
            }
        }
    }
}

extension RowFormat where Row == PaymentColumns {
    static var mappings: RowFormat {
        RowFormat(
            empty: "no list of payments is known: is _payment-lists.yaml in the profile folder?",
            object: { mapping in
                .object([
                    ("name", .string(mapping.name)),
                    (
                        "columns",
                        .object(
                            PaymentColumns.Column.allCases.compactMap { column in
                                mapping.headings[column].map { (column.rawValue, JSON.array($0.map(JSON.string))) }
                            })
                    ),
                    ("date_order", .string(mapping.dateOrder.rawValue)),
                    ("unsigned", .string(mapping.unsigned.rawValue)),
                ])
            },
            columns: [
                .left("NAME") { $0.name },
                .left("COLUMNS") { mapping in
                    PaymentColumns.Column.allCases.compactMap { column in
                        mapping.headings[column]?.first.map { "\(column.rawValue)=\(Terminal.printable($0))" }
                    }.joined(separator: " ")
                },
            ])
    }
}
