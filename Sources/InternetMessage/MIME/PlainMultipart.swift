/// Reads multiparts in the form in which mail programs write them, with the result of GMime but without its copy of the
/// body and its objects.
///
/// Anything unusual is refused, and GMime then reads the whole body: a delimiter that is missing or followed by other
/// text, a field with more than plain ASCII, an empty part, a forwarded message.
struct PlainMultipart {
    /// The parts of which a reader shows the text.
    private enum Order { case all, best, first }

    private let limits: MessageLimits
    private var parts = 0

    private init(_ limits: MessageLimits) { self.limits = limits }

    /// Nil if GMime must read the body.
    /// - Parameters:
    ///   - field: the unfolded value of Content-Type.
    ///   - body: the range of the body in the message.
    static func read(
        _ field: [UInt8], _ bytes: borrowing Octets, _ body: Range<Int>, _ limits: MessageLimits
    ) -> MIMEBody? {
        var reader = PlainMultipart(limits)
        return reader.multipart(field, bytes, body, depth: 1)
    }

    private mutating func multipart(
        _ field: [UInt8], _ bytes: borrowing Octets, _ body: Range<Int>, depth: Int
    ) -> MIMEBody? {
        parts += 1
        guard depth <= limits.mimeDepth, let type = MultipartType(field), let order = Self.order(type.subtype),
            let ranges = Self.split(bytes, body, at: type.delimiter)
        else { return nil }
        var bodies: [MIMEBody] = []
        for range in order == .first ? ranges.prefix(1) : ranges[...] {
            guard let part = part(bytes, range, depth: depth + 1) else { return nil }
            bodies.append(part)
        }
        switch order {
        case .all: return .sequence(bodies)
        case .best: return .choice(bodies)
        case .first: return bodies.first
        }
    }

    private static func order(_ subtype: ArraySlice<UInt8>) -> Order? {
        let subtype = Array(subtype)
        if subtype.equalsIgnoringCase("mixed") { return .all }
        if subtype.equalsIgnoringCase("alternative") { return .best }
        return subtype.equalsIgnoringCase("related") ? .first : nil
    }

    /// The parts with their headers, each up to the line of the next delimiter. Nil if the last delimiter is missing.
    private static func split(
        _ bytes: borrowing Octets, _ body: Range<Int>, at delimiter: [UInt8]
    ) -> [Range<Int>]? {
        var parts: [Range<Int>] = []
        var start: Int?
        var line = body.lowerBound
        while line < body.upperBound {
            if bytes[line] == ASCII.hyphen, isEqual(bytes, line, body.upperBound, delimiter) {
                guard let (isLast, next) = delimiterEnd(bytes, line + delimiter.count, body.upperBound) else {
                    return nil
                }
                if let start {
                    // GMime assumes that the line ends before and after a delimiter are of the same kind.
                    guard isAfterReturn(bytes, line) == isAfterReturn(bytes, next) else { return nil }
                    parts.append(start..<line)
                }
                if isLast { return parts.isEmpty ? nil : parts }
                start = next
                line = next
            } else {
                guard let end = bytes.index(of: ASCII.lf, from: line) else { return nil }
                line = end + 1
            }
        }
        return nil
    }

    /// True if the line before this one ends with CR LF.
    private static func isAfterReturn(_ bytes: borrowing Octets, _ line: Int) -> Bool {
        line >= 2 && bytes[line - 2] == ASCII.cr
    }

    private static func isEqual(
        _ bytes: borrowing Octets, _ start: Int, _ end: Int, _ delimiter: [UInt8]
    ) -> Bool {
        guard end - start >= delimiter.count else { return false }
        for index in delimiter.indices where bytes[start + index] != delimiter[index] { return false }
        return true
    }

