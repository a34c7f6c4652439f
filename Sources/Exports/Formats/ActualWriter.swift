import Chronology
import Codecs
import Ledger
import Store

/// JSON for Actual Budget: for each account the list that `importTransactions` takes. Actual leaves out an
/// `imported_id` that the account has.
struct ActualWriter: ExportWriter {
    private var hasAccount = false
    private var hasEntry = false

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) { out.line(#"{"accounts":["#) }

    mutating func open(_ section: ExportSection, _ out: inout ExportText) {
        if hasAccount { out.text(",") }
        (hasAccount, hasEntry) = (true, false)
        let name = JSON.string(PlainLine.make(section.name)).text
        out.line(
            #"{"name":\#(name),"type":"\#(section.account.type.rawValue)","currency":"\#(section.currency.code)","transactions":["#
        )
    }

    mutating func add(_ entry: ExportEntry, _ out: inout ExportText) {
        if hasEntry { out.text(",") }
        hasEntry = true
        let payee = entry.otherAccount.map { "Transfer: \($0.name)" } ?? entry.payee
        let members: [(String, JSON?)] = [
            ("date", .string(entry.day.description)), ("amount", .integer(Self.hundredths(entry.amount))),
            ("payee_name", .string(PlainLine.make(payee))), ("imported_payee", .string(PlainLine.make(entry.payee))),
            ("notes", entry.notes.isEmpty ? nil : .string(entry.notes)), ("imported_id", .string(entry.id)),
            ("cleared", .bool(true)),
        ]
        out.line(JSON.object(present: members).text)
    }

    mutating func close(_ out: inout ExportText) { out.line("]}") }

    mutating func end(_ out: inout ExportText) { out.line("]}") }

    /// Actual counts every amount in hundredths, whatever the currency.
    private static func hundredths(_ amount: Money) -> Int64 {
        var units = amount.minorUnits
        var exponent = amount.currency.exponent
        while exponent < 2 {
            units = units.multipliedReportingOverflow(by: 10).partialValue
            exponent += 1
        }
        while exponent > 2 {
            units /= 10
            exponent -= 1
        }
        return units
    }
}
