public import Chronology
import Codecs
import Ledger
public import Profiles

/// Writing header fields (RFC 5322, RFC 2047) and quoted-printable lines (RFC 2045 section 6.7).
enum HeaderText {
    /// - Parameter offset: seconds east of UTC.
    static func date(_ instant: UnixTime, offset: Int) -> String {
        let local = max(instant + Int64(offset), .epoch)
        let day = local.day()
        let seconds = Int(local.seconds % 86400)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(offset) / 60
        return
            "\(two(day.day)) \(MonthName.abbreviation(day.month)) \(day.year) \(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) \(offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))"
    }

    static func phrase(_ text: String) -> String {
        guard isPlain(text) else { return encoded(text) }
        return "\"" + text.filter { $0 != "\"" && $0 != "\\" } + "\""
    }

    /// A local part, quoted if its characters require it.
    static func local(_ text: String) -> String {
        let isAtom =
            !text.isEmpty
            && text.utf8.allSatisfy { PrintedForms.isWord($0) && $0 < 0x80 || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0) }
        return isAtom ? text : "\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
    }

    static func unstructured(_ text: String) -> String { isPlain(text) ? text : encoded(text) }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 900 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    }

    /// Encoded words of at most 75 characters, each of whole characters.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            let piece = String(scalar).utf8.map { byte -> String in
                if PrintedForms.isWord(byte), byte < 0x80 { return String(UnicodeScalar(byte)) }
                return String(decoding: escaped(byte), as: UTF8.self)
            }.joined()
            if word.count + piece.count > 60 {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "=?utf-8?q?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// Escape `=3D` of quoted-printable and of encoded words of kind Q.
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "="), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 15)]
    }

    /// One line, broken by soft line breaks.
    static func quotedPrintable(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var width = 0
        for (offset, byte) in line.enumerated() {
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                || (byte == 0x20 || byte == 0x09) && offset < line.count - 1
            let piece = isPlain ? [byte] : escaped(byte)
            if width + piece.count > 75 {
                result += Array("=\r\n".utf8)
                width = 0
            }
            result += piece
            width += piece.count
        }
        return result
    }
}

/// RFC 5322 section 3.3.
public enum RFC5322Date {
    /// - Parameter offset: seconds east of UTC.
    public static func text(_ instant: UnixTime, offset: Int) -> String { HeaderText.date(instant, offset: offset) }
}
