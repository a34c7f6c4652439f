/// Renderer of HTML to canonical text in one pass over the tokens of the HTML standard, section 13.2.5.
///
/// Builds no tree: the stack of open elements (``OpenElements``) decides what is hidden and which element an end tag
/// closes. Reads UTF-8; the sink repairs invalid bytes.
struct HTMLRenderer {
    var sink: CanonicalSink
    var open: OpenElements
    private var sheet = StyleSheet()
    private var styles = InlineStyleCache()
    private var hasSearchedSheets = false

    init(sink: CanonicalSink, elementDepth: Int) {
        self.sink = sink
        open = OpenElements(limit: elementDepth)
    }

    mutating func render(_ html: borrowing Octets) {
        // The text of an alert is a seventh to a third as long as its HTML.
        sink.reserve(html.count / 3)
        var cursor = 0
        while cursor < html.count {
            guard let tag = html.index(of: ASCII.less, from: cursor) else {
                text(html, cursor..<html.count)
                break
            }
            if tag > cursor { text(html, cursor..<tag) }
            cursor = markup(html, at: tag)
        }
        sink.lineBreak()
        sink.isUncertain = false
        if open.isOverfull { sink.defects.record(.limit(.elementDepth)) }
    }

    /// Returns the index at which reading continues.
    private mutating func markup(_ html: borrowing Octets, at start: Int) -> Int {
        switch HTMLTokens.markup(html, at: start, isForeign: open.isForeign) {
        case .startTag(let name): return startTag(html, at: name)
        case .endTag(let name): return endTag(html, at: name)
        case .skipped(let end): return end
        case .text(let end):
            text(literal: html, start..<end)
            return end
        }
    }

    private mutating func startTag(_ html: borrowing Octets, at start: Int) -> Int {
        guard let tag = HTMLTokens.Tag(html, at: start) else { return html.count }
        let element = HTMLElement.named(tag.name)
        // A second html or body tag only adds attributes to the first. An SVG element may be self-closing.
        if element.group == .document, !open.isAtDocument { return tag.end }
        if open.isForeign || element.traits.contains(.foreign), tag.isSelfClosing(html) { return tag.end }
        separate(open.closeImplied(by: element))
        let style = style(of: tag, html)
        let paint = paint(of: element, html, tag, style)
        let display = open.push(element, tag, style: style, paint: paint)
        if open.isLaidOut { separate(display) }
        if element.traits.contains(.void) {
            open.popVoid()
            return tag.end
        }
        return element.content == .normal ? tag.end : content(of: element, html, tag)
    }

    private mutating func style(of tag: HTMLTokens.Tag, _ html: borrowing Octets) -> InlineStyle? {
        guard let range = tag.style else { return nil }
        return styles.style(html, range)
    }

    /// The colours that an element declares; nil for nearly all elements without a style.
    private mutating func paint(
        of element: HTMLElement, _ html: borrowing Octets, _ tag: HTMLTokens.Tag, _ style: InlineStyle?
    ) -> DeclaredPaint? {
        if element.traits.contains(.hidden), tag.name == Self.linkName { sheet.setIncomplete() }
        let hasAttributes = !tag.marks.isDisjoint(with: .colors)
        let isLink = element.group == .anchor && tag.marks.contains(.link)
        let hasOwnColors = Self.hasOwnColors(element)
        let isNamed = !sheet.isEmpty && tag.marks.contains(.named)
        let mayHaveRule = isNamed || sheet.mayApply(toName: tag.name)
        guard style?.mayPaint == true || hasAttributes || isLink || mayHaveRule || hasOwnColors else { return nil }
        var paint = DeclaredPaint()
        if isLink { paint.color.set(.link) }
        if hasAttributes || mayHaveRule {
            let attributes = hasAttributes || isNamed ? tag.colorAttributes(html) : HTMLTokens.ColorAttributes()
            if let value = attributes.color, element.group == .document || tag.name == Self.fontName,
                let color = HTMLColor(attribute: html, value)
            {
                paint.color.set(color)
            }
            if let value = attributes.backgroundColor, let color = HTMLColor(attribute: html, value) {
                paint.background.set(Self.paintsBackground(element) ? color : .unknown)
            }
            if tag.marks.contains(.picture) { paint.hasPicture.set(true) }
            if mayHaveRule { sheet.apply(to: &paint, of: tag.name, attributes, html) }
        }
        if hasOwnColors, paint.background.value == nil { paint.background.set(.unknown) }
        if let style { paint.add(style) }
        if paint.isEmpty { return nil }
        if element.traits.contains(.void) {
            // A column's background is behind the cells, which are not inside it.
            if paint.background.value != nil { sheet.setIncomplete() }
            return nil
        }
        if !hasSearchedSheets, open.wouldCamouflage(paint) {
            hasSearchedSheets = true
            if Self.mentionsSheet(html, from: tag.end) { sheet.setIncomplete() }
        }
        open.hasUncertainColors = sheet.isIncomplete
        return paint
    }

