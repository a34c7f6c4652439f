/// The part of the tokenizer (HTML standard, section 13.2.5) that finds the end of a token.
enum HTMLTokens {
    /// Attributes that matter for colours.
    struct Marks: OptionSet {
        let rawValue: UInt8
        /// `color` or `text`
        static let color = Marks(rawValue: 1)
        /// `bgcolor`
        static let backgroundColor = Marks(rawValue: 2)
        /// `background`, a picture
        static let picture = Marks(rawValue: 4)
        static let link = Marks(rawValue: 8)
        /// `media` other than `all` and `screen`: a style sheet for some readers only.
        static let media = Marks(rawValue: 16)
        /// `class` or `id`
        static let named = Marks(rawValue: 32)
        static let colors: Marks = [.color, .backgroundColor, .picture]
    }

    /// The values of the attributes that matter for colours: the first of each name.
    struct ColorAttributes {
        fileprivate(set) var classes: Range<Int>?
        fileprivate(set) var id: Range<Int>?
        fileprivate(set) var color: Range<Int>?
        fileprivate(set) var backgroundColor: Range<Int>?

        fileprivate mutating func record(_ html: borrowing Octets, _ name: Range<Int>, value: Range<Int>) {
            let start = name.lowerBound
            switch name.count {
            case 2: if id == nil, html.matches("id", at: start) { id = value }
            case 4: if color == nil, html.matches("text", at: start) { color = value }
            case 5:
                if classes == nil, html.matches("class", at: start) {
                    classes = value
                } else if color == nil, html.matches("color", at: start) {
                    color = value
                }
            case 7: if backgroundColor == nil, html.matches("bgcolor", at: start) { backgroundColor = value }
            default: break
            }
        }
    }

    /// The construct at a `<`. The associated value is the index of a tag's name, or the index at which reading
    /// continues.
    enum Markup {
        case startTag(name: Int)
        case endTag(name: Int)
        /// A comment, a declaration, a processing instruction, or an end tag without a name.
        case skipped(to: Int)
        /// No markup: characters that are displayed as they are.
        case text(to: Int)
    }

    /// Tag open state and following.
    /// - Parameter isForeign: true inside SVG and MathML, which have CDATA sections.
    @inline(__always)
    static func markup(_ html: borrowing Octets, at start: Int, isForeign: Bool) -> Markup {
        guard start + 1 < html.count else { return .text(to: html.count) }
        let next = html[start + 1]
        if next.isLetter { return .startTag(name: start + 1) }
        switch next {
        case ASCII.slash:
            guard start + 2 < html.count else { return .text(to: html.count) }
            if html[start + 2].isLetter { return .endTag(name: start + 2) }
            return .skipped(to: html[start + 2] == ASCII.greater ? start + 3 : tagEnd(html, from: start + 2))
        case UInt8(ascii: "!"):
            if html.matches("--", at: start + 2) { return .skipped(to: commentEnd(html, from: start + 4)) }
            if isForeign, html.matches("[cdata[", at: start + 2) {
                return .skipped(to: cdataEnd(html, from: start + 9))
            }
            return .skipped(to: tagEnd(html, from: start + 2))
        case ASCII.question: return .skipped(to: tagEnd(html, from: start + 2))
        default: return .text(to: start + 1)
        }
    }

    /// Returns the index after the next `>`.
    private static func tagEnd(_ html: borrowing Octets, from start: Int) -> Int {
        html.index(of: ASCII.greater, from: start).map { $0 + 1 } ?? html.count
    }

    /// Returns the index after the content of an element in which only its own end tag is a tag; the end of the start
    /// tag for all others.
    static func contentEnd(of element: HTMLElement, _ html: borrowing Octets, _ tag: Tag) -> Int {
        switch element.content {
        case .normal: tag.end
        case .plaintext: html.count
        case .script: scriptEnd(html, from: tag.end)
        default: rawTextEnd(html, from: tag.end, nameStart: tag.nameStart, nameEnd: tag.nameEnd)
        }
    }

    /// A start or end tag with the attributes that can hide it.
    struct Tag {
        /// Hash of the name, see ``HTMLElement/hash(_:_:)``.
        private(set) var name = HTMLElement.hashSeed
        let nameStart: Int
        private(set) var nameEnd = 0
        /// The value of the first `style` attribute.
        private(set) var style: Range<Int>?
        /// True if there is a `hidden` attribute.
        private(set) var isHidden = false
        /// The attributes that matter for colours, which few tags have.
        private(set) var marks: Marks = []
        /// The index after `>`.
        private(set) var end = 0

        /// Returns true if the tag ends with `/>`, which matters in SVG only.
        func isSelfClosing(_ html: borrowing Octets) -> Bool { html[end - 2] == ASCII.slash }

