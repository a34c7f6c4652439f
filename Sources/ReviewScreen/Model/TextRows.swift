import Ledger
import Review

/// A mail's text broken into the rows of a screen, with the words of each field marked.
struct TextRows {
    struct Piece: Hashable {
        var text: String
        var field: Field?
        /// The index of its word; for a blank, of the word before it.
        var word: Int
        var isGap = false
    }

    private(set) var rows: [[Piece]] = []
    private let columns: Int
    private var used = 0

    /// - Parameter lettered: marks fields by `a<…>` with their letter, for terminals without colours.
    init(_ text: MailText, spans: [Field: Range<Int>], columns: Int, lettered: Bool) {
        self.columns = max(columns, 1)
        let marks = MarkedText.ordered(spans, in: text.bytes[...])
        for (index, word) in text.words.enumerated() {
            let pieces = Self.pieces(text, word, index, marks, lettered)
            let width = pieces.reduce(0) { $0 + Printable.width($1.text) }
            let breaksLine = word.lowerBound == 0 || text.bytes[word.lowerBound - 1] == 0x0A
            if breaksLine || rows.isEmpty || (used > 0 && used + 1 + width > self.columns) {
                rows.append([])
                used = 0
            } else if used > 0 {
                let gap = marks.first { $0.span.contains(word.lowerBound - 1) }?.field
                append(Piece(text: " ", field: gap, word: index - 1, isGap: true))
            }
            for piece in pieces { append(piece) }
        }
        if text.isCut {
            rows.append([Piece(text: "[text continues]", field: nil, word: text.words.count, isGap: true)])
        }
    }

    private static func pieces(
        _ text: MailText, _ word: Range<Int>, _ index: Int, _ marks: [(field: Field, span: Range<Int>)],
        _ lettered: Bool
    ) -> [Piece] {
        var pieces: [Piece] = []
        var at = word.lowerBound
        for (field, span) in marks where span.overlaps(word) {
            let part = span.clamped(to: word)
            if at < part.lowerBound { pieces.append(Piece(text: text.string(at..<part.lowerBound), word: index)) }
            var shown = text.string(part)
            if lettered, part.lowerBound == span.lowerBound { shown = "\(field.letter)<" + shown }
            if lettered, part.upperBound == span.upperBound { shown += ">" }
            pieces.append(Piece(text: shown, field: field, word: index))
            at = part.upperBound
        }
        if at < word.upperBound { pieces.append(Piece(text: text.string(at..<word.upperBound), word: index)) }
        return pieces
    }

    /// Breaks a piece that is longer than a row.
    private mutating func append(_ piece: Piece) {
        if rows.isEmpty { rows.append([]) }
        var rest = piece
        rest.text = ""
        for cell in Printable.cells(piece.text) {
            if used + cell.width > columns, used > 0 {
                if !rest.text.isEmpty { rows[rows.count - 1].append(rest) }
                rest.text = ""
                rows.append([])
                used = 0
            }
            rest.text += cell.text
            used += cell.width
        }
        if !rest.text.isEmpty { rows[rows.count - 1].append(rest) }
    }

    func row(ofWord word: Int) -> Int? { rows.firstIndex { $0.contains { $0.word == word && !$0.isGap } } }

    /// The word above (`by` -1) or below (1), nearest in its column.
    func word(from word: Int, by step: Int) -> Int? {
        guard let row = row(ofWord: word) else { return nil }
        let column = start(of: word, in: rows[row])
        var other = row + step
        while rows.indices.contains(other) {
            let candidates = rows[other].filter { !$0.isGap && $0.word != word }
            if let nearest = candidates.min(by: {
                abs(start(of: $0.word, in: rows[other]) - column) < abs(start(of: $1.word, in: rows[other]) - column)
            }) {
                return nearest.word
            }
            other += step
        }
        return nil
    }

    private func start(of word: Int, in row: [Piece]) -> Int {
        var column = 0
        for piece in row {
            if piece.word == word, !piece.isGap { return column }
            column += Printable.width(piece.text)
        }
        return column
    }
}
