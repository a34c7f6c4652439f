import Ledger

/// The export that spreadsheets and the phone client read.
public enum CSV {
    public static let header = "Ledger,Category,Subcategory,Currency,Price,Account,Recorder,Date,Time,Note,Transaction"

    /// Without a line ending.
    public static func line(_ row: TransactionRow) -> String {
        let note = [row.vendor, row.notes].compactMap { $0 }.joined(separator: "; ")
        return [
            row.ledger, row.category, row.subcategory ?? "", row.amount.currency.code, row.amount.decimal,
            row.account ?? "", row.recorder, row.date, row.time ?? "",
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

extension TransactionRow {
    /// The account in words: its name, which of a mail's account ends with the digits already, and otherwise the digits
    /// behind it.
    public var account: String? {
        guard let name = accountName else { return accountDigits }
        guard let digits = accountDigits, !name.hasSuffix(digits) else { return name }
        return "\(name) \(digits)"
    }
}
