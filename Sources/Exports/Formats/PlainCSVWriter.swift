import Chronology
import Ledger
public import Store

/// The CSV with the fixed header, for spreadsheets and the phone client.
struct PlainCSVWriter: RowWriter {
    var marksEncoding = false

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        out.line((marksEncoding ? CSV.byteOrderMark : "") + CSV.header)
    }

    mutating func add(
        _ row: TransactionRow, _ flow: TransferLeg.Flow, in account: ExportAccount, _ out: inout ExportText
    ) {
        out.line(CSV.line(row))
    }
}

extension CSV {
    public static let header = "Ledger,Category,Subcategory,Currency,Price,Account,Recorder,Date,Time,Note,Transaction"

    /// One row, without a line ending.
    public static func line(_ row: TransactionRow) -> String {
        let note = [row.vendor, row.notes].compactMap { $0 }.joined(separator: "; ")
        return [
            row.ledger, row.category, row.subcategory ?? "", row.amount.currency.code, row.amount.decimal,
            row.account ?? "", row.recorder, row.date.description, row.time?.description ?? "",
            note, row.type.rawValue,
        ].map(field).joined(separator: ",")
    }
}
