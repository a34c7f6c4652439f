import ArgumentParser
import Chronology
import Codecs
import Store

/// A row of the ledger, by its number.
struct RowArgument: ParsableArguments {
    @Argument(help: "Its number.")
    var id: Int64
    @OptionGroup var options: LedgerOptions

    /// Deletes the row and reports it.
    ///
    /// - Parameters:
    ///   - noun: the kind of row, for display.
    ///   - word: the member of the JSON.
    func delete(_ noun: String, as word: String = "deleted", _ body: (Store, Int64) throws -> Void) throws {
        try options.write { store in
            try body(store, id)
            options.show(.object([(word, .integer(id))]), "\(noun) \(id) was \(word)")
        }
    }
}

/// A search for pairs among the booked transactions.
struct PairSearchOptions: ParsableArguments {
    @Option(help: "First day, yyyy-mm-dd.")
    var since: String?
    @OptionGroup var options: LedgerOptions

    /// Prints how many pairs were joined and proposed.
    ///
    /// - Parameter name: the member of the JSON for those that were joined.
    func search(_ name: String, _ body: (Store, CalendarDate?) throws -> (Int, Int)) throws {
        let first = try day(since)
        try options.write { store in
            let (joined, proposed) = try body(store, first)
            options.show(
                .object([(name, JSON(joined)), ("proposed", JSON(proposed))]),
                "linked \(joined), to be confirmed \(proposed)")
        }
    }
}
