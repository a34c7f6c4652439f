import Codecs
import Ledger
import Profiles

/// Writing header fields (RFC 5322, RFC 2047) and quoted-printable lines (RFC 2045 section 6.7).
enum HeaderText {
    static func phrase(_ text: String) -> String {
        guard isPlain(text) else { return EncodedWord.text(text) }
        return "\"" + text.filter { $0 != "\"" && $0 != "\\" } + "\""
    }

    /// A local part, quoted if its characters require it.
    static func local(_ text: String) -> String {
        let isAtom =
            !text.isEmpty
            && text.utf8.allSatisfy { PrintedForms.isWord($0) && $0 < 0x80 || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0) }
        return isAtom ? text : "\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
    }

    static func unstructured(_ text: String) -> String { isPlain(text) ? text : EncodedWord.text(text) }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 900 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    }

    /// One line, broken by soft line breaks.
    static func quotedPrintable(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var width = 0
        for (offset, byte) in line.enumerated() {
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                || (byte == 0x20 || byte == 0x09) && offset < line.count - 1
            let piece = isPlain ? [byte] : EncodedWord.escaped(byte)
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
