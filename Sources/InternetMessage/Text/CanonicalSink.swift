/// Builds canonical text from pieces: collapses blanks, drops what is not seen, repairs UTF-8.
///
/// A piece must not end within a character.
struct CanonicalSink {
    private(set) var bytes: [UInt8] = []
    var defects = DefectList()

    private let limit: Int
    private var isFull = false
    private var gap = Gap.none

    /// What separates the next visible character from the last one; the wider of two wins.
    private enum Gap: UInt8 {
        case none, blank, line
    }

    init(_ limits: MessageLimits) {
        limit = limits.renderedTextBytes
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + min(count, limit))
    }

    mutating func blank() {
        if gap == .none { gap = .blank }
    }

    mutating func lineBreak() {
        gap = .line
    }

    /// Writes text that is meant to be UTF-8.
    /// - Parameters:
    ///   - keepingLines: whether a line feed breaks the line, or is a blank as in HTML.
    ///   - stop: a visible ASCII character before which writing ends; 0 for none.
    /// - Returns: where it ended.
    @discardableResult
    mutating func write(
        _ text: borrowing Octets, _ range: Range<Int>, keepingLines: Bool, before stop: UInt8 = 0
    ) -> Int {
        var index = range.lowerBound
        let end = range.upperBound
        while index < end, !isFull {
            let byte = text[index]
            if byte > 32, byte < 127 {
                if byte == stop { return index }
                let start = index
                index = Self.wordsEnd(text, index + 1, end, before: stop)
                append(text, start..<index)
            } else if byte >= 0x80 {
                let (scalar, length) = decodeScalar(text, index, end)
                if let scalar {
                    put(scalar)
                } else {
                    defects.note(.undecodableBytes)
                    put(0xFFFD)
                }
                index += length
            } else {
                put(byte: byte, keepingLines: keepingLines)
                index += 1
                // Indentation.
                if byte.isSpace { while index < end, text[index] == ASCII.space { index += 1 } }
            }
        }
        return end
    }

    /// Where visible ASCII with single blanks inside ends; a visible character stands before `start`.
    @inline(__always)
    private static func wordsEnd(_ text: borrowing Octets, _ start: Int, _ end: Int, before stop: UInt8) -> Int {
        text.withUnsafeBytes { bytes in
            var index = start
            while true {
                while index + 8 <= end, let length = AsciiWord(bytes, index, stop).wordsLength { index += length }
                guard index < end else { return index }
                let next = bytes[index]
                if next > 32, next < 127, next != stop {
                    index += 1
                } else if next == 32, index + 1 < end, bytes[index + 1] > 32, bytes[index + 1] < 127,
                    bytes[index + 1] != stop
                {
                    index += 2
                } else {
                    return index
                }
            }
        }
    }

    /// Writes one character, given by its code point, which must be a Unicode scalar value.
    mutating func put(_ scalar: UInt32) {
        if scalar < 0x80 { return put(byte: UInt8(truncatingIfNeeded: scalar), keepingLines: false) }
        switch Visibility(scalar) {
        case .blank: blank()
        case .invisible: break
        case .visible:
            guard reserveGap(for: 4) else { return }
            if scalar < 0x800 {
                bytes.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            } else {
                if scalar < 0x10000 {
                    bytes.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
                } else {
                    bytes.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
                    bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 12) & 0x3F)
                }
                bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
            }
            bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
        }
    }

    private mutating func put(byte: UInt8, keepingLines: Bool) {
        if byte == ASCII.lf, keepingLines {
            lineBreak()
        } else if byte.isSpace {
            blank()
        } else if byte > 32, byte != 127, reserveGap(for: 1) {
            bytes.append(byte)
        }
    }

    /// Appends visible ASCII words with single blanks between them.
    private mutating func append(_ text: borrowing Octets, _ range: Range<Int>) {
        guard reserveGap(for: range.count) else { return }
        bytes.append(text, range)
    }

    /// Writes the pending gap if `count` more bytes fit below the limit; else ends the text there.
    private mutating func reserveGap(for count: Int) -> Bool {
        guard bytes.count + 1 + count <= limit, !isFull else {
            isFull = true
            defects.note(.limit(.renderedTextBytes))
            return false
        }
        if gap != .none {
            if !bytes.isEmpty { bytes.append(gap == .line ? ASCII.lf : ASCII.space) }
            gap = .none
        }
        return true
    }
}

/// Eight bytes looked at together: a bit at the top of each byte says what it is.
fileprivate struct AsciiWord {
    private let blanks: UInt64
    private let others: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ stop: UInt8) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let low = word & ~Self.tops
        // No carry leaves a byte: 127 + 95 and 127 + 1 are less than 256.
        let visible = (low &+ Self.ones &* 95) & ~(low &+ Self.ones) & ~word & Self.tops
        blanks = Self.equal(word, ASCII.space)
        others = (visible ^ Self.tops) & ~blanks | Self.equal(word, stop)
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let differing = word ^ ones &* UInt64(byte)
        return ~((differing & ~tops &+ ~tops) | differing) & tops
    }

    /// How many of the bytes are visible words with single blanks inside, the last of them visible: all, or all but a blank at the end. Nil where
    /// it ends earlier.
    @inline(__always)
    var wordsLength: Int? {
        guard others == 0, blanks & (blanks << 8) == 0 else { return nil }
        return blanks >> 63 == 0 ? 8 : 7
    }
}

/// Decodes the UTF-8 sequence at `index`; nil with the number of bytes to replace by one U+FFFD when there is
/// none (the "maximal subpart" of the Encoding standard's decoder).
func decodeScalar(_ text: borrowing Octets, _ index: Int, _ end: Int) -> (scalar: UInt32?, length: Int) {
    let lead = text[index]
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    let extra: Int
    var scalar: UInt32
    switch lead {
    case 0..<0x80: return (UInt32(lead), 1)
    case 0xC2...0xDF: (extra, scalar) = (1, UInt32(lead & 0x1F))
    case 0xE0...0xEF:
        (extra, scalar) = (2, UInt32(lead & 0x0F))
        if lead == 0xE0 { lower = 0xA0 }
        if lead == 0xED { upper = 0x9F }
    case 0xF0...0xF4:
        (extra, scalar) = (3, UInt32(lead & 0x07))
        if lead == 0xF0 { lower = 0x90 }
        if lead == 0xF4 { upper = 0x8F }
    default: return (nil, 1)
    }
    for offset in 1...extra {
        guard index + offset < end, text[index + offset] >= lower, text[index + offset] <= upper else {
            return (nil, offset)
        }
        scalar = scalar << 6 | UInt32(text[index + offset] & 0x3F)
        lower = 0x80
        upper = 0xBF
    }
    return (scalar, extra + 1)
}