    /// The rest of a delimiter's line: nothing, or two hyphens, and white space.
    private static func delimiterEnd(
        _ bytes: borrowing Octets, _ start: Int, _ end: Int
    ) -> (isLast: Bool, next: Int)? {
        var cursor = start
        let isLast = cursor + 1 < end && bytes[cursor] == ASCII.hyphen && bytes[cursor + 1] == ASCII.hyphen
        if isLast { cursor += 2 }
        while cursor < end, bytes[cursor].isWSP { cursor += 1 }
        guard cursor < end else { return nil }
        if bytes[cursor] == ASCII.cr, cursor + 1 < end { cursor += 1 }
        return bytes[cursor] == ASCII.lf ? (isLast, cursor + 1) : nil
    }

    private mutating func part(_ bytes: borrowing Octets, _ range: Range<Int>, depth: Int) -> MIMEBody? {
        guard let header = PartHeader(bytes, range), let type = header.type,
            // The shortest part that is read: a character and a line end.
            range.upperBound - header.bodyStart > 2
        else { return nil }
        if type.span.matches("multipart/", at: 0) {
            return multipart(type, bytes, header.bodyStart..<range.upperBound, depth: depth)
        }
        parts += 1
        guard parts <= limits.partCount, depth <= limits.mimeDepth, !type.span.matches("message/", at: 0),
            let media = MediaType.read(type), !media.isMultipart
        else { return nil }
        var encoding = TransferEncoding.identity
        if let name = header.encoding {
            guard name.allSatisfy({ $0.isPlain }), let named = TransferEncoding(name: name) else { return nil }
            encoding = named
        }
        if let disposition = header.disposition {
            let word = Array(disposition.prefix { $0 != ASCII.semicolon })
            guard !word.isEmpty, word.allSatisfy({ $0.isLetter }) else { return nil }
            if word.equalsIgnoringCase("attachment") { return .nothing }
        }
        guard let text = media.text else { return .nothing }
        // The line end before a delimiter belongs to the delimiter.
        var end = range.upperBound - 1
        if bytes[end - 1] == ASCII.cr { end -= 1 }
        return .text(
            TextPart(
                isHTML: text == .html, charset: media.charset, encoding: encoding, isFlowed: media.isFlowed,
                deletesSpace: media.deletesSpace, content: header.bodyStart..<end))
    }
}

/// A `multipart` type with its boundary: `multipart/mixed; boundary="x"`.
fileprivate struct MultipartType {
    private(set) var subtype: ArraySlice<UInt8> = []
    /// `--` and the boundary.
    private(set) var delimiter: [UInt8] = []

    /// Nil for parameters that are not plain ASCII tokens or quoted strings, and for `start`.
    init?(_ field: [UInt8]) {
        let prefix: StaticString = "multipart/"
        guard field.span.matches(prefix, at: 0) else { return nil }
        var cursor = prefix.utf8CodeUnitCount
        while cursor < field.count, field[cursor].isLetter { cursor += 1 }
        subtype = field[prefix.utf8CodeUnitCount..<cursor]
        while cursor < field.count {
            guard field[cursor] == ASCII.semicolon else { return nil }
            cursor += 1
            while cursor < field.count, field[cursor].isWSP { cursor += 1 }
            guard cursor < field.count else { break }
            let start = cursor
            while cursor < field.count, field[cursor].isLetter || field[cursor] == ASCII.hyphen { cursor += 1 }
            let name = Array(field[start..<cursor])
            guard cursor < field.count, field[cursor] == ASCII.equals, !name.equalsIgnoringCase("start"),
                let value = Self.value(field, from: cursor + 1)
            else { return nil }
            if name.equalsIgnoringCase("boundary") {
                guard delimiter.isEmpty else { return nil }
                delimiter = [ASCII.hyphen, ASCII.hyphen] + field[value.range]
            }
            cursor = value.end
        }
        guard delimiter.count > 2, delimiter.last != ASCII.space, delimiter[2] != ASCII.space else { return nil }
        // An encoded word.
        for index in delimiter.indices.dropLast()
        where delimiter[index] == ASCII.equals && delimiter[index + 1] == ASCII.question { return nil }
    }

    /// A quoted string without escapes, or a token of letters, digits and a few signs.
    private static func value(_ field: [UInt8], from start: Int) -> (range: Range<Int>, end: Int)? {
        var cursor = start
        guard cursor < field.count else { return nil }
        guard field[cursor] == ASCII.quote else {
            while cursor < field.count, field[cursor].isPlain { cursor += 1 }
            return cursor > start ? (start..<cursor, cursor) : nil
        }
        cursor += 1
        while cursor < field.count, field[cursor] != ASCII.quote {
            guard field[cursor] >= 32, field[cursor] < 127, field[cursor] != ASCII.backslash else { return nil }
            cursor += 1
        }
        return cursor < field.count && cursor > start + 1 ? (start + 1..<cursor, cursor + 1) : nil
    }
}

