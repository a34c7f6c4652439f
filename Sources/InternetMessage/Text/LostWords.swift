import Codecs

/// Signs that a text was decoded once too little, or in the wrong way, so that none of its words can be read.
///
/// Each sign is a share of the characters that no language reaches; nothing is decoded.
enum LostWords {
    /// True for text in Base64, in escapes, in UTF-16 of the other byte order, in UTF-7, or in bytes of another
    /// charset.
    static func areFound(in text: [UInt8]) -> Bool {
        let count = text.lazy.filter { $0 > 32 }.count
        guard count >= leastBytes else { return false }
        return base64Bytes(text) * 2 > count || escapedBytes(text) * 10 >= count * 3 || isMisread(text)
            || hasShift(text)
    }

    /// A shorter text has too few characters for a share of them.
    private static let leastBytes = 12
    /// A word of an alert is shorter, and an address has other signs.
    private static let base64Word = 40

    private static func isBase64(_ byte: UInt8) -> Bool { Base64.standard.value(of: byte) != nil }

    /// Bytes in long words of the alphabet of Base64 (RFC 4648 section 4).
    private static func base64Bytes(_ text: [UInt8]) -> Int {
        text.split { $0 <= 32 }.reduce(0) { total, word in
            let isEncoded = word.count >= base64Word && word.allSatisfy { isBase64($0) || $0 == ASCII.equals }
            return isEncoded ? total + word.count : total
        }
    }

    /// Bytes in escapes: `=41` of quoted-printable, `%41` of an address, `&#65;` of HTML.
    private static func escapedBytes(_ text: [UInt8]) -> Int {
        func isHexadecimal(_ at: Int) -> Bool { at < text.count && Hexadecimal.value(of: text[at]) != nil }
        var (total, at) = (0, 0)
        while at < text.count {
            var length = 0
            switch text[at] {
            case UInt8(ascii: "="), UInt8(ascii: "%"):
                if isHexadecimal(at + 1), isHexadecimal(at + 2) { length = 3 }
            case UInt8(ascii: "&") where at + 1 < text.count && text[at + 1] == UInt8(ascii: "#"):
                let digits = text[(at + 2)...].prefix(5).prefix { $0.isDigit }.count
                let end = at + 2 + digits
                if digits > 0, end < text.count, text[end] == UInt8(ascii: ";") { length = end + 1 - at }
            default: break
            }
            total += length
            at += max(1, length)
        }
        return total
    }

    /// True if at least three characters in ten are those of windows-1252 beyond ASCII, or a quarter are multiples of
    /// 256: bytes of another charset, and letters of ASCII read as UTF-16 of the other byte order.
    private static func isMisread(_ text: [UInt8]) -> Bool {
        var (all, high, swapped) = (0, 0, 0)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar.value > 32 {
            all += 1
            if (0x80...0xFF).contains(scalar.value) || Windows1252.isSpecial(scalar) { high += 1 }
            if scalar.value >= 0x2100, scalar.value < 0x8000, scalar.value & 0xFF == 0 { swapped += 1 }
        }
        return high * 10 >= all * 3 || swapped * 4 >= all
    }

    /// True if the text has a shift sequence of UTF-7 (RFC 2152) for characters of ASCII, a sign of a currency or a
    /// letter of India, such as `+AFI-` for R.
    private static func hasShift(_ text: [UInt8]) -> Bool {
        var at = 0
        while let start = text[at...].firstIndex(of: UInt8(ascii: "+")) {
            let run = text[(start + 1)...].prefix(shiftBytes).prefix(while: isBase64)
            at = max(start + 1, run.endIndex)
            if at < text.count, text[at] == UInt8(ascii: "-"), isText(run) { return true }
        }
        return false
    }

    /// A shift sequence within a word is shorter.
    private static let shiftBytes = 64

    /// True if a run of Base64 is whole units of UTF-16 for such characters.
    private static func isText(_ run: ArraySlice<UInt8>) -> Bool {
        guard run.count >= 3, run.contains(where: \.isLetter) else { return false }
        var (bits, held) = (UInt32(0), 0)
        for value in run.lazy.compactMap(Base64.standard.value(of:)) {
            bits = (bits << 6 | UInt32(value)) & 0x3F_FFFF
            held += 6
            guard held >= 16 else { continue }
            held -= 16
            let unit = bits >> UInt32(held) & 0xFFFF
            guard (0x20..<0x7F).contains(unit) || (0x20A0..<0x20D0).contains(unit) || (0x900..<0xE00).contains(unit)
            else { return false }
        }
        return held < 6 && bits & (1 << UInt32(held) - 1) == 0
    }
}
