import Chronology
import Ledger
import Store

/// A writer of one format. It gets the entries in order and keeps no rows.
///
/// Formats by account get each entry of an account between ``open(_:_:)`` and ``close(_:)``; a transfer comes once for
/// each of its accounts. Other formats get a transfer as one entry.
protocol ExportWriter: Sendable {
    mutating func begin(_ book: ExportBook, _ out: inout ExportText)
    mutating func open(_ section: ExportSection, _ out: inout ExportText)
    mutating func add(_ entry: ExportEntry, _ out: inout ExportText)
    mutating func close(_ out: inout ExportText)
    mutating func end(_ out: inout ExportText)
}

extension ExportWriter {
    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {}
    mutating func open(_ section: ExportSection, _ out: inout ExportText) {}
    mutating func close(_ out: inout ExportText) {}
    mutating func end(_ out: inout ExportText) {}
}

/// The facts that a writer needs before the first entry.
struct ExportBook: Sendable {
    var accounts: [ExportAccount]
    /// The day of the export.
    var today: CalendarDate
}

/// One account in one currency: a part of a file by account.
struct ExportSection: Sendable {
    var account: ExportAccount
    var currency: Currency
    /// The days of the first and the last movement.
    var first: CalendarDate
    var last: CalendarDate
    /// The balance at the end of the last day, as the ledger knows it; computed for OFX only.
    var balance: Money

    /// The account's name, with the currency if it is not the account's own.
    var name: String { account.name + (currency == account.currency ? "" : " \(currency.code)") }
}
