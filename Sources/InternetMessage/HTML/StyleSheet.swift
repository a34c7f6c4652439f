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
    /// Number of selectors that are kept, those of ``pending`` included.
    private var selectors = 0
    /// Index of the first sheet whose rules for classes and ids are not read yet, and the number of selectors before
    /// it: nearly no element of a mail has a class.
    private var pending: (sheet: Int, selectors: Int)?
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

    var isEmpty: Bool { selectors == 0 }
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
        texts.append(InlineStyle.needsCleaning(raw.span) ? InlineStyle.clean(raw) : raw)
        let text = texts[texts.count - 1]
        let before = selectors
        if read(text.span, isAfterText: isAfterText), pending == nil { pending = (texts.count - 1, before) }
    }

    /// Reads the rules for names.
    /// - Returns: true if there are rules for classes or ids.
    private mutating func read(_ text: borrowing Octets, isAfterText: Bool) -> Bool {
        var hasClasses = false
        var start = 0
        while let prelude = StylePrelude(text, from: start) {
            // `@import` and `@charset` end with a semicolon.
            if prelude.hasAtBeforeSemicolon { isIncomplete = true }
            guard !prelude.hasAt else {
                let end = Self.groupEnd(text, from: prelude.end)
                if Self.mentionsColors(text, prelude.end..<end) { isIncomplete = true }
                start = end
                continue
            }
            let end = text.index(of: UInt8(ascii: "}"), from: prelude.end) ?? text.count
            let declarations = (prelude.end + 1)..<end
            if isAfterText {
                let paint = Self.paint(text, declarations)
                if paint.isDoubtful || Paint().with(paint).contrast != .clear { mayHide = true }
            }
            prelude.forEachSelector(text) { text, selector in
                if selectors < Self.limit, let isOfName = Self.isOfName(selector: text, selector) {
                    selectors += 1
                    if isOfName {
                        let key = Self.key(selector: text, selector)
                        rules.append(Rule(key: key, sheet: texts.count - 1, declarations: declarations))
                        names |= Self.bit(key)
                    } else {
                        hasClasses = true
                    }
                } else if !isIncomplete, !Self.paint(text, declarations).isEmpty {
                    isIncomplete = true
                }
            }
            start = end + 1
        }
        if start < text.count, Self.contains(text, start..<text.count, ASCII.at) { isIncomplete = true }
        return hasClasses
    }

    /// Reads the rules for classes and ids: an element has one.
    private mutating func readPending() {
        guard let first = pending else { return }
        pending = nil
        var count = first.selectors
        for sheet in first.sheet..<texts.count {
            let bytes = texts[sheet]
            let text = bytes.span
            var start = 0
            while let prelude = StylePrelude(text, from: start) {
                guard !prelude.hasAt else {
                    start = Self.groupEnd(text, from: prelude.end)
                    continue
                }
                let end = text.index(of: UInt8(ascii: "}"), from: prelude.end) ?? text.count
                let declarations = (prelude.end + 1)..<end
                prelude.forEachSelector(text) { text, selector in
                    guard count < Self.limit, let isOfName = Self.isOfName(selector: text, selector) else { return }
                    count += 1
                    if isOfName { return }
                    let key = Self.key(selector: text, selector)
                    rules.append(Rule(key: key, sheet: sheet, declarations: declarations))
                    classes |= Self.bit(key)
                }
                start = end + 1
            }
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

    /// The declarations of all rules of a key; nil if there is none.
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
        if pending != nil, attributes.classes != nil || attributes.id != nil { readPending() }
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

    /// True for a simple selector of a name, false for one of a class or id, nil for any other.
    @inline(__always)
    private static func isOfName(selector text: borrowing Octets, _ range: Range<Int>) -> Bool? {
        guard let first = range.first else { return nil }
        let isMarked = text[first] == ASCII.dot || text[first] == UInt8(ascii: "#")
        if range.count == 1 {
            if text[first] == UInt8(ascii: "*") { return true }
            if isMarked { return nil }
        }
        for index in (isMarked ? first + 1 : first)..<range.upperBound {
            let byte = text[index]
            guard byte.isLetter || byte.isDigit || byte == ASCII.hyphen || byte == 95 else { return nil }
        }
        return !isMarked
    }

    /// The key of a simple selector. Names are compared without case, as in mail without a document type.
    private static func key(selector text: borrowing Octets, _ range: Range<Int>) -> UInt64 {
        range.reduce(HTMLElement.hashSeed) { HTMLElement.hash($0, text[$1].lowercased) }
    }

    private static func contains(_ text: borrowing Octets, _ range: Range<Int>, _ byte: UInt8) -> Bool {
        index(of: byte, text, range) != nil
    }

    /// Searches no further than the range, so that many short rules take linear time.
    private static func index(of byte: UInt8, _ text: borrowing Octets, _ range: Range<Int>) -> Int? {
        text.extracting(range).index(of: byte, from: 0).map { $0 + range.lowerBound }
    }

    private static func mentionsColors(_ text: borrowing Octets, _ range: Range<Int>) -> Bool {
        range.contains {
            let first = text[$0] | 0x20
            return first == UInt8(ascii: "c") && text.matches("color", at: $0)
                || first == UInt8(ascii: "b") && text.matches("background", at: $0)
        }
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
