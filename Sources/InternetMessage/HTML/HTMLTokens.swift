/// The parts of the tokenizer (HTML standard, section 13.2.5) that find where a token ends.
enum HTMLTokens {
    /// A start or end tag; its attributes are read over but for the two that can hide it.
    struct Tag {
        /// The hash of the name, see ``HTMLElement/hash(_:_:)``.
        private(set) var name = HTMLElement.hashSeed
        let nameStart: Int
        private(set) var nameEnd = 0
        /// The value of the first `style` attribute.
        private(set) var style: Range<Int>?
        /// Whether there is a `hidden` attribute.
        private(set) var isHidden = false
        /// The index after `>`.
        private(set) var end = 0

        /// Whether the tag ends with `/>`, which counts in SVG only.
        func isSelfClosing(_ html: borrowing Octets) -> Bool { html[end - 2] == ASCII.slash }

        /// Nil when the mail ends within the tag; then there is no tag at all.
        init?(_ html: borrowing Octets, at start: Int) {
            nameStart = start
            var cursor = start
            let count = html.count
            while cursor < count {
                let byte = html[cursor]
                if byte.endsTagName { break }
                name = HTMLElement.hash(name, byte.lowercased)
                cursor += 1
            }
            nameEnd = cursor
            while cursor < count {
                let byte = html[cursor]
                if byte == ASCII.greater {
                    end = cursor + 1
                    return
                }
                if byte == ASCII.slash || byte.isSpace {
                    cursor += 1
                } else {
                    cursor = readAttribute(html, at: cursor)
                }
            }
            return nil
        }

        /// Attribute name state and those after it. Returns where reading goes on.
        private mutating func readAttribute(_ html: borrowing Octets, at start: Int) -> Int {
            let count = html.count
            // An equals sign that stands first belongs to the name.
            var cursor = start + 1
            while cursor < count, !html[cursor].endsAttributeName { cursor += 1 }
            let nameEnd = cursor
            while cursor < count, html[cursor].isSpace { cursor += 1 }
            guard cursor < count, html[cursor] == ASCII.equals else {
                note(html, start..<nameEnd, value: nameEnd..<nameEnd)
                return cursor
            }
            cursor += 1
            while cursor < count, html[cursor].isSpace { cursor += 1 }
            guard cursor < count else { return count }
            let delimiter = html[cursor]
            if delimiter == ASCII.quote || delimiter == ASCII.apostrophe {
                guard let close = html.index(of: delimiter, from: cursor + 1) else { return count }
                note(html, start..<nameEnd, value: (cursor + 1)..<close)
                return close + 1
            }
            let valueStart = cursor
            while cursor < count, html[cursor] != ASCII.greater, !html[cursor].isSpace { cursor += 1 }
            note(html, start..<nameEnd, value: valueStart..<cursor)
            return cursor
        }

        @inline(__always)
        private mutating func note(_ html: borrowing Octets, _ name: Range<Int>, value: Range<Int>) {
            if name.count == 5, style == nil, html.matches("style", at: name.lowerBound) {
                style = value
            } else if name.count == 6, html.matches("hidden", at: name.lowerBound) {
                isHidden = true
            }
        }
    }

    /// The index after the comment whose text begins at `start`, after `<!--`.
    static func commentEnd(_ html: borrowing Octets, from start: Int) -> Int {
        if html.matches(">", at: start) { return start + 1 }
        if html.matches("->", at: start) { return start + 2 }
        var cursor = start
        while let close = html.index(of: ASCII.greater, from: cursor) {
            if close >= start + 2, html.matches("--", at: close - 2) { return close + 1 }
            if close >= start + 3, html.matches("--!", at: close - 3) { return close + 1 }
            cursor = close + 1
        }
        return html.count
    }

    /// The index after `]]>`.
    static func cdataEnd(_ html: borrowing Octets, from start: Int) -> Int {
        var cursor = start
        while let close = html.index(of: ASCII.greater, from: cursor) {
            if close >= start + 2, html.matches("]]", at: close - 2) { return close + 1 }
            cursor = close + 1
        }
        return html.count
    }

    /// Where the end tag of a raw text element begins.
    static func rawTextEnd(_ html: borrowing Octets, from start: Int, nameStart: Int, nameEnd: Int) -> Int {
        var cursor = start
        while let less = html.index(of: ASCII.less, from: cursor) {
            if less + 1 < html.count, html[less + 1] == ASCII.slash,
                isName(html, at: less + 2, likeThat: nameStart..<nameEnd)
            {
                return less
            }
            cursor = less + 1
        }
        return html.count
    }

    /// Where the end tag of a script begins. After `<!--` a nested script element hides its own end tag (section
    /// 13.2.5.20 and the following).
    static func scriptEnd(_ html: borrowing Octets, from start: Int) -> Int {
        var cursor = start
        var isEscaped = false
        var isDoubleEscaped = false
        while cursor < html.count {
            let byte = html[cursor]
            if byte == ASCII.less {
                if html.matches("<!--", at: cursor) {
                    isEscaped = true
                    // Its hyphens may be those of `-->`: `<!-->` ends the escape at once.
                    cursor += 1
                } else if isName(html, at: cursor + 2, "script"), html[cursor + 1] == ASCII.slash {
                    if !isDoubleEscaped { return cursor }
                    isDoubleEscaped = false
                } else if isEscaped, isName(html, at: cursor + 1, "script") {
                    isDoubleEscaped = true
                }
            } else if byte == ASCII.hyphen, html.matches("-->", at: cursor) {
                isEscaped = false
                isDoubleEscaped = false
            }
            cursor += 1
        }
        return html.count
    }

    private static func isName(_ html: borrowing Octets, at start: Int, _ name: StaticString) -> Bool {
        let end = start + name.utf8CodeUnitCount
        return html.matches(name, at: start) && end < html.count && html[end].endsTagName
    }

    private static func isName(_ html: borrowing Octets, at start: Int, likeThat name: Range<Int>) -> Bool {
        guard start + name.count < html.count else { return false }
        for offset in 0..<name.count where html[start + offset].lowercased != html[name.lowerBound + offset].lowercased
        {
            return false
        }
        return html[start + name.count].endsTagName
    }
}

extension UInt8 {
    /// White space, `/` or `>`: a bit for each of the first 64 bytes.
    @inline(__always) fileprivate var endsTagName: Bool {
        self < 64 && (1 << 62 | 1 << 47 | 1 << 32 | 0x3E00 as UInt64) &>> UInt64(self) & 1 != 0
    }
    /// The same or `=`.
    @inline(__always) fileprivate var endsAttributeName: Bool { endsTagName || self == ASCII.equals }
}
