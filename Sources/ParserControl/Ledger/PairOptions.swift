import ArgumentParser
import Chronology
import Codecs
import Store

/// One pair of transactions, a link or a transfer, by its number.
struct PairArgument: ParsableArguments {
    @Argument(help: "Its number.")
    var id: Int64
    @OptionGroup var options: LedgerOptions
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
