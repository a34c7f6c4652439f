/// The `dmarc` and `dkim` results of an Authentication-Results field, RFC 8601 section 2.2.
struct AuthenticationResults {
    enum Method: UInt8 {
        case dmarc, dkim
    }

    enum Outcome: UInt8 {
        case pass, fail
        /// none, neutral, temperror, policy and every other, known or not.
        case other
    }

    /// A property of a result: `header.from`, `header.d`, `header.i`.
    enum Property: UInt8 {
        case headerFrom, headerD, headerI
    }

    struct Result {
        let method: Method
        let outcome: Outcome
        /// In order, with repetitions; values in lower case.
        fileprivate(set) var properties: [(name: Property, value: String)] = []

        func values(of name: Property) -> [String] {
            properties.compactMap { $0.name == name ? $0.value : nil }
        }
    }

    /// In lower case; nil if it is absent, as in Microsoft's fields. Empty if it is quoted or follows a comment: no
    /// provider writes it so, and a server that removes forged fields may compare bytes and miss such a name.
    let authservID: String?
    /// The `dmarc` and `dkim` results.
    let results: [Result]

    /// - Parameter range: the raw value in the message, with its folds.
    init(parsing bytes: [UInt8], _ range: Range<Int>) {
        var scanner = ResultScanner(bytes: bytes, range)
        scanner.readToken()
        if scanner.peek == ASCII.equals {
            // `method=result` in place of the authserv-id.
            authservID = nil
            scanner = ResultScanner(bytes: bytes, range)
        } else {
            let start = bytes[range].drop { $0.isSpace }
            let isPlain = start.prefix(scanner.token.count).elementsEqual(scanner.token) { $0.lowercased == $1 }
            authservID = isPlain ? String(decoding: scanner.token, as: UTF8.self) : ""
            scanner.skipToSemicolon()
        }
        var results: [Result] = []
        // After a damaged result, reading continues after the next semicolon.
        while !scanner.isAtEnd {
            if let result = scanner.result() { results.append(result) }
            scanner.skipToSemicolon()
        }
        self.results = results
    }
}

/// Tokenizer that skips comments and folds.
fileprivate struct ResultScanner {
    /// The last token, ASCII letters in lower case.
    private(set) var token: [UInt8] = []

    private let bytes: [UInt8]
    private var cursor: Int
    private let end: Int

    /// Maximum nesting of comments. A deeper comment is read as part of its parent.
    private static let commentDepth = 16

    init(bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        cursor = range.lowerBound
        end = range.upperBound
        token.reserveCapacity(64)
    }

    var isAtEnd: Bool { cursor >= end }
    var peek: UInt8? { isAtEnd ? nil : bytes[cursor] }

    /// Skips white space and comments (CFWS). An unclosed comment extends to the end: nothing in it counts.
    private mutating func skipCFWS() {
        while let byte = peek {
            if byte.isSpace {
                cursor += 1
            } else if byte == ASCII.openParen {
                cursor = commentEnd(bytes.span, cursor..<end, depth: Self.commentDepth) ?? end
            } else {
                return
            }
        }
    }

    /// Moves after the next semicolon outside comments and quoted strings.
    mutating func skipToSemicolon() {
        while let byte = peek {
            switch byte {
            case ASCII.semicolon:
                cursor += 1
                return
            case ASCII.openParen: skipCFWS()
            case ASCII.quote: readQuotedString()
            default: cursor += 1
            }
        }
    }

    /// Appends the content of a quoted string to the token.
    private mutating func readQuotedString() {
        cursor += 1
        while let byte = peek {
            cursor += 1
            if byte == ASCII.quote { return }
            if byte == ASCII.backslash, let escaped = peek {
                token.append(escaped.lowercased)
                cursor += 1
            } else {
                token.append(byte.lowercased)
            }
        }
    }

    /// Reads a token, a quoted string or an address, and the CFWS around it.
    /// - Parameter isValue: true if an equals sign is part of the token, as in `header.b=abc=`.
    mutating func readToken(isValue: Bool = false) {
        token.removeAll(keepingCapacity: true)
        appendToken(isValue: isValue)
    }

    private mutating func appendToken(isValue: Bool) {
        skipCFWS()
        while let byte = peek {
            if byte == ASCII.semicolon || byte == ASCII.openParen || byte.isSpace { break }
            if byte == ASCII.equals, !isValue { break }
            if byte == ASCII.quote {
                readQuotedString()
            } else {
                token.append(byte.lowercased)
                cursor += 1
            }
        }
        skipCFWS()
    }

    /// Reads a method with its version, or a property with its type. CFWS may be inside: `header . from`.
    private mutating func readKey() {
        readToken()
        while let byte = peek, byte != ASCII.semicolon, byte != ASCII.equals {
            guard byte == ASCII.dot || byte == ASCII.slash || token.last == ASCII.dot || token.last == ASCII.slash
            else {
                return
            }
            appendToken(isValue: false)
        }
    }

    /// Reads `method [/ version] = result *(ptype . property = value)`; nil if it is damaged or has another method.
    mutating func result() -> AuthenticationResults.Result? {
        readKey()
        guard let method, peek == ASCII.equals else { return nil }
        cursor += 1
        readToken()
        var result = AuthenticationResults.Result(method: method, outcome: outcome)
        while let byte = peek, byte != ASCII.semicolon {
            let before = cursor
            readKey()
            guard peek == ASCII.equals else {
                // Not a property: a word without a value, or a stray character.
                if cursor == before { cursor += 1 }
                continue
            }
            let name = property
            cursor += 1
            readToken(isValue: true)
            if let name { result.properties.append((name, String(decoding: token, as: UTF8.self))) }
        }
        return result
    }

    private var method: AuthenticationResults.Method? {
        let name = token.span
        if name.matches("dkim", at: 0), name.count == 4 || name[4] == ASCII.slash { return .dkim }
        if name.matches("dmarc", at: 0), name.count == 5 || name[5] == ASCII.slash { return .dmarc }
        return nil
    }

    private var outcome: AuthenticationResults.Outcome {
        if token.equalsIgnoringCase("pass") { return .pass }
        return token.equalsIgnoringCase("fail") ? .fail : .other
    }

    private var property: AuthenticationResults.Property? {
        if token.equalsIgnoringCase("header.from") { return .headerFrom }
        if token.equalsIgnoringCase("header.d") { return .headerD }
        return token.equalsIgnoringCase("header.i") ? .headerI : nil
    }
}
