import InternetMessage
import Profiles

/// Source of a text part, cut so that each letter and digit of its canonical text can be replaced in the source.
///
/// The mapping is not guessed: every letter is replaced by a unique private-use character, the marked source is
/// rendered, and the marks are read from the result.
struct MarkedSource {
    private enum Piece {
        /// Copied unchanged.
        case fixed([UInt8])
        /// One letter or digit.
        case letter([UInt8])
    }

    private var pieces: [Piece] = []
    /// Offset in the canonical text of each displayed piece, by its index.
    private var shown: [Int: Int] = [:]
    let isHTML: Bool
    /// Empty if the source could not be mapped.
    private(set) var canonical: [UInt8] = []

    /// Private-use planes 15 and 16: the maximum number of marked letters.
    private static let maximumMarks = 0xFFFD * 2

    /// `nil` if the marks cannot be read back, so that a safe replacement is impossible.
    init?(_ part: ReadPart) {
        isHTML = part.isHTML
        if isHTML { scanHTML(part.text) } else { scanText(part.text, part.text.indices) }
        var marks: [Int] = []
        var marked: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .fixed(let bytes): marked += bytes
            case .letter:
                guard marks.count < Self.maximumMarks, let mark = Self.mark(marks.count) else { return nil }
                marked += Array(String(Character(mark)).utf8)
                marks.append(index)
            }
        }
        let rendered = isHTML ? CanonicalText(html: marked) : CanonicalText(plain: marked)
        for scalar in String(decoding: rendered.bytes, as: UTF8.self).unicodeScalars {
            if let number = Self.number(of: scalar), number < marks.count,
                case .letter(let bytes) = pieces[marks[number]]
            {
                shown[marks[number]] = canonical.count
                canonical += bytes
            } else {
                canonical += Array(String(Character(scalar)).utf8)
            }
        }
        let expected = isHTML ? CanonicalText(html: written { _, bytes in bytes }) : CanonicalText(plain: part.text)
        guard expected.bytes == canonical else { return nil }
    }

    private static func mark(_ number: Int) -> Unicode.Scalar? {
        Unicode.Scalar(UInt32(number < 0xFFFD ? 0xF0000 + number : 0x100000 + number - 0xFFFD))
    }

    private static func number(of scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0xF0000..<0xFFFFD: Int(scalar.value - 0xF0000)
        case 0x100000..<0x10FFFD: Int(scalar.value - 0x100000) + 0xFFFD
        default: nil
        }
    }

    /// The source with each letter replaced by the result of `replace`.
    ///
    /// - Parameter replace: called with the offset of the letter in the canonical text, or `nil` if the letter is not
    /// displayed.
    func written(_ replace: (_ place: Int?, _ letter: [UInt8]) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .fixed(let bytes): result += bytes
            case .letter(let bytes): result += replace(shown[index], bytes)
            }
        }
        return result
    }

    // MARK: Scanning

    private mutating func fix(_ bytes: some Sequence<UInt8>) { pieces.append(.fixed(Array(bytes))) }

    /// Scans text without markup and character references.
    private mutating func scanText(_ text: [UInt8], _ range: Range<Int>) {
        var at = range.lowerBound
        while at < range.upperBound {
            let length = Self.length(text[at])
            let end = min(at + length, range.upperBound)
            let character = Array(text[at..<end])
            let isLetter =
                length == 1
                ? PrintedForms.isWord(text[at])
                : String(decoding: character, as: UTF8.self).unicodeScalars.first?.properties.isAlphabetic ?? false
            if isLetter { pieces.append(.letter(character)) } else { fix(character) }
            at = end
        }
    }

    private static func length(_ byte: UInt8) -> Int { byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

    /// Separates text from markup. Comments and scripts are dropped, because they display nothing.
    private mutating func scanHTML(_ text: [UInt8]) {
        for token in HTMLSource.tokens(of: text) {
            switch token {
            case .text(let range): scanReferences(text, range)
            case .tag(let tag):
                if Self.name(tag, text) != "script" { fix(LayoutMarkup.tag(tag, text)) }
            case .content(let range, let tag):
                switch Self.name(tag, text) {
                case "script": break
                case "style": fix(LayoutMarkup.withoutLinks(Array(text[range])))
                default: scanReferences(text, range)
                }
            case .other(let range):
                if Self.startsAsDocumentType(text[range]) { fix(text[range]) }
            }
        }
    }

    private static func name(_ tag: HTMLSource.Tag, _ text: [UInt8]) -> String {
        String(decoding: text[tag.name], as: UTF8.self).lowercased()
    }

    private static func startsAsDocumentType(_ text: ArraySlice<UInt8>) -> Bool {
        text.prefix(9).map { PrintedForms.folded($0) }.elementsEqual("<!doctype".utf8)
    }

    /// Text with character references.
    private mutating func scanReferences(_ text: [UInt8], _ range: Range<Int>) {
        var at = range.lowerBound
        while at < range.upperBound {
            if text[at] == UInt8(ascii: "&"), let reference = Self.reference(text, at) {
                if let letter = reference.letter {
                    pieces.append(.letter(letter))
                } else {
                    fix(text[at..<reference.end])
                }
                at = reference.end
            } else {
                let end = min(at + Self.length(text[at]), range.upperBound)
                scanText(text, at..<end)
                at = end
            }
        }
    }

    /// The character reference at `start`, such as `&nbsp;`, `&#8377;` or `&#x35;`. `letter` is set if it stands for a
    /// letter or digit.
    private static func reference(_ text: [UInt8], _ start: Int) -> (end: Int, letter: [UInt8]?)? {
        guard let end = text[start...].prefix(34).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[(start + 1)..<end]
        guard !name.isEmpty, name.allSatisfy({ PrintedForms.isWord($0) && $0 < 0x80 || $0 == UInt8(ascii: "#") }) else {
            return nil
        }
        guard name.first == UInt8(ascii: "#") else { return (end + 1, nil) }
        let digits = String(decoding: name.dropFirst(), as: UTF8.self)
        let code =
            digits.first.map { "xX".contains($0) } ?? false ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        let scalar = code.flatMap(Unicode.Scalar.init)
        let isLetter =
            scalar.map {
                $0.isASCII ? PrintedForms.isWord(UInt8($0.value)) : $0.value > 0xFF && $0.properties.isAlphabetic
            } ?? false
        return (end + 1, isLetter ? scalar.map { Array(String(Character($0)).utf8) } : nil)
    }
}
