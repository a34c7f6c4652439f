import Ledger
import PDFWords

/// Reads the statement in the bytes of a file, and refuses one whose balances do not follow from its lines. Runs in the
/// confined child, because the bytes may be hostile and the parsing libraries may have faults.
struct StatementParser {
    /// Number of first bytes in which a markup file names its format.
    private static let head = 4096

    /// The words that identify headings and cells: those of statements, or those of a list of payments.
    let words: StatementWords

    /// The format is recognised by the content: OFX or QFX, QIF, MT940, camt.053, or a table of
    /// separated text, HTML or a workbook (`.xlsx`).
    ///
    /// - Parameter currency: the account's currency, for a file that names none.
    func read(_ bytes: [UInt8], currency: Currency) throws(StatementReadingError) -> BankStatement {
        guard bytes.count <= StatementReader.maximumBytes else {
            throw .tooLarge(limit: .bytes, maximum: StatementReader.maximumBytes)
        }
        if Workbook.isFormat(bytes[...]) { return try statement(in: Workbook.sheets(bytes), currency) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        // NUL: a binary format, or UTF-16.
        guard !text.isEmpty, !text.contains(0) else { throw .unknownFormat }
        if words.list != nil { return try table(text, currency) }
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
        return try StatementTable(rows: rows, words: words, currency: currency).statement()
    }

    /// Reads the statement in the words of a PDF.
    func read(_ answer: PDFAnswer, currency: Currency) throws(StatementReadingError) -> BankStatement {
        switch answer {
        case .pages(let pages):
            return try StatementTable(rows: PageTable.rows(pages, words), words: words, currency: currency).statement()
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

    /// The statement of the first sheet that has the header of one.
    private func statement(
        in sheets: [[SeparatedText.Row]], _ currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        for rows in sheets {
            let table: StatementTable
            do throws(StatementReadingError) {
                table = try StatementTable(rows: rows, words: words, currency: currency)
            } catch { continue }
            return try table.statement()
        }
        throw .noTable
    }
}
