/// The parts of a multipart as nearly every alert has it: a few leaves side by side, each with the fields that it must have and no others
/// that count. GMime takes twice the time of all the rest of a mail's structure to build objects for them.
///
/// Whatever is in any way unusual is no flat multipart, and left to GMime. Where this reads a mail, GMime reads it alike; the fuzz target
/// `Text` holds both against each other.
enum FlatMultipart {
    struct Part {
        let type: ContentType
        let encoding: TransferEncoding
        let content: Range<Int>
    }

    /// The longest boundary, RFC 2046 section 5.1.1.
    private static let boundaryBytes = 70

    /// Nil when the mail is for GMime.
    /// - Parameter boundary: the parameter of that name.
    static func parts(_ bytes: borrowing Octets, from bodyStart: Int, boundary: String, limit: Int) -> [Part]? {
        let boundary = Array(boundary.utf8)
        guard (1...boundaryBytes).contains(boundary.count), boundary.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
        var parts: [Part] = []
        var partStart: Int?
        var line = bodyStart
        while line < bytes.count {
            let end = bytes.index(of: ASCII.lf, from: line) ?? bytes.count
            defer { line = end + 1 }
            guard bytes.matches("--", at: line), holds(bytes, boundary, at: line + 2) else { continue }
            let isLast = bytes.matches("--", at: line + 2 + boundary.count)
            guard isBlank(bytes, (line + 2 + boundary.count + (isLast ? 2 : 0))..<end) else { return nil }
            if let start = partStart {
                guard parts.count < limit, let part = part(bytes, start..<line) else { return nil }
                parts.append(part)
            } else if isLast {
                return nil
            }
            if isLast { return parts }
            guard end < bytes.count else { return nil }
            partStart = end + 1
        }
        return nil
    }

    /// Whether exactly these bytes stand there.
    private static func holds(_ bytes: borrowing Octets, _ boundary: [UInt8], at start: Int) -> Bool {
        guard bytes.count - start >= boundary.count else { return false }
        for offset in boundary.indices where bytes[start + offset] != boundary[offset] { return false }
        return true
    }

    /// Nothing but blanks to the end of a line.
    private static func isBlank(_ bytes: borrowing Octets, _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        if end > range.lowerBound, bytes[end - 1] == ASCII.cr { end -= 1 }
        for index in range.lowerBound..<end where !bytes[index].isWSP { return false }
        return true
    }

    /// Reads the fields of a part. `range` is all between two delimiter lines.
    private static func part(_ bytes: borrowing Octets, _ range: Range<Int>) -> Part? {
        var type: ContentType?
        var encoding: TransferEncoding?
        var cursor = range.lowerBound
        while let end = bytes.index(of: ASCII.lf, from: cursor), end < range.upperBound {
            if end == cursor || end == cursor + 1 && bytes[cursor] == ASCII.cr {
                guard let type, let content = content(bytes, (end + 1)..<range.upperBound) else { return nil }
                return Part(type: type, encoding: encoding ?? .identity, content: content)
            }
            var fieldEnd = end
            while fieldEnd + 1 < range.upperBound, bytes[fieldEnd + 1].isWSP {
                guard let next = bytes.index(of: ASCII.lf, from: fieldEnd + 1), next < range.upperBound else { return nil }
                fieldEnd = next
            }
            guard let value = value(bytes, cursor..<fieldEnd) else { return nil }
            if bytes.matches("content-type:", at: cursor) {
                guard type == nil else { return nil }
                type = ContentType(parsing: value)
                guard let type, type.is("text") || type.is("image") || type.is("application") else { return nil }
            } else if bytes.matches("content-transfer-encoding:", at: cursor) {
                guard encoding == nil else { return nil }
                encoding = TransferEncoding(name: value)
                guard encoding != nil else { return nil }
            } else if bytes.matches("content-disposition:", at: cursor) {
                return nil
            }
            cursor = fieldEnd + 1
        }
        return nil
    }

    /// The value of a field that has nothing unusual in it: `name:` and printable ASCII without comments, escapes or encoded pieces, folded
    /// only between words.
    private static func value(_ bytes: borrowing Octets, _ field: Range<Int>) -> [UInt8]? {
        var colon = field.lowerBound
        while colon < field.upperBound, bytes[colon].isLetter || bytes[colon].isDigit || bytes[colon] == ASCII.hyphen { colon += 1 }
        guard colon > field.lowerBound, colon < field.upperBound, bytes[colon] == ASCII.colon else { return nil }
        var isQuoted = false
        for index in (colon + 1)..<field.upperBound {
            switch bytes[index] {
            case ASCII.openParen, ASCII.closeParen, ASCII.backslash, ASCII.percent, ASCII.question, UInt8(ascii: "*"): return nil
            case ASCII.quote: isQuoted.toggle()
            case ASCII.lf: if isQuoted { return nil }
            case ASCII.cr: if index + 1 >= bytes.count || bytes[index + 1] != ASCII.lf { return nil }
            case ASCII.tab: if bytes[index - 1] != ASCII.lf { return nil }
            case 32..<127: continue
            default: return nil
            }
        }
        return unfolded(bytes, (colon + 1)..<field.upperBound)
    }

    /// Without the line end before the delimiter, which belongs to it.
    private static func content(_ bytes: borrowing Octets, _ range: Range<Int>) -> Range<Int>? {
        guard range.count > 2 else { return nil }
        let end = range.upperBound - 1
        return range.lowerBound..<(bytes[end - 1] == ASCII.cr ? end - 1 : end)
    }
}
