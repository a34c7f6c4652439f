/// Content-Transfer-Encoding, RFC 2045 section 6, and uuencode.
enum TransferEncoding {
    /// 7bit, 8bit, binary.
    case identity
    case quotedPrintable
    case base64
    case uuencode

    /// Parses the field's value; nil if it names none of these.
    init?(name bytes: [UInt8]) {
        let word = Array(bytes.prefix { !$0.isSpace && $0 != ASCII.semicolon && $0 != ASCII.openParen })
        if word.equalsIgnoringCase("quoted-printable") {
            self = .quotedPrintable
        } else if word.equalsIgnoringCase("base64") {
            self = .base64
        } else if word.equalsIgnoringCase("x-uuencode") || word.equalsIgnoringCase("uuencode")
            || word.equalsIgnoringCase("x-uue")
        {
            self = .uuencode
        } else if word.isEmpty || word.equalsIgnoringCase("7bit") || word.equalsIgnoringCase("8bit")
            || word.equalsIgnoringCase("binary")
        {
            self = .identity
        } else {
            return nil
        }
    }

    /// Decodes at most `limit` bytes.
    func decode(
        _ bytes: borrowing Octets, _ range: Range<Int>, limit: Int, recording defects: inout DefectList
    ) -> [UInt8] {
        // Decoding never lengthens text, and shortens it at most to a fifth (QP escapes only, in short lines).
        let readable =
            range.lowerBound..<min(range.upperBound, range.lowerBound + (limit < Int.max / 5 ? limit * 5 : limit))
        var decoded =
            switch self {
            case .identity: Array(bytes, readable)
            case .quotedPrintable: QuotedPrintable.decode(bytes, readable)
            case .base64: TolerantBase64.decode(bytes, readable)
            case .uuencode: UUEncode.decode(bytes, readable)
            }
        if decoded.count > limit || readable.count < range.count {
            defects.record(.limit(.textPartBytes))
            decoded.removeLast(max(0, decoded.count - limit))
        }
        return decoded
    }
}
