import ArgumentParser
import Codecs
import Console
import Store

/// The options of every command that reads or changes the ledger, and its frame: open the ledger, report errors, print
/// JSON or text.
struct LedgerOptions: ParsableArguments {
    @Flag(help: "Print JSON, one object a line.")
    var json = false
    @OptionGroup var locations: Locations

    /// Calls the body with the ledger opened for reading.
    func read(_ body: (Store) throws -> Void) throws { try open(forChanges: false, body) }

    /// Calls the body with the ledger opened for changes.
    func write(_ body: (Store) throws -> Void) throws { try open(forChanges: true, body) }

    func open(forChanges: Bool, _ body: (Store) throws -> Void) throws {
        try orExit { try body(try locations.store(readOnly: !forChanges)) }
    }

    /// Prints the object or the text.
    func show(_ object: JSON, _ text: String) { Output.line(json ? object.text : text) }

    /// Asks the person at the terminal.
    ///
    /// - Parameter unattended: the reason why a program has to pass --yes.
    /// - Throws: `ValidationError` without a terminal.
    func confirm(_ question: String, unattended reason: String) throws -> Bool {
        guard Terminal.isInteractive, !json else {
            throw ValidationError("\(reason): add --yes without a terminal")
        }
        Output.text(question + " [y/N] ")
        return readLine()?.lowercased().hasPrefix("y") ?? false
    }

    /// Prints rows as JSON or as a table.
    ///
    /// - Parameter more: the number of rows that the limit left out.
    func show<Row>(_ rows: [Row], as format: RowFormat<Row>, more: Int = 0) {
        if json {
            for row in rows { Output.line(format.object(row).text) }
        } else if rows.isEmpty {
            Output.line(format.empty)
        } else {
            format.table(rows).print()
        }
        if more > 0 { note("\(more) more: --limit all shows them") }
    }

    /// Prints a line about the rows: on standard error if a program reads them.
    func note(_ notice: String) {
        if json { Output.error("parserctl: " + notice) } else { Output.line(notice) }
    }
}

/// Rows of one kind as a table and as JSON.
struct RowFormat<Row> {
    struct Column {
        let title: String
        let alignment: Table.Alignment
        let cell: (Row) -> String

        static func left(_ title: String, _ cell: @escaping (Row) -> String) -> Column {
            Column(title: title, alignment: .left, cell: cell)
        }

        static func right(_ title: String, _ cell: @escaping (Row) -> String) -> Column {
            Column(title: title, alignment: .right, cell: cell)
        }
    }

    /// The line without rows.
    let empty: String
    let object: (Row) -> JSON
    let columns: [Column]

    func table(_ rows: [Row]) -> Table {
        var table = Table(columns.map { ($0.title, $0.alignment) })
        for row in rows { table.add(columns.map { $0.cell(row) }) }
        return table
    }
}

/// The value of `--limit`: a number of rows, or `all`.
enum RowLimit: ExpressibleByArgument, Equatable {
    case rows(Int)
    case all

    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else {
            guard let count = Int(argument), count >= 0 else { return nil }
            self = .rows(count)
        }
    }

    var defaultValueDescription: String { self == .all ? "all" : "\(count)" }

    /// The maximum number of rows.
    var count: Int {
        switch self {
        case .rows(let count): count
        // Fits in a column of SQLite.
        case .all: Int(Int32.max)
        }
    }
}
