import Ledger

/// The export that spreadsheets and the phone client read.
public enum CSV {
    public static let header = "Ledger,Category,Subcategory,Currency,Price,Account,Recorder,Date,Time,Note,Transaction"

    /// Without a line ending.
    public static func line(_ row: TransactionRow) -> String {
        let account = [row.accountName, row.accountDigits].compactMap { $0 }.joined(separator: " ")
        let note = [row.vendor, row.notes].compactMap { $0 }.joined(separator: "; ")
        return [
            row.ledger, row.category, row.subcategory ?? "", row.amount.currency.code, row.amount.decimal, account, row.recorder, row.date, row.time ?? "",
            note, row.type.rawValue,
        ].map(field).joined(separator: ",")
    }

    /// RFC 4180, and no spreadsheet takes a merchant's name for a formula.
    static func field(_ text: String) -> String {
        let safe = text.first.map { "=+-@\t".contains($0) } ?? false ? "'" + text : text
        guard safe.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
