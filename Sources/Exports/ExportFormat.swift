/// A form of file that an export can have.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    case csv
    case richCSV = "csv-rich"
    case json
    case jsonLines = "jsonl"
    case ofx
    case qif
    case hledger
    case ledger
    case beancount
    case firefly
    case actual

    /// The programs or the use, in a few words.
    public var title: String {
        switch self {
        case .csv: "CSV: the columns that every version has had"
        case .richCSV: "CSV with merchant, reference, channel, account and identifier"
        case .json: "JSON, one array"
        case .jsonLines: "JSON, one object a line"
        case .ofx: "OFX 2.2: GnuCash, KMyMoney, Actual and others"
        case .qif: "QIF: older programs"
        case .hledger: "hledger journal"
        case .ledger: "ledger journal"
        case .beancount: "beancount"
        case .firefly: "Firefly III data importer (CSV)"
        case .actual: "Actual Budget (JSON for importTransactions)"
        }
    }

    /// The ending of a file's name.
    public var fileExtension: String {
        switch self {
        case .csv, .richCSV, .firefly: "csv"
        case .json, .actual: "json"
        case .jsonLines: "jsonl"
        case .ofx: "ofx"
        case .qif: "qif"
        case .hledger, .ledger: "journal"
        case .beancount: "beancount"
        }
    }

    public var mediaType: String {
        switch self {
        case .csv, .richCSV, .firefly: "text/csv; charset=utf-8; header=present"
        case .json, .actual: "application/json; charset=utf-8"
        case .jsonLines: "application/jsonl; charset=utf-8"
        case .ofx: "application/x-ofx; charset=utf-8"
        case .qif: "application/qif; charset=utf-8"
        case .hledger, .ledger, .beancount: "text/plain; charset=utf-8"
        }
    }

    /// True if the file has a part for each account and currency, as a statement does.
    var isByAccount: Bool { self == .ofx || self == .qif || self == .actual }

    /// True if the file contains prices of foreign currencies.
    var hasPrices: Bool { self == .hledger || self == .ledger || self == .beancount }

    /// True if the file contains the provenance of the rows.
    var hasProvenance: Bool { self == .json || self == .jsonLines }

    /// - Parameter marksEncoding: true to begin CSV with a byte order mark, which old spreadsheets need for UTF-8.
    func writer(marksEncoding: Bool) -> any ExportWriter {
        switch self {
        case .csv: PlainCSVWriter(marksEncoding: marksEncoding)
        case .richCSV: RichCSVWriter(marksEncoding: marksEncoding)
        case .json: JSONWriter(isArray: true)
        case .jsonLines: JSONWriter(isArray: false)
        case .ofx: OFXWriter()
        case .qif: QIFWriter()
        case .hledger, .ledger: JournalWriter()
        case .beancount: BeancountWriter()
        case .firefly: FireflyWriter()
        case .actual: ActualWriter()
        }
    }
}
