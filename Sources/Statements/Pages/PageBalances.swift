import PDFWords

/// Opening and closing balance that a page prints as words before an amount, in the table or above it:
/// `Opening Balance : Rs. 1,250.00 Cr`.
struct PageBalances {
    /// The first opening balance before any row.
    private(set) var opening: String?
    /// The last closing balance after every row, or else the one above the table.
    var closing: String? { afterRows ?? aboveRows }
    private var afterRows: String?
    private var aboveRows: String?
    private var hasRows = false
    private let words: StatementWords

    /// Words of the longest name of a balance.
    private static let longestName = 5

    init(words: StatementWords) { self.words = words }

    /// A balance before this row is that of a part, carried forward to the next page.
    mutating func passRow() {
        hasRows = true
        afterRows = nil
    }

    /// - Returns: true if the line states a balance.
    mutating func add(_ line: PageLine) -> Bool {
        var isFound = false
        var name: [String] = []
        for (index, word) in line.words.enumerated() {
            guard Self.isAmount(word.text) else {
                if word.text.contains(where: { $0.isLetter }), !Self.isCurrency(word.text) { name.append(word.text) }
                continue
            }
            defer { name = [] }
            let next = line.words.dropFirst(index + 1).first?.text ?? ""
            let hasSign = words.isWord(next, of: .outgoing) || words.isWord(next, of: .incoming)
            let amount = hasSign ? word.text + " " + next : word.text
            let names = (1...Self.longestName).map { name.suffix($0).joined(separator: " ") }
            if names.contains(where: { words.isWord($0, of: .opening) }) {
                if !hasRows, opening == nil { opening = amount }
                isFound = true
            } else if names.contains(where: { words.isWord($0, of: .closing) }) {
                if hasRows { afterRows = amount } else { aboveRows = amount }
                isFound = true
            }
        }
        return isFound
    }

    private static func isCurrency(_ text: String) -> Bool {
        ["rs", "rs.", "inr", "rs:"].contains(text.lowercased())
    }

    /// Digits with a decimal point or comma before the last two or three: no year, number or percentage.
    static func isAmount(_ text: String) -> Bool {
        let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "," || $0 == "." }
        let mark = digits.lastIndex { $0 == "." || $0 == "," }
        guard let mark, digits.startIndex < mark else { return false }
        return (2...3).contains(digits[digits.index(after: mark)...].count) && !text.contains("%")
            && !text.contains("/")
    }
}