    /// Returns true if a style sheet may follow. It would apply to the elements before it as well.
    private static func mentionsSheet(_ html: borrowing Octets, from start: Int) -> Bool {
        var cursor = start
        while let less = html.index(of: ASCII.less, from: cursor) {
            if html.matches("style", at: less + 1) || html.matches("link", at: less + 1) { return true }
            cursor = less + 1
        }
        return false
    }

    private static let linkName = "link".utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)
    private static let fontName = "font".utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)
    private static let styleName = "style".utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)

    /// True for the elements whose attribute `bgcolor` counts (HTML standard, section 15.3).
    private static func paintsBackground(_ element: HTMLElement) -> Bool {
        switch element.group {
        case .document, .table, .rowGroup, .row, .cell: true
        default: false
        }
    }

    /// True for controls, which a browser draws in its own colours.
    private static func hasOwnColors(_ element: HTMLElement) -> Bool {
        element.display == .cell && element.group == .other && !element.traits.contains(.void)
    }

    private mutating func endTag(_ html: borrowing Octets, at start: Int) -> Int {
        guard let tag = HTMLTokens.Tag(html, at: start) else { return html.count }
        let element = HTMLElement.named(tag.name)
        let display = open.close(element, name: tag.name)
        separate(display)
        return tag.end
    }

    /// Reads the content of an element in which only its own end tag is a tag.
    private mutating func content(of element: HTMLElement, _ html: borrowing Octets, _ tag: HTMLTokens.Tag) -> Int {
        let end = HTMLTokens.contentEnd(of: element, html, tag)
        switch element.content {
        case .rcdata: text(html, tag.end..<end)
        case .raw, .plaintext: text(literal: html, tag.end..<end)
        default:
            if tag.name == Self.styleName { add(sheet: html, tag.end..<end, isConditional: tag.marks.contains(.media)) }
        }
        return end
    }

    /// Adds a style sheet, which counts for the elements before it, too.
    private mutating func add(sheet html: borrowing Octets, _ range: Range<Int>, isConditional: Bool) {
        sheet.add(html, range, isConditional: isConditional, isAfterText: !sink.bytes.isEmpty)
        if sheet.mayHide { sink.setUncertain() }
        guard !sheet.isFull else { return }
        var paints: [DeclaredPaint?] = []
        for start in open.starts {
            guard let tag = HTMLTokens.Tag(html, at: start) else { return }
            paints.append(paint(of: .named(tag.name), html, tag, style(of: tag, html)))
        }
        open.repaint(paints)
    }

    private mutating func separate(_ display: HTMLElement.Display) {
        switch display {
        case .inline: break
        case .cell: sink.space()
        case .block: sink.lineBreak()
        }
    }

    /// Text with character references.
    private mutating func text(_ html: borrowing Octets, _ range: Range<Int>) {
        guard open.isShown else { return }
        sink.isUncertain = open.isUncertain
        var cursor = range.lowerBound
        while cursor < range.upperBound {
            let ampersand = sink.write(
                html, cursor..<range.upperBound, keepingLines: open.keepsLines, before: ASCII.ampersand)
            guard ampersand < range.upperBound else { return }
            if let reference = CharacterReference(html, at: ampersand, end: range.upperBound) {
                sink.append(reference.first)
                if let second = reference.second { sink.append(second) }
                cursor = ampersand + reference.length
            } else {
                sink.append(UInt32(ASCII.ampersand))
                cursor = ampersand + 1
            }
        }
    }

    private mutating func text(literal html: borrowing Octets, _ range: Range<Int>) {
        guard open.isShown else { return }
        sink.isUncertain = open.isUncertain
        sink.write(html, range, keepingLines: open.keepsLines)
    }
}
