import Ledger

/// A mail's canonical text as words, which a person can point at. Between two words stands exactly one byte, a blank or a line feed.
struct MailText: Hashable, Sendable {
    /// Bytes that are shown: an alert is short, and what comes after so much is small print.
    static let limit = 32 << 10

    let bytes: [UInt8]
    /// Byte ranges, in order.
    let words: [Range<Int>]
    let isCut: Bool

    init(_ text: [UInt8]) {
        isCut = text.count > Self.limit
        bytes = isCut ? Array(text[..<Self.limit]) : text
        var words: [Range<Int>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x20 || bytes[index] == 0x0A {
            if start < index { words.append(start..<index) }
            start = index + 1
        }
        if start < bytes.count { words.append(start..<bytes.count) }
        self.words = words
    }

    /// Words `first` to `last`, as bytes.
    func range(of selection: ClosedRange<Int>) -> Range<Int>? {
        guard words.indices.contains(selection.lowerBound), words.indices.contains(selection.upperBound) else {
            return nil
        }
        return words[selection.lowerBound].lowerBound..<words[selection.upperBound].upperBound
    }

    /// A span with its line breaks turned into blanks; empty where it does not lie in the text.
    func string(_ span: Range<Int>) -> String {
        guard span.lowerBound >= 0, span.upperBound <= bytes.count else { return "" }
        return String(decoding: bytes[span].map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
    }

    /// The words that a span touches.
    func words(in span: Range<Int>) -> ClosedRange<Int>? {
        guard let first = words.firstIndex(where: { $0.upperBound > span.lowerBound }),
            words[first].lowerBound < max(span.upperBound, span.lowerBound + 1)
        else { return nil }
        let last = words.lastIndex { $0.lowerBound < span.upperBound } ?? first
        return first...max(first, last)
    }
}

/// A mail's text broken into rows of a screen, with the words of each field set off.
struct TextRows {
    struct Piece: Hashable {
        var text: String
        var field: Field?
        /// The word it belongs to; for a blank, the word before it.
        var word: Int
        var isGap = false
    }

    private(set) var rows: [[Piece]] = []
    private let columns: Int
    private var used = 0

    /// - Parameter lettered: fields are set off by `a<…>`, their letter, as on a terminal without colours.
    init(_ text: MailText, spans: [Field: Range<Int>], columns: Int, lettered: Bool) {
        self.columns = max(columns, 1)
        let marks = Self.ordered(spans, in: text)
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
            rows.append([Piece(text: "[the text goes on]", field: nil, word: text.words.count, isGap: true)])
        }
    }

    /// Spans that do not overlap, the first first.
    private static func ordered(_ spans: [Field: Range<Int>], in text: MailText) -> [(field: Field, span: Range<Int>)] {
        var found: [(field: Field, span: Range<Int>)] = []
        for (field, span) in spans.sorted(by: {
            ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
        })
        where !span.isEmpty && span.lowerBound >= (found.last?.span.upperBound ?? 0)
            && span.upperBound <= text.bytes.count
        {
            found.append((field, span))
        }
        return found
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

    /// Breaks what is longer than a row.
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
