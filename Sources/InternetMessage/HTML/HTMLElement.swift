/// The properties of an HTML element that matter for rendering.
struct HTMLElement: Equatable {
    /// The separation of the element from its surroundings.
    enum Display: UInt8 {
        case inline
        /// Separated by a space: table cells, pictures, form controls.
        case cell
        /// Begins and ends a line.
        case block
    }

    /// The tokenizer state after the start tag (section 13.2.5).
    enum Content: UInt8 {
        case normal
        /// Raw text that is not displayed: style, script, iframe …
        case rawHidden
        case script
        /// Character references but no tags: title (not displayed) and textarea.
        case rcdataHidden
        case rcdata
        /// xmp and plaintext: displayed without interpretation.
        case raw
        case plaintext
    }

    /// The open elements that a start or end tag closes (sections 13.2.6.4.7 and following).
    enum Group: UInt8 {
        case other, document, paragraph, listItem, term, option, optionGroup, cell, row, rowGroup, table, heading,
            anchor
    }

    struct Traits: OptionSet {
        let rawValue: UInt8
        /// Without content and end tag.
        static let void = Traits(rawValue: 1)
        /// `display: none` in the standard's style sheet.
        static let hidden = Traits(rawValue: 2)
        /// Bounds the search for an unmatched end tag: "special" in the standard.
        static let special = Traits(rawValue: 4)
        /// Bounds the search for every end tag except a table's: "scope" in the standard.
        static let scope = Traits(rawValue: 8)
        /// The start tag closes an open paragraph.
        static let closesParagraph = Traits(rawValue: 16)
        /// The end tag may close across blocks: b, i, font …
        static let formatting = Traits(rawValue: 32)
        /// White space is preserved.
        static let preformatted = Traits(rawValue: 64)
        /// SVG: not displayed, and closed by the first HTML block inside.
        static let foreign = Traits(rawValue: 128)
    }

    var display = Display.inline
    var content = Content.normal
    var group = Group.other
    var traits: Traits = []

    static let unknown = HTMLElement()

    /// Returns the element of a name, given as the hash of its lower-case bytes.
    @inline(__always)
    static func named(_ hash: UInt64) -> HTMLElement {
        ElementTable.shared.find(hash)
    }

    /// FNV-1a of 64 bits: start with ``hashSeed`` and add each byte with ``hash(_:_:)``.
    static let hashSeed: UInt64 = 0xcbf2_9ce4_8422_2325
    @inline(__always)
    static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
}

/// The elements of the HTML standard that are not plain inline elements, with obsolete ones that mail still uses.
struct ElementTable {
    static let shared = ElementTable()

    private static let size = 512
    private var hashes = [UInt64](repeating: 0, count: size)
    private var elements = [HTMLElement](repeating: .unknown, count: size)

    @inline(__always)
    func find(_ hash: UInt64) -> HTMLElement {
        var slot = Int(truncatingIfNeeded: hash >> 32) & (Self.size - 1)
        while hashes[slot] != 0 {
            if hashes[slot] == hash { return elements[slot] }
            slot = (slot + 1) & (Self.size - 1)
        }
        return .unknown
    }

    private mutating func add(_ names: String, _ element: HTMLElement) {
        for name in names.split(separator: " ") {
            let hash = name.utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)
            var slot = Int(truncatingIfNeeded: hash >> 32) & (Self.size - 1)
            while hashes[slot] != 0 { slot = (slot + 1) & (Self.size - 1) }
            hashes[slot] = hash
            elements[slot] = element
        }
    }

    private init() {
        let block: HTMLElement.Traits = [.special, .closesParagraph]
        add(
            "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
                + "header hgroup main menu nav ol search section summary ul",
            HTMLElement(display: .block, traits: block))
        add("frameset", HTMLElement(display: .block, traits: [.special]))
        add("html body", HTMLElement(display: .block, group: .document, traits: [.special, .scope]))
        add("h1 h2 h3 h4 h5 h6", HTMLElement(display: .block, group: .heading, traits: block))
        add("p", HTMLElement(display: .block, group: .paragraph, traits: block))
        add("pre listing", HTMLElement(display: .block, traits: block.union(.preformatted)))
        add("li", HTMLElement(display: .block, group: .listItem, traits: block))
        add("dt dd", HTMLElement(display: .block, group: .term, traits: block))
        add("table", HTMLElement(display: .block, group: .table, traits: block.union(.scope)))
        add("tbody thead tfoot", HTMLElement(display: .block, group: .rowGroup, traits: [.special]))
        add("tr", HTMLElement(display: .block, group: .row, traits: [.special]))
        add("td th", HTMLElement(display: .cell, group: .cell, traits: [.special, .scope]))
        add("caption", HTMLElement(display: .block, traits: [.special, .scope]))
        add("hr", HTMLElement(display: .block, traits: [.void, .closesParagraph]))
        add("br", HTMLElement(display: .block, traits: [.void]))
        add("option", HTMLElement(display: .block, group: .option))
        add("optgroup", HTMLElement(display: .block, group: .optionGroup))
        add("img image input embed", HTMLElement(display: .cell, traits: [.void]))
        add("select", HTMLElement(display: .cell, traits: [.special]))
        add("button marquee object applet", HTMLElement(display: .cell, traits: [.special, .scope]))
        add("textarea", HTMLElement(display: .cell, content: .rcdata, traits: .preformatted))
        add("wbr col keygen source track", HTMLElement(traits: [.void]))
        add("area base basefont bgsound frame link meta param", HTMLElement(traits: [.void, .hidden]))
        add("a", HTMLElement(group: .anchor, traits: [.formatting]))
        add("b big code em font i nobr s small strike strong tt u", HTMLElement(traits: [.formatting]))
        add("script", HTMLElement(content: .script, traits: [.hidden]))
        add("style iframe noembed noframes", HTMLElement(content: .rawHidden, traits: [.hidden]))
        add("title", HTMLElement(content: .rcdataHidden, traits: [.hidden]))
        add("xmp", HTMLElement(display: .block, content: .raw, traits: block.union(.preformatted)))
        add("plaintext", HTMLElement(display: .block, content: .plaintext, traits: block.union(.preformatted)))
        add("template", HTMLElement(traits: [.hidden, .special, .scope]))
        add("datalist rp audio video canvas", HTMLElement(traits: [.hidden]))
        add("svg", HTMLElement(traits: [.hidden, .foreign]))
    }
}
