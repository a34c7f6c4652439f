import Chronology
import Ledger

/// Export for spreadsheets and the phone client.
public enum CSV {
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

    /// RFC 4180, with names that a spreadsheet could take for a formula made harmless.
    static func field(_ text: String) -> String {
        let safe = text.first.map { "=+-@\t".contains($0) } ?? false ? "'" + text : text
        guard safe.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension TransactionRow {
    /// Account in words: its name, which already ends with the digits for a mail's account, otherwise followed by the
    /// digits.
    public var account: String? {
        guard let name = accountName else { return accountDigits }
        guard let digits = accountDigits, !name.hasSuffix(digits) else { return name }
        return "\(name) \(digits)"
    }
}
