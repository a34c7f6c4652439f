/// The simple rules of a mail's style sheets: `td`, `.name`, `#name`, `*`, and lists of them, also in `@media screen`.
///
/// Of rules for combinations (`td.name`, `div > .name`) only one thing is applied: what hides makes the text of each
/// element doubtful that has the last name, class or id. All other rules (`a:hover`, those in another `@media`) are not
/// applied. If one of them could change a colour, ``isIncomplete`` is true: then no text is hidden for its colour.
struct StyleSheet {
    /// A rule whose declarations are read when an element has its key: most rules of a mail's sheet fit none.
    private struct Rule {
        let key: UInt64
        let sheet: Int
        let declarations: Range<Int>
        /// True if elements with the key may be others than those of the selector.
        let isWider: Bool
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
                if prelude.isForScreens(text) {
                    start = prelude.end + 1
                    continue
                }
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
                let simple = Self.lastSimple(selector: text, selector)
                if let simple, simple == selector, selectors < Self.limit {
                    selectors += 1
                    if Self.isMarked(text, simple) {
                        hasClasses = true
                    } else {
                        add(text, simple, declarations, sheet: texts.count - 1, isWider: false)
                    }
                    return
                }
                let paint = Self.paint(text, declarations)
                if !paint.isEmpty { isIncomplete = true }
                if paint.isDoubtful, let simple, selectors < Self.limit {
                    selectors += 1
                    add(text, simple, declarations, sheet: texts.count - 1, isWider: true)
                }
            }
            start = end + 1
        }
        if start < text.count, Self.contains(text, start..<text.count, ASCII.at) { isIncomplete = true }
        return hasClasses
    }

    private mutating func add(
        _ text: borrowing Octets, _ simple: Range<Int>, _ declarations: Range<Int>, sheet: Int, isWider: Bool
    ) {
        let key = Self.key(selector: text, simple)
        rules.append(Rule(key: key, sheet: sheet, declarations: declarations, isWider: isWider))
        if Self.isMarked(text, simple) { classes |= Self.bit(key) } else { names |= Self.bit(key) }
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
                    start = prelude.isForScreens(text) ? prelude.end + 1 : Self.groupEnd(text, from: prelude.end)
                    continue
                }
                let end = text.index(of: UInt8(ascii: "}"), from: prelude.end) ?? text.count
                let declarations = (prelude.end + 1)..<end
                prelude.forEachSelector(text) { text, selector in
                    guard count < Self.limit, Self.lastSimple(selector: text, selector) == selector else { return }
                    count += 1
                    if Self.isMarked(text, selector) {
                        add(text, selector, declarations, sheet: sheet, isWider: false)
                    }
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
            let declared = Self.paint(sheet.span, rule.declarations)
            if !rule.isWider { paint.add(declared) } else if declared.isDoubtful { paint.isDoubtful = true }
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

    /// The name, class, id or `*` at the end of a selector, which is the whole of a simple one; nil if it ends
    /// otherwise, such as with a state (`:hover`) or an attribute.
    @inline(__always)
    private static func lastSimple(selector text: borrowing Octets, _ range: Range<Int>) -> Range<Int>? {
        guard let last = range.last else { return nil }
        if text[last] == UInt8(ascii: "*") {
            return range.count == 1 || Self.separates(text[last - 1]) ? last..<range.upperBound : nil
        }
        var start = range.upperBound
        while start > range.lowerBound, isOfWord(text[start - 1]) { start -= 1 }
        guard start < range.upperBound else { return nil }
        guard start > range.lowerBound else { return range }
        let before = text[start - 1]
        if before == ASCII.dot || before == UInt8(ascii: "#") { return (start - 1)..<range.upperBound }
        return separates(before) ? start..<range.upperBound : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == ASCII.hyphen || byte == 95
    }

    /// A combinator of selectors.
    private static func separates(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == ASCII.greater || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "~")
    }

    /// True for the selector of a class or an id.
    private static func isMarked(_ text: borrowing Octets, _ simple: Range<Int>) -> Bool {
        let first = text[simple.lowerBound]
        return first == ASCII.dot || first == UInt8(ascii: "#")
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
