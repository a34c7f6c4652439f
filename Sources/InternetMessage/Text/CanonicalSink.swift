/// Builder of canonical text: collapses white space, drops invisible characters, repairs UTF-8.
///
/// A piece must not end inside a character.
struct CanonicalSink {
    private(set) var bytes: [UInt8] = []
    var defects = DefectList()
    /// The parts of the text that a reader may not see, in order.
    private(set) var uncertain: [Range<Int>] = []
    /// True while such text is written.
    var isUncertain = false {
        didSet { if isUncertain != oldValue { changeUncertainty() } }
    }
    private var uncertainStart = 0

    private let limit: Int
    private var isFull = false
    private var gap = Gap.none

    /// The separator before the next visible character. The wider of two wins.
    private enum Gap: UInt8 {
        case none, space, line
    }

    init(_ limits: MessageLimits) {
        limit = limits.renderedTextBytes
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + min(count, limit))
    }

    /// Marks all text so far as uncertain.
    mutating func setUncertain() {
        if !bytes.isEmpty { uncertain = [0..<bytes.count] }
    }

    private mutating func changeUncertainty() {
        if isUncertain {
            uncertainStart = bytes.count
        } else if bytes.count > uncertainStart {
            uncertain.append(uncertainStart..<bytes.count)
        }
    }

    mutating func space() {
        if gap == .none { gap = .space }
    }

    mutating func lineBreak() {
        gap = .line
    }

    /// Appends UTF-8 text. An invalid sequence becomes U+FFFD.
    /// - Parameters:
    ///   - keepingLines: true if a line feed breaks the line, false if it is white space as in HTML.
    ///   - stop: a visible ASCII character before which to stop; 0 for none.
    /// - Returns: the index at which it stopped.
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
                    append(scalar)
                } else {
                    defects.record(.undecodableBytes)
                    append(0xFFFD)
                }
                index += length
            } else {
                append(byte: byte, keepingLines: keepingLines)
                index += 1
                // Indentation.
                if byte.isSpace { while index < end, text[index] == ASCII.space { index += 1 } }
            }
        }
        return end
    }

    /// Returns the end of a run of visible ASCII with single spaces. The character before `start` is visible.
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

    /// Appends one character, given as a Unicode scalar value.
    mutating func append(_ scalar: UInt32) {
        if scalar < 0x80 { return append(byte: UInt8(truncatingIfNeeded: scalar), keepingLines: false) }
        switch Visibility(scalar) {
        case .space: space()
        case .invisible: break
        case .visible:
            guard reserveGap(for: 4) else { return }
            bytes.append(utf8: scalar)
        }
    }

    private mutating func append(byte: UInt8, keepingLines: Bool) {
        if byte == ASCII.lf, keepingLines {
            lineBreak()
        } else if byte.isSpace {
            space()
        } else if byte > 32, byte != 127, reserveGap(for: 1) {
            bytes.append(byte)
        }
    }

    /// Appends visible ASCII words with single spaces between them.
    private mutating func append(_ text: borrowing Octets, _ range: Range<Int>) {
        guard reserveGap(for: range.count) else { return }
        bytes.append(text, range)
    }

    /// Writes the pending separator if `count` more bytes fit below the limit; otherwise ends the text.
    private mutating func reserveGap(for count: Int) -> Bool {
        guard bytes.count + 1 + count <= limit, !isFull else {
            isFull = true
            defects.record(.limit(.renderedTextBytes))
            return false
        }
        if gap != .none {
            if !bytes.isEmpty { bytes.append(gap == .line ? ASCII.lf : ASCII.space) }
            gap = .none
        }
        return true
    }
}

/// Classes of eight bytes: the top bit of each byte is set if the byte is in the class.
fileprivate struct AsciiWord {
    private let spaces: UInt64
    private let others: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ stop: UInt8) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let low = word & ~Self.tops
        // No carry crosses a byte: 127 + 95 and 127 + 1 are less than 256.
        let visible = (low &+ Self.ones &* 95) & ~(low &+ Self.ones) & ~word & Self.tops
        spaces = Self.equal(word, ASCII.space)
        others = (visible ^ Self.tops) & ~spaces | Self.equal(word, stop)
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let differing = word ^ ones &* UInt64(byte)
        return ~((differing & ~tops &+ ~tops) | differing) & tops
    }

    /// The number of bytes that are visible words with single spaces, ending with a visible byte: 8, or 7 before a
    /// final space; nil if there are fewer.
    @inline(__always)
    var wordsLength: Int? {
        guard others == 0, spaces & (spaces << 8) == 0 else { return nil }
        return spaces >> 63 == 0 ? 8 : 7
    }
}

/// Decodes the UTF-8 sequence at `index`. If it is invalid, `scalar` is nil and `length` the number of bytes that one
/// U+FFFD replaces (the "maximal subpart" of the Encoding standard's decoder).
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
