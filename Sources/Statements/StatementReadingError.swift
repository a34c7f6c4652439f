public import Ledger
import Processes

/// The reason why no statement was read from a file.
public enum StatementReadingError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownFormat
    /// A binary workbook (`.xls`) or a workbook that a password protects: both are compound files.
    case binaryWorkbook
    /// No row has the words of a table's header.
    case noTable
    /// A list of payments in which no row makes a line.
    case noPayments
    /// A row of the table has a date or amount that cannot be read for certain.
    case unreadableRow(Int)
    /// The file has movements of several accounts, so it is not known which ones to read.
    case severalAccounts
    /// Dates that may have the day or the month first.
    case ambiguousDates
    /// The balances do not follow from the lines.
    case doesNotAddUp(StatementProof.Defect, currency: Currency)
    /// A limit was exceeded: its name and value.
    case tooLarge(limit: Limit, maximum: Int)
    /// The PDF is encrypted, and no password was given.
    case needsPassword
    case wrongPassword
    case damagedPDF
    /// The PDF has pictures and no words.
    case noText
    /// The child that reads the file needed more time or memory than it has, or was ended by a fault or the filter.
    case limitExceeded
    /// The child could not be started, or could not give up its rights.
    case notConfined

    public enum Limit: String, Hashable, Sendable {
        case bytes, pages, words, lines, rows, cells, columns
    }

    public var description: String {
        switch self {
        case .unknownFormat: "the file is not in a known statement format"
        case .binaryWorkbook:
            "the file is a workbook in the binary format of before 2007 (.xls), or one that a password protects"
        case .noTable: "the file has no table with a date, a description and amounts"
        case .noPayments: "the file lists no completed payment"
        case .unreadableRow(let row): "row \(row): the date or the amount cannot be read for certain"
        case .severalAccounts: "the file has movements of several accounts"
        case .ambiguousDates: "the file does not show whether its dates have the day or the month first"
        case .doesNotAddUp(let defect, let currency): Self.text(of: defect, currency)
        case .tooLarge(let limit, let maximum): "the file has more than \(maximum) \(limit.rawValue)"
        case .needsPassword: "the PDF is protected by a password"
        case .wrongPassword: "the password does not open the PDF"
        case .damagedPDF: "the PDF is damaged"
        case .noText: "the PDF has no text, only pictures of pages"
        case .limitExceeded:
            "the file could not be read within \(StatementChild.seconds) seconds and \(Confinement.statement.memory >> 20) MiB of memory"
        case .notConfined: "the process that reads statements cannot be started without rights on this system"
        }
    }

    /// The next step for the user.
    public var remedy: String {
        switch self {
        case .unknownFormat: "Download the statement as CSV, XLSX, OFX, QIF, MT940, camt.053 or PDF."
        case .binaryWorkbook: "Open it in a spreadsheet program and save it as .xlsx or .csv, without a password."
        case .noTable:
            "Add the words of its header row to _statement-words.yaml, or name its columns for a list of payments."
        case .noPayments: "Check which list was chosen, and that its payments have a date, an amount and a direction."
        case .unreadableRow: "Check the row in the file; dates have the day first and name the year."
        case .severalAccounts: "Download the statement of each account by itself."
        case .ambiguousDates: "Download a longer period, or another format."
        case .doesNotAddUp: "Check the row in the file: a line may be missing, or its sign may differ."
        case .tooLarge: "Download a shorter period."
        case .needsPassword:
            "Give the password: the bank's mail says how it is made, often of letters of the name and the day of birth."
        case .wrongPassword: "Check capital letters and the order of the day of birth in the bank's mail."
        case .damagedPDF: "Download it again."
        case .noText: "Download the statement from the bank's page; a scanned paper cannot be read."
        case .limitExceeded: "Download a shorter period, or another format."
        case .notConfined: "It needs a kernel with seccomp, and spendwise-pdf where it was installed: see SECURITY.md."
        }
    }

    private static func text(of defect: StatementProof.Defect, _ currency: Currency) -> String {
        let place = defect.row.map { "row \($0)" } ?? "closing balance"
        let expected = Money(minorUnits: defect.expected, currency: currency)
        let printed = Money(minorUnits: defect.printed, currency: currency)
        return "\(place): the lines before give \(expected), but \(printed) is printed"
    }
}
