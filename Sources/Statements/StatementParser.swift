import Ledger
import PDFText

/// Reads the statement in the bytes of a file and refuses one that does not add up. Runs in the confined child: the
/// bytes are hostile, and the libraries that take them apart may fail.
struct StatementParser {
    /// Bytes in which a file in markup names its kind.
    private static let head = 4096

    let words: StatementWords

    /// The format is recognised by the content: OFX or QFX, QIF, MT940, camt.053, or a table of
    /// separated text, HTML, a workbook (`.xlsx`) or a PDF.
    ///
    /// - Parameters:
    ///   - currency: the account's, for a file that names none.
    ///   - password: of an encrypted PDF.
    func read(
        _ bytes: [UInt8], currency: Currency, password: String? = nil
    ) throws(StatementReadingError) -> BankStatement {
        guard bytes.count <= StatementReader.maximumBytes else {
            throw .tooLarge(limit: .bytes, maximum: StatementReader.maximumBytes)
        }
        if PDFText.isFormat(bytes[...]) {
            let rows = try PageTable.rows(pages(bytes, password), words)
            return try StatementTable(rows: rows, words: words, currency: currency).statement()
        }
        if Workbook.isFormat(bytes[...]) { return try statement(in: Workbook.sheets(bytes), currency) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        // NUL: a binary format, or UTF-16.
        guard !text.isEmpty, !text.contains(0) else { throw .unknownFormat }
        if OpenFinancialExchange.isFormat(text) { return try OpenFinancialExchange.read(text, currency: currency) }
        if QuickenInterchange.isFormat(text) { return try QuickenInterchange.read(text, currency: currency) }
        if CustomerStatementMessage.isFormat(text) {
            return try CustomerStatementMessage.read(text, currency: currency)
        }
        let head = FormatText.decoded(text.prefix(Self.head)).drop { $0.isWhitespace }.lowercased()
        if head.hasPrefix("<"), BankToCustomerStatement.isFormat(head) {
            return try BankToCustomerStatement.read(text, currency: currency)
        }
        guard !head.hasPrefix("<") || MarkupTable.isFormat(head) else { throw .unknownFormat }
        let rows = head.hasPrefix("<") ? try MarkupTable.rows(text) : try SeparatedText.rows(text)
        return try StatementTable(rows: rows, words: words, currency: currency).statement()
    }

    private func pages(_ bytes: [UInt8], _ password: String?) throws(StatementReadingError) -> [[PDFWord]] {
        do throws(PDFTextError) { return try PDFText.pages(in: bytes, password: password) } catch {
            switch error {
            case .needsPassword: throw .needsPassword
            case .wrongPassword: throw .wrongPassword
            case .damaged: throw .damagedPDF
            case .noText: throw .noText
            case .tooManyPages(let limit): throw .tooLarge(limit: .pages, maximum: limit)
            case .tooManyWords(let limit): throw .tooLarge(limit: .words, maximum: limit)
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
