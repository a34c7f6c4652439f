import Chronology
import Ledger
import Store

/// A CSV with everything that a spreadsheet can use, and the identifier of each transaction.
struct RichCSVWriter: RowWriter {
    var marksEncoding = false

    static let header = [
        "Id", "Date", "Time", "Type", "Direction", "Amount", "Currency", "Merchant", "Payee", "Category", "Subcategory",
        "Account",
        "Digits", "Bank", "Channel", "Reference", "UPI", "MCC", "Balance", "Status", "Ledger", "Recorder", "Tags",
        "Notes",
    ]

    mutating func begin(_ book: ExportBook, _ out: inout ExportText) {
        out.line((marksEncoding ? CSV.byteOrderMark : "") + Self.header.joined(separator: ","))
    }

    mutating func add(
        _ row: TransactionRow, _ flow: TransferLeg.Flow, in account: ExportAccount, _ out: inout ExportText
    ) {
        let fields: [String?] = [
            row.exportID, row.date.description, row.time?.description, row.type.rawValue, flow.word, row.amount.decimal,
            row.amount.currency.code, row.vendor, row.payee ?? row.vendor ?? row.vpa, row.category, row.subcategory,
            account.id == nil ? row.accountName : account.name, row.accountDigits, row.profile, row.channel?.rawValue,
            row.reference, row.vpa, row.mcc,
        ]
        let rest: [String?] = [
            row.status.rawValue, row.ledger, row.recorder, row.tags.joined(separator: " "), row.notes,
        ]
        // A number is not a formula: the balance of an overdrawn account keeps its sign.
        let balance = row.balance?.decimal ?? ""
        out.line(
            (fields.map { CSV.field($0 ?? "") } + [balance] + rest.map { CSV.field($0 ?? "") }).joined(separator: ","))
    }
}
