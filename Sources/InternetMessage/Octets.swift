import Codecs
import Glibc

// Bytes of ASCII: constants, classes and searches.

typealias Octets = Span<UInt8>

enum ASCII {
    static let tab: UInt8 = 9
    static let lf: UInt8 = 10
    static let cr: UInt8 = 13
    static let space: UInt8 = 32
    static let quote: UInt8 = 34
    static let percent: UInt8 = 37
    static let ampersand: UInt8 = 38
    static let apostrophe: UInt8 = 39
    static let openParen: UInt8 = 40
    static let closeParen: UInt8 = 41
    static let comma: UInt8 = 44
    static let hyphen: UInt8 = 45
    static let dot: UInt8 = 46
    static let slash: UInt8 = 47
    static let colon: UInt8 = 58
    static let semicolon: UInt8 = 59
    static let less: UInt8 = 60
    static let equals: UInt8 = 61
    static let greater: UInt8 = 62
    static let question: UInt8 = 63
    static let at: UInt8 = 64
    static let openBracket: UInt8 = 91
    static let backslash: UInt8 = 92
    static let closeBracket: UInt8 = 93
}

extension UInt8 {
    @inline(__always) var isDigit: Bool { self &- 48 < 10 }
    @inline(__always) var isLetter: Bool { (self | 0x20) &- 97 < 26 }
    @inline(__always) var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
    /// A letter, a digit, `-`, `.` or `_`: never a delimiter in an address.
    @inline(__always) var isPlain: Bool {
        isLetter || isDigit || self == ASCII.hyphen || self == ASCII.dot || self == 95
    }
    /// Space or tab: WSP of RFC 5234.
    @inline(__always) var isWSP: Bool { self == 32 || self == 9 }
    /// Space, tab, LF, VT, FF or CR.
    @inline(__always) var isSpace: Bool { self == 32 || (self >= 9 && self <= 13) }

    /// The value of a hexadecimal digit.
    @inline(__always) var hexValue: UInt8? { Hexadecimal.value(of: self) }
}

extension Span<UInt8> {
    /// Returns the index of `byte` at or after `start`, by memchr.
    @inline(__always)
    func index(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { buffer -> Int? in
            guard start < buffer.count, let base = buffer.baseAddress,
                let hit = memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
        }
    }

    var isASCII: Bool {
        withUnsafeBufferPointer { buffer in
            // No branch, so the compiler vectorizes the loop.
            var all: UInt8 = 0
            for byte in buffer { all |= byte }
            return all < 0x80
        }
    }

    /// Returns the index of the first byte at or after `start` that is not ASCII, or `count`.
    func endOfASCII(from start: Int) -> Int {
        withUnsafeBytes { bytes in
            var at = start
            while at + 8 <= bytes.count {
                let tops =
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                    & 0x8080_8080_8080_8080
                if tops != 0 { return at + tops.trailingZeroBitCount >> 3 }
                at += 8
            }
            while at < bytes.count, bytes[at] < 0x80 { at += 1 }
            return at
        }
    }

    /// Returns true if the bytes at `start` equal `word`, which is in lower case, ignoring ASCII case.
    @inline(__always)
    func matches(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start >= 0, count - start >= length else { return false }
        for offset in 0..<length where self[start + offset].lowercased != word.utf8Start[offset] { return false }
        return true
    }
}

extension [UInt8] {
    /// Returns true if the bytes equal `word`, which is in lower case, ignoring ASCII case.
    func equalsIgnoringCase(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && span.matches(word, at: 0)
    }

    /// Appends the UTF-8 form of a Unicode scalar value of 0x80 or more.
    @inline(__always)
    mutating func append(utf8 scalar: UInt32) {
        if scalar < 0x800 {
            append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        } else {
            if scalar < 0x10000 {
                append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            } else {
                append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
                append(0x80 | UInt8(truncatingIfNeeded: scalar >> 12) & 0x3F)
            }
            append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
        }
        append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
    }

    mutating func append(_ bytes: borrowing Octets, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    init(_ bytes: borrowing Octets, _ range: Range<Int>) {
        self = []
        append(bytes, range)
    }
}
