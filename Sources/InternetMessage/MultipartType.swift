/// What a multipart's Content-Type says, where it is plain.
struct MultipartType {
    private let subtype: [UInt8]
    let boundary: ArraySlice<UInt8>

    init?(_ value: [UInt8]) {
        guard value.span.matches("multipart/", at: 0), value.allSatisfy({ $0 >= ASCII.space && $0 < 127 }) else { return nil }
        var cursor = 10
        func token() -> Range<Int> {
            let start = cursor
            while cursor < value.count, value[cursor].isPlain { cursor += 1 }
            return start..<cursor
        }
        func skipBlanks() { while cursor < value.count, value[cursor] == ASCII.space { cursor += 1 } }
        subtype = value[token()].map(\.lowercased)
        var boundary: ArraySlice<UInt8>?
        skipBlanks()
        while cursor < value.count {
            guard value[cursor] == ASCII.semicolon else { return nil }
            cursor += 1
            skipBlanks()
            if cursor == value.count { break }
            let name = value[token()].map(\.lowercased)
            guard !name.isEmpty, cursor + 1 < value.count, value[cursor] == ASCII.equals else { return nil }
            cursor += 1
            let content: ArraySlice<UInt8>
            if value[cursor] == ASCII.quote {
                guard let end = value[(cursor + 1)...].firstIndex(of: ASCII.quote) else { return nil }
                content = value[(cursor + 1)..<end]
                cursor = end + 1
            } else {
                content = value[token()]
            }
            // Escapes, and words that may be encoded.
            guard !content.isEmpty, !content.contains(ASCII.backslash), !content.contains(ASCII.question) else { return nil }
            // Of a related one it says which part is shown.
            if name.equalsIgnoringCase("start") { return nil }
            if name.equalsIgnoringCase("boundary") {
                guard boundary == nil, content.last != ASCII.space else { return nil }
                boundary = content
            }
            skipBlanks()
        }
        // In a digest parts without a type are mails.
        guard let boundary, !subtype.isEmpty, !subtype.equalsIgnoringCase("digest") else { return nil }
        self.boundary = boundary
    }

    /// - Parameter parts: at least one.
    func body(_ parts: [MIMEBody]) -> MIMEBody {
        if subtype.equalsIgnoringCase("encrypted") { return .nothing }
        // The root comes first (RFC 2387 section 3.2), and what is signed before its signature.
        if subtype.equalsIgnoringCase("related") || subtype.equalsIgnoringCase("signed") { return parts[0] }
        return subtype.equalsIgnoringCase("alternative") ? .choice(parts) : .sequence(parts)
    }
}
