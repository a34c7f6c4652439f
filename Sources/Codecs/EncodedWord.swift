/// Encoded words of kind Q (RFC 2047 section 4.2), which stay readable where the text is mostly ASCII.
public enum EncodedWord {
    /// Octets of a word between `=?utf-8?q?` and `?=`: the word has at most 72 characters of the 75 that are allowed.
    private static let room = 60
    /// `=?utf-8?q?`, `?=` and the blank that continues a line.
    private static let frame = 13

    /// The text as encoded words, each of whole characters, one per line. Lines end in CR LF and a blank.
    ///
    /// - Parameter used: columns of the first line that the header's name fills.
    public static func text(_ text: String, after used: Int = 0) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            let piece = String(decoding: String(scalar).utf8.flatMap(octet), as: UTF8.self)
            let limit = words.isEmpty ? min(room, max(12, 76 - frame - used)) : room
            if word.utf8.count + piece.utf8.count > limit, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "=?utf-8?q?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// The escape `=3D` of kind Q and of quoted-printable (RFC 2045 section 6.7).
    public static func escaped(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "="), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 15)]
    }

    private static func octet(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            [byte]
        default: escaped(byte)
        }
    }
}