/// The fields of a part's header that decide how it is read, unfolded.
fileprivate struct PartHeader {
    private(set) var type: [UInt8]?
    private(set) var encoding: [UInt8]?
    private(set) var disposition: [UInt8]?
    private(set) var bodyStart = 0

    /// Nil for a header with a line that is no field, a repeated field, a field in more than plain ASCII, or without an
    /// end.
    init?(_ bytes: borrowing Octets, _ range: Range<Int>) {
        var line = range.lowerBound
        while line < range.upperBound {
            guard let (end, next) = Self.lineEnd(bytes, line, range.upperBound) else { return nil }
            if end == line {
                bodyStart = next
                return
            }
            var colon = line
            while colon < end, bytes[colon].isLetter || bytes[colon].isDigit || bytes[colon] == ASCII.hyphen {
                colon += 1
            }
            guard colon > line, colon < end, bytes[colon] == ASCII.colon else { return nil }
            let name = HeaderSection.name(bytes, line..<colon)
            var (valueEnd, following) = (end, next)
            while following < range.upperBound, bytes[following].isWSP {
                guard let folded = Self.lineEnd(bytes, following, range.upperBound) else { return nil }
                (valueEnd, following) = folded
            }
            guard keep(bytes, colon + 1..<valueEnd, as: name) else { return nil }
            line = following
        }
        return nil
    }

    /// Returns false for a repeated field, and for one that GMime may read otherwise.
    private mutating func keep(_ bytes: borrowing Octets, _ range: Range<Int>, as name: HeaderSection.Name?) -> Bool {
        switch name {
        case .contentType:
            guard type == nil, let value = Self.value(bytes, range) else { return false }
            type = value
        case .contentTransferEncoding:
            guard encoding == nil, let value = Self.value(bytes, range) else { return false }
            encoding = value
        case .contentDisposition:
            guard disposition == nil, let value = Self.value(bytes, range) else { return false }
            disposition = value
        default: break
        }
        return true
    }

    private static func value(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8]? {
        // Refuses control characters, which GMime interprets differently, except those of a fold.
        for index in range where bytes[index] < 32 && bytes[index] != ASCII.lf {
            let isReturn = bytes[index] == ASCII.cr && index + 1 < range.upperBound && bytes[index + 1] == ASCII.lf
            guard isReturn || bytes[index] == ASCII.tab && bytes[index - 1] == ASCII.lf else { return nil }
        }
        let value = unfolded(bytes, range)
        guard !value.isEmpty else { return nil }
        // Comments, escapes, and parameters of RFC 2231.
        for byte in value where byte < 32 || byte > 126 || "()*%\\".utf8.contains(byte) { return nil }
        for index in value.indices.dropLast() where value[index] == ASCII.equals && value[index + 1] == ASCII.question {
            return nil
        }
        return value
    }

    /// The end of the line's text and the start of the next line; nil if the line does not end.
    private static func lineEnd(_ bytes: borrowing Octets, _ start: Int, _ end: Int) -> (end: Int, next: Int)? {
        guard let lf = bytes.index(of: ASCII.lf, from: start), lf < end else { return nil }
        return (lf > start && bytes[lf - 1] == ASCII.cr ? lf - 1 : lf, lf + 1)
    }
}
