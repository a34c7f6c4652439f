import Codecs

/// Reads escapes, such as `\d`.
extension PatternReader {
    /// Parses an escape outside a class, from its backslash on.
    mutating func escape() -> PatternNode {
        at += 1
        guard let byte = peek() else { return .unknown }
        at += 1
        if let set = Self.set(of: byte) { return .set(set) }
        if let control = Self.control(of: byte) { return .literal([control]) }
        switch byte {
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): return .end
        case UInt8(ascii: "b"): return .boundary
        case UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "G"), UInt8(ascii: "K"): return .nothing
        case UInt8(ascii: "R"):
            return .alternatives([.sequence([.literal([0x0D]), .literal([0x0A])]), .set(Self.lineEnds)])
        case UInt8(ascii: "N") where peek() != UInt8(ascii: "{"): return .set(.dot)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            if peek() == UInt8(ascii: "{") { _ = skip(to: UInt8(ascii: "}")) } else { at += 1 }
            return .set(.any)
        case UInt8(ascii: "x"):
            if peek() == UInt8(ascii: "{") {
                _ = skip(to: UInt8(ascii: "}"))
            } else {
                for _ in 0..<2 where peek().flatMap(Hexadecimal.value) != nil { at += 1 }
            }
            return .set(.any)
        case UInt8(ascii: "Q"): return lost()
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            skipReference(byte)
            return .unknown
        default:
            // Consumes all bytes of a character outside ASCII.
            let start = at - 1
            while let next = peek(), byte >= 0xC0, next & 0xC0 == 0x80 {
                _ = next
                at += 1
            }
            return .literal(Array(bytes[start..<at]))
        }
    }

    /// Skips the rest of a reference or a code.
    private mutating func skipReference(_ byte: UInt8) {
        switch (byte, peek()) {
        case (0x30...0x39, _):
            while let digit = peek(), (0x30...0x39).contains(digit) {
                _ = digit
                at += 1
            }
        case (_, UInt8(ascii: "{")): _ = skip(to: UInt8(ascii: "}"))
        case (_, UInt8(ascii: "<")): _ = skip(to: UInt8(ascii: ">"))
        case (_, UInt8(ascii: "'")):
            at += 1
            _ = skip(to: UInt8(ascii: "'"))
        case (UInt8(ascii: "c"), _): at += 1
        case (UInt8(ascii: "g"), _):
            while let byte = peek(),
                (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            {
                _ = byte
                at += 1
            }
        default: break
        }
    }

    /// Control character of an escape such as `\n`.
    private static func control(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "e"): 0x1B
        case UInt8(ascii: "a"): 0x07
        default: nil
        }
    }

    private static let lineEnds: ByteSet = {
        var set = ByteSet([0x0A, 0x0B, 0x0C, 0x0D])
        set.hasOthers = true
        return set
    }()

    /// Set of an escape such as `\d`.
    static func set(of letter: UInt8) -> ByteSet? {
        switch letter {
        case UInt8(ascii: "d"): .digits
        case UInt8(ascii: "D"): ByteSet.digits.inverted
        case UInt8(ascii: "s"): .blanks
        case UInt8(ascii: "S"): ByteSet.blanks.inverted
        case UInt8(ascii: "w"): .word
        case UInt8(ascii: "W"): ByteSet.word.inverted
        case UInt8(ascii: "h"): ByteSet([0x09, 0x20])
        case UInt8(ascii: "v"): lineEnds
        case UInt8(ascii: "V"): ByteSet([0x0A, 0x0B, 0x0C, 0x0D]).inverted
        case UInt8(ascii: "H"): ByteSet([0x09, 0x20]).inverted
        default: nil
        }
    }
}
