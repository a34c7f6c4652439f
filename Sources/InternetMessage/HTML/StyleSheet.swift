/// The simple rules of a mail's style sheets: `td`, `.name`, `#name`, `*`, and lists of them.
///
/// All other rules (`td.name`, `a:hover`, those in `@media`) are not applied. If one of them could change a colour,
/// ``isIncomplete`` is true: then no text is hidden for its colour.
struct StyleSheet {
    private var rules: [UInt64: DeclaredPaint] = [:]
    /// True if the colours of elements may differ from the computed ones.
    private(set) var isIncomplete = false
    /// True if a rule hides text or makes it hard to see on white: it would have changed text before the sheet.
    private(set) var mayHide = false

    var isEmpty: Bool { rules.isEmpty }
    /// True if more sheets follow than are read.
    var isFull: Bool { sheets > Self.sheetLimit }

    /// Rules that are kept. Mail has a few dozen; more would only fill memory.
    static let limit = 2000

    /// Sheets that are read. Each is applied to all open elements.
    static let sheetLimit = 50
    private var sheets = 0

    mutating func setIncomplete() { isIncomplete = true }

    /// Adds the content of a `style` element.
    /// - Parameter isConditional: true if it counts for some readers only.
    mutating func add(_ html: borrowing Octets, _ range: Range<Int>, isConditional: Bool) {
        sheets += 1
        if isConditional || sheets > Self.sheetLimit {
            if Self.mentionsColors(html, range) { isIncomplete = true }
            return
        }
        let raw = [UInt8](html, range)
        let text = InlineStyle.needsCleaning(raw.span) ? InlineStyle.clean(raw) : raw
        let span = text.span
        var start = 0
        while let open = span.index(of: UInt8(ascii: "{"), from: start) {
            // `@import` and `@charset` end with a semicolon.
            while let end = Self.index(of: ASCII.semicolon, span, start..<open) {
                if Self.contains(span, start..<end, ASCII.at) { isIncomplete = true }
                start = end + 1
            }
            guard !Self.contains(span, start..<open, ASCII.at) else {
                let end = Self.groupEnd(span, from: open)
                if Self.mentionsColors(span, open..<end) { isIncomplete = true }
                start = end
                continue
            }
            let end = span.index(of: UInt8(ascii: "}"), from: open) ?? span.count
            add(selectors: span, start..<open, InlineStyle(rule: span, (open + 1)..<end))
            start = end + 1
        }
        if start < span.count, Self.contains(span, start..<span.count, ASCII.at) { isIncomplete = true }
    }

    private mutating func add(selectors text: borrowing Octets, _ range: Range<Int>, _ style: InlineStyle) {
        var paint = DeclaredPaint()
        paint.add(style)
        if style.hides { paint.isDoubtful = true }
        guard !paint.isEmpty else { return }
        if paint.isDoubtful || Paint().with(paint).contrast != .clear { mayHide = true }
        var start = range.lowerBound
        while start < range.upperBound, text[start].isSpace { start += 1 }
        // Old mails put the rules into a comment of HTML.
        if text.matches("<!--", at: start) { start += 4 } else if text.matches("-->", at: start) { start += 3 }
        while start < range.upperBound {
            let end = Self.index(of: ASCII.comma, text, start..<range.upperBound) ?? range.upperBound
            if let key = Self.key(selector: text, start..<end), rules.count < Self.limit {
                rules[key, default: DeclaredPaint()].add(paint)
            } else {
                isIncomplete = true
            }
            start = end + 1
        }
    }

    /// Adds the rules for an element to what its attributes declare, in the order of their specificity.
    func apply(
        to paint: inout DeclaredPaint, of name: UInt64, _ attributes: HTMLTokens.ColorAttributes,
        _ html: borrowing Octets
    ) {
        if let rule = rules[Self.universal] { paint.add(rule) }
        if let rule = rules[name] { paint.add(rule) }
        if let classes = attributes.classes {
            var found: DeclaredPaint?
            var start = classes.lowerBound
            while start < classes.upperBound {
                var end = start
                var key = Self.seed(of: ASCII.dot)
                while end < classes.upperBound, !html[end].isSpace {
                    key = HTMLElement.hash(key, html[end].lowercased)
                    end += 1
                }
                if end > start, let rule = rules[key] {
                    if found == nil { found = rule } else { found?.add(beside: rule) }
                }
                start = end + 1
            }
            if let found { paint.add(found) }
        }
        if let id = attributes.id {
            var key = Self.seed(of: UInt8(ascii: "#"))
            for index in id { key = HTMLElement.hash(key, html[index].lowercased) }
            if let rule = rules[key] { paint.add(rule) }
        }
    }

    private static let universal = seed(of: UInt8(ascii: "*"))

    private static func seed(of kind: UInt8) -> UInt64 { HTMLElement.hash(HTMLElement.hashSeed, kind) }

    /// The key of a simple selector; nil for any other. Names are compared without case, as in mail without a document
    /// type.
    private static func key(selector text: borrowing Octets, _ range: Range<Int>) -> UInt64? {
        var range = range
        while let first = range.first, text[first].isSpace { range = (first + 1)..<range.upperBound }
        while let last = range.last, text[last].isSpace { range = range.lowerBound..<last }
        guard let first = range.first else { return nil }
        let isMarked = text[first] == ASCII.dot || text[first] == UInt8(ascii: "#")
        if range.count == 1, text[first] == UInt8(ascii: "*") { return universal }
        var hash = HTMLElement.hashSeed
        for index in range {
            let byte = text[index]
            let isName = byte.isLetter || byte.isDigit || byte == ASCII.hyphen || byte == 95
            guard isName || index == first && isMarked && range.count > 1 else { return nil }
            hash = HTMLElement.hash(hash, byte.lowercased)
        }
        return hash
    }

    private static func contains(_ text: borrowing Octets, _ range: Range<Int>, _ byte: UInt8) -> Bool {
        index(of: byte, text, range) != nil
    }

    /// Searches no further than the range, so that many short rules take linear time.
    private static func index(of byte: UInt8, _ text: borrowing Octets, _ range: Range<Int>) -> Int? {
        text.extracting(range).index(of: byte, from: 0).map { $0 + range.lowerBound }
    }

    private static func mentionsColors(_ text: borrowing Octets, _ range: Range<Int>) -> Bool {
        range.contains { text.matches("color", at: $0) || text.matches("background", at: $0) }
    }

    /// Returns the index after the closing brace of a group of rules. `open` is its opening brace.
    private static func groupEnd(_ text: borrowing Octets, from open: Int) -> Int {
        var depth = 0
        var cursor = open
        while cursor < text.count {
            if text[cursor] == UInt8(ascii: "{") { depth += 1 }
            if text[cursor] == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return cursor + 1 }
            }
            cursor += 1
        }
        return text.count
    }
}
