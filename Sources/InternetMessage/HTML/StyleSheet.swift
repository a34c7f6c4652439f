/// The simple rules of a mail's style sheets: `td`, `.name`, `#name`, `*`, and lists of them.
///
/// All other rules (`td.name`, `a:hover`, those in `@media`) are not applied. If one of them could change a colour,
/// ``isIncomplete`` is true: then no text is hidden for its colour.
struct StyleSheet {
    /// A rule whose declarations are read when an element has its key: most rules of a mail's sheet fit none.
    private struct Rule {
        let key: UInt64
        let sheet: Int
        let declarations: Range<Int>
        /// The rule of the same key before it.
        var previous: Int?
    }

    private var rules: [Rule] = []
    /// The content of the sheets.
    private var texts: [[UInt8]] = []
    /// A bit for each key of an element's name, and of a class or id: most are found to have no rule without a search.
    private var names: UInt64 = 0
    private var classes: UInt64 = 0
    /// The last rule of each key among the first `indexed` rules.
    private var last: [UInt64: Int] = [:]
    private var indexed = 0
    private var paints: [UInt64: DeclaredPaint] = [:]
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
    /// - Parameters:
    ///   - isConditional: true if it counts for some readers only.
    ///   - isAfterText: true if text was read before: then ``mayHide`` is determined.
    mutating func add(_ html: borrowing Octets, _ range: Range<Int>, isConditional: Bool, isAfterText: Bool) {
        sheets += 1
        if isConditional || sheets > Self.sheetLimit {
            if Self.mentionsColors(html, range) { isIncomplete = true }
            return
        }
        let raw = [UInt8](html, range)
        let text = InlineStyle.needsCleaning(raw.span) ? InlineStyle.clean(raw) : raw
        texts.append(text)
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
            add(selectors: span, start..<open, declarations: (open + 1)..<end, isAfterText: isAfterText)
            start = end + 1
        }
        if start < span.count, Self.contains(span, start..<span.count, ASCII.at) { isIncomplete = true }
    }

    private mutating func add(
        selectors text: borrowing Octets, _ range: Range<Int>, declarations: Range<Int>, isAfterText: Bool
    ) {
        if isAfterText {
            let paint = Self.paint(text, declarations)
            if paint.isDoubtful || Paint().with(paint).contrast != .clear { mayHide = true }
        }
        var start = range.lowerBound
        while start < range.upperBound, text[start].isSpace { start += 1 }
        // Old mails put the rules into a comment of HTML.
        if text.matches("<!--", at: start) { start += 4 } else if text.matches("-->", at: start) { start += 3 }
        while start < range.upperBound {
            let end = Self.index(of: ASCII.comma, text, start..<range.upperBound) ?? range.upperBound
            if let (key, isOfName) = Self.key(selector: text, start..<end), rules.count < Self.limit {
                rules.append(Rule(key: key, sheet: texts.count - 1, declarations: declarations))
                if isOfName { names |= Self.bit(key) } else { classes |= Self.bit(key) }
            } else if !isIncomplete, !Self.paint(text, declarations).isEmpty {
                isIncomplete = true
            }
            start = end + 1
        }
    }

    private static func paint(_ text: borrowing Octets, _ declarations: Range<Int>) -> DeclaredPaint {
        let style = InlineStyle(rule: text, declarations)
        var paint = DeclaredPaint()
        paint.add(style)
        if style.hides { paint.isDoubtful = true }
        return paint
    }

    @inline(__always)
    private static func bit(_ key: UInt64) -> UInt64 { 1 &<< (key & 63) }

    /// Returns false if no rule is for an element of this name, whatever its attributes.
    @inline(__always)
    func mayApply(toName name: UInt64) -> Bool { names & (Self.universalBit | Self.bit(name)) != 0 }

    /// What all rules of a key declare; nil if there is none.
    /// - Parameter keys: the bits of all keys of its kind.
    private mutating func paint(of key: UInt64, among keys: UInt64) -> DeclaredPaint? {
        guard keys & Self.bit(key) != 0 else { return nil }
        while indexed < rules.count {
            let added = rules[indexed].key
            rules[indexed].previous = last.updateValue(indexed, forKey: added)
            paints[added] = nil
            indexed += 1
        }
        if let known = paints[key] { return known }
        guard let newest = last[key] else { return nil }
        var found = [newest]
        while let previous = found.last.flatMap({ rules[$0].previous }) { found.append(previous) }
        var paint = DeclaredPaint()
        for index in found.reversed() {
            let rule = rules[index]
            let sheet = texts[rule.sheet]
            paint.add(Self.paint(sheet.span, rule.declarations))
        }
        paints[key] = paint
        return paint
    }

    /// Adds the rules for an element to what its attributes declare, in the order of their specificity.
    mutating func apply(
        to paint: inout DeclaredPaint, of name: UInt64, _ attributes: HTMLTokens.ColorAttributes,
        _ html: borrowing Octets
    ) {
        if let rule = self.paint(of: Self.universal, among: names) { paint.add(rule) }
        if let rule = self.paint(of: name, among: names) { paint.add(rule) }
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
                if end > start, let rule = self.paint(of: key, among: self.classes) {
                    if found == nil { found = rule } else { found?.add(beside: rule) }
                }
                start = end + 1
            }
            if let found { paint.add(found) }
        }
        if let id = attributes.id {
            var key = Self.seed(of: UInt8(ascii: "#"))
            for index in id { key = HTMLElement.hash(key, html[index].lowercased) }
            if let rule = self.paint(of: key, among: self.classes) { paint.add(rule) }
        }
    }

    private static let universalBit = bit(universal)
    private static let universal = seed(of: UInt8(ascii: "*"))

    private static func seed(of kind: UInt8) -> UInt64 { HTMLElement.hash(HTMLElement.hashSeed, kind) }

    /// The key of a simple selector; nil for any other. Names are compared without case, as in mail without a document
    /// type.
    private static func key(selector text: borrowing Octets, _ range: Range<Int>) -> (UInt64, isOfName: Bool)? {
        var range = range
        while let first = range.first, text[first].isSpace { range = (first + 1)..<range.upperBound }
        while let last = range.last, text[last].isSpace { range = range.lowerBound..<last }
        guard let first = range.first else { return nil }
        let isMarked = text[first] == ASCII.dot || text[first] == UInt8(ascii: "#")
        if range.count == 1, text[first] == UInt8(ascii: "*") { return (universal, true) }
        var hash = HTMLElement.hashSeed
        for index in range {
            let byte = text[index]
            let isName = byte.isLetter || byte.isDigit || byte == ASCII.hyphen || byte == 95
            guard isName || index == first && isMarked && range.count > 1 else { return nil }
            hash = HTMLElement.hash(hash, byte.lowercased)
        }
        return (hash, !isMarked)
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