        /// Nil if the document ends inside the tag: then there is no tag.
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
                    let attribute = Self.readAttribute(html, at: cursor)
                    record(html, attribute.name, value: attribute.value)
                    cursor = attribute.end
                }
            }
            return nil
        }

        /// Reads the attributes once more, for the few tags that need them.
        func colorAttributes(_ html: borrowing Octets) -> ColorAttributes {
            var found = ColorAttributes()
            forEachAttribute(html) { html, name, value in found.record(html, name, value: value) }
            return found
        }

        /// Calls `body` with the ranges of each attribute's name and value. A value that begins where the name ends is
        /// none.
        func forEachAttribute(
            _ html: borrowing Octets,
            _ body: (_ html: borrowing Octets, _ name: Range<Int>, _ value: Range<Int>) -> Void
        ) {
            var cursor = nameEnd
            while cursor < end - 1 {
                if html[cursor] == ASCII.slash || html[cursor].isSpace {
                    cursor += 1
                } else {
                    let attribute = Self.readAttribute(html, at: cursor)
                    body(html, attribute.name, attribute.value)
                    cursor = attribute.end
                }
            }
        }

        /// Attribute name state and following. `end` is the index at which reading continues.
        @inline(__always)
        private static func readAttribute(
            _ html: borrowing Octets, at start: Int
        ) -> (name: Range<Int>, value: Range<Int>, end: Int) {
            let count = html.count
            // A leading equals sign belongs to the name.
            var cursor = start + 1
            while cursor < count, !html[cursor].endsAttributeName { cursor += 1 }
            let name = start..<cursor
            while cursor < count, html[cursor].isSpace { cursor += 1 }
            guard cursor < count, html[cursor] == ASCII.equals else {
                return (name, name.upperBound..<name.upperBound, cursor)
            }
            cursor += 1
            while cursor < count, html[cursor].isSpace { cursor += 1 }
            guard cursor < count else { return (name, count..<count, count) }
            let delimiter = html[cursor]
            if delimiter == ASCII.quote || delimiter == ASCII.apostrophe {
                guard let close = html.index(of: delimiter, from: cursor + 1) else {
                    return (name, count..<count, count)
                }
                return (name, (cursor + 1)..<close, close + 1)
            }
            let valueStart = cursor
            while cursor < count, html[cursor] != ASCII.greater, !html[cursor].isSpace { cursor += 1 }
            return (name, valueStart..<cursor, cursor)
        }

        @inline(__always)
        private mutating func record(_ html: borrowing Octets, _ name: Range<Int>, value: Range<Int>) {
            let start = name.lowerBound
            switch name.count {
            case 5:
                if style == nil, html.matches("style", at: start) {
                    style = value
                } else if html.matches("color", at: start) {
                    marks.insert(.color)
                } else if html.matches("class", at: start) {
                    marks.insert(.named)
                } else if html.matches("media", at: start), !StylePrelude.isForScreens(html, value) {
                    marks.insert(.media)
                }
            case 2: if html.matches("id", at: start) { marks.insert(.named) }
            case 6: if html.matches("hidden", at: start) { isHidden = true }
            case 7: if html.matches("bgcolor", at: start) { marks.insert(.backgroundColor) }
            case 4:
                if html.matches("href", at: start) {
                    marks.insert(.link)
                } else if html.matches("text", at: start) {
                    marks.insert(.color)
                }
            case 10: if html.matches("background", at: start) { marks.insert(.picture) }
            default: break
            }
        }
    }

    /// Returns the index after a comment. `start` is the index after `<!--`.
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

    /// Returns the index after `]]>`.
    static func cdataEnd(_ html: borrowing Octets, from start: Int) -> Int {
        var cursor = start
        while let close = html.index(of: ASCII.greater, from: cursor) {
            if close >= start + 2, html.matches("]]", at: close - 2) { return close + 1 }
            cursor = close + 1
        }
        return html.count
    }

    /// Returns the start of the end tag of a raw text element.
    static func rawTextEnd(_ html: borrowing Octets, from start: Int, nameStart: Int, nameEnd: Int) -> Int {
        var cursor = start
        while let less = html.index(of: ASCII.less, from: cursor) {
            if less + 1 < html.count, html[less + 1] == ASCII.slash,
                isName(html, at: less + 2, equalTo: nameStart..<nameEnd)
            {
                return less
            }
            cursor = less + 1
        }
        return html.count
    }

    /// Returns the start of the end tag of a script. After `<!--`, a nested script element hides its own end tag
    /// (section 13.2.5.20 and following).
    static func scriptEnd(_ html: borrowing Octets, from start: Int) -> Int {
        var cursor = start
        var isEscaped = false
        var isDoubleEscaped = false
        while cursor < html.count {
            let byte = html[cursor]
            if byte == ASCII.less {
                if html.matches("<!--", at: cursor) {
                    isEscaped = true
                    // Advances to the hyphens only, because they may belong to `-->`: `<!-->` ends the escape
                    // immediately.
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

    private static func isName(_ html: borrowing Octets, at start: Int, equalTo name: Range<Int>) -> Bool {
        guard start + name.count < html.count else { return false }
        for offset in 0..<name.count where html[start + offset].lowercased != html[name.lowerBound + offset].lowercased
        {
            return false
        }
        return html[start + name.count].endsTagName
    }
}

extension UInt8 {
    /// White space, `/` or `>`, as a bit set of the first 64 bytes.
    @inline(__always) fileprivate var endsTagName: Bool {
        self < 64 && (1 << 62 | 1 << 47 | 1 << 32 | 0x3E00 as UInt64) &>> UInt64(self) & 1 != 0
    }
    /// White space, `/`, `>` or `=`.
    @inline(__always) fileprivate var endsAttributeName: Bool { endsTagName || self == ASCII.equals }
}
