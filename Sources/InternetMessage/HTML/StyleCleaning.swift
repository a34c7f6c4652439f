extension InlineStyle {
    /// Returns true if the value may contain character references, CSS comments or CSS escapes, which disguise words.
    @inline(__always)
    static func needsCleaning(_ value: Octets) -> Bool {
        value.withUnsafeBufferPointer { buffer in
            // No branch, so the compiler vectorizes the loop.
            var found: UInt8 = 0
            for byte in buffer {
                found |=
                    (byte == ASCII.ampersand ? 1 : 0) | (byte == ASCII.backslash ? 1 : 0)
                    | (byte == UInt8(ascii: "*") ? 1 : 0)
            }
            return found != 0
        }
    }

    /// Decodes character references and CSS escapes and removes CSS comments.
    static func clean(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        clean(decodeReferences(bytes, range))
    }

    /// Decodes CSS escapes and removes CSS comments.
    static func clean(_ decoded: [UInt8]) -> [UInt8] {
        var clean: [UInt8] = []
        var cursor = 0
        while cursor < decoded.count {
            let byte = decoded[cursor]
            if byte == ASCII.slash, cursor + 1 < decoded.count, decoded[cursor + 1] == UInt8(ascii: "*") {
                cursor += 2
                while cursor + 1 < decoded.count,
                    decoded[cursor] != UInt8(ascii: "*") || decoded[cursor + 1] != ASCII.slash
                {
                    cursor += 1
                }
                cursor += 2
            } else if byte == ASCII.backslash {
                // CSS Syntax section 4.3.7: up to six hexadecimal digits and one space, or any other character.
                cursor += 1
                var value: UInt32 = 0
                var digits = 0
                while digits < 6, cursor < decoded.count, let digit = decoded[cursor].hexValue {
                    value = value << 4 | UInt32(digit)
                    digits += 1
                    cursor += 1
                }
                if digits > 0 {
                    clean.append(value < 0x80 ? UInt8(value) : UInt8(ascii: "?"))
                    if cursor < decoded.count, decoded[cursor].isSpace { cursor += 1 }
                } else if cursor < decoded.count {
                    clean.append(decoded[cursor])
                    cursor += 1
                }
            } else {
                clean.append(byte)
                cursor += 1
            }
        }
        return clean
    }

    private static func decodeReferences(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        var cursor = range.lowerBound
        while cursor < range.upperBound {
            if bytes[cursor] == ASCII.ampersand,
                let reference = CharacterReference(bytes, at: cursor, end: range.upperBound, inAttribute: true)
            {
                // All relevant CSS words are ASCII.
                decoded.append(reference.first < 0x80 ? UInt8(reference.first) : UInt8(ascii: "?"))
                cursor += reference.length
            } else {
                decoded.append(bytes[cursor])
                cursor += 1
            }
        }
        return decoded
    }
}
