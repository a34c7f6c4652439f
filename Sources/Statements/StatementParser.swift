import Ledger
import PDFWords

/// Reads the statement in the bytes of a file, and refuses one whose balances do not follow from its lines. Runs in the
/// confined child, because the bytes may be hostile and the parsing libraries may have faults.
struct StatementParser {
    /// Number of first bytes in which a markup file names its format.
    private static let head = 4096
    /// The first bytes of a compound file (MS-CFB section 2.2): a binary workbook, or an encrypted one of any version.
    private static let compoundFile: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// The words by which a table may be read: those of the profiles of the account's bank, then the shared ones; or
    /// those of a list of payments, which is a table.
    let words: [StatementWords]

    init(words: [StatementWords]) { self.words = words }

    init(words: StatementWords) { self.words = [words] }

    private var isList: Bool { words.contains(where: \.isList) }

    /// The format is recognised by the content: OFX or QFX, QIF, MT940, camt.053, or a table of
    /// separated text, HTML or a workbook (`.xlsx`).
    ///
    /// - Parameter currency: the account's currency, for a file that names none.
    func read(_ bytes: [UInt8], currency: Currency) throws(StatementReadingError) -> BankStatement {
        guard bytes.count <= StatementReader.maximumBytes else {
            throw .tooLarge(limit: .bytes, maximum: StatementReader.maximumBytes)
        }
        if Workbook.isFormat(bytes[...]) {
            let sheets = try Workbook.sheets(bytes)
            return try firstProven(currency) { _ throws(StatementReadingError) in sheets }
        }
        guard !bytes.starts(with: Self.compoundFile) else { throw .binaryWorkbook }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        // NUL: a binary format, or UTF-16.
        guard !text.isEmpty, !text.contains(0) else { throw .unknownFormat }
        if isList { return try table(text, currency) }
        if OpenFinancialExchange.isFormat(text) { return try OpenFinancialExchange.read(text, currency: currency) }
        if QuickenInterchange.isFormat(text) { return try QuickenInterchange.read(text, currency: currency) }
        if CustomerStatementMessage.isFormat(text) {
            return try CustomerStatementMessage.read(text, currency: currency)
        }
        let head = FormatText.decoded(text.prefix(Self.head)).drop { $0.isWhitespace }.lowercased()
        if head.hasPrefix("<"), BankToCustomerStatement.isFormat(head) {
            return try BankToCustomerStatement.read(text, currency: currency)
        }
        return try table(text, currency)
    }

    private func table(
        _ text: ArraySlice<UInt8>, _ currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        let head = FormatText.decoded(text.prefix(Self.head)).drop { $0.isWhitespace }.lowercased()
        guard !head.hasPrefix("<") || MarkupTable.isFormat(head) else { throw .unknownFormat }
        let rows = head.hasPrefix("<") ? try MarkupTable.rows(text) : try SeparatedText.rows(text)
        return try firstProven(currency) { _ throws(StatementReadingError) in [rows] }
    }

    /// Reads the statement in the words of a PDF.
    func read(_ answer: PDFAnswer, currency: Currency) throws(StatementReadingError) -> BankStatement {
        switch answer {
        case .pages(let pages):
            return try firstProven(currency) { words throws(StatementReadingError) in
                [try PageTable.rows(pages, words)]
            }
        case .refusal(let error):
            switch error {
            case .needsPassword: throw .needsPassword
            case .wrongPassword: throw .wrongPassword
            case .damaged: throw .damagedPDF
            case .noText: throw .noText
            case .tooManyPages: throw .tooLarge(limit: .pages, maximum: PDFLimits.pages)
            case .tooManyWords: throw .tooLarge(limit: .words, maximum: PDFLimits.words)
            }
        }
    }

    /// The first reading that proves itself, or else the first one. A wrong profile gives neither a proof nor a loss.
    ///
    /// - Parameter tables: the tables of the file, as they are found by some words.
    private func firstProven(
        _ currency: Currency,
        _ tables: (StatementWords) throws(StatementReadingError) -> [[SeparatedText.Row]]
    ) throws(StatementReadingError) -> BankStatement {
        var unproven: BankStatement?
        var failure: StatementReadingError?
        for words in words {
            do throws(StatementReadingError) {
                let statement = try statement(in: try tables(words), words, currency)
                if statement.isProven || words.isList { return statement }
                unproven = unproven ?? statement
            } catch {
                // A profile that does not claim the table says nothing about it.
                if error != .noTable { failure = failure ?? error }
            }
        }
        if let unproven { return unproven }
        throw failure ?? .noTable
    }

    /// The statement of the first table that has the header of one.
    private func statement(
        in tables: [[SeparatedText.Row]], _ words: StatementWords, _ currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        for rows in tables {
            let table: StatementTable
            do throws(StatementReadingError) {
                table = try StatementTable(rows: rows, words: words, currency: currency)
            } catch { continue }
            return try table.statement()
        }
        throw .noTable
    }
}
