/// The declarations of a `style` attribute that affect whether and how an element is displayed.
struct InlineStyle {
    enum Display: UInt8 {
        case none, block, inline
    }

    private(set) var display = Declared<Display>()
    private(set) var isInvisible = Declared<Bool>()
    /// Text of size zero. Inherited until an element inside sets its own size; mail builders rely on this.
    private(set) var isFontZero = Declared<Bool>()
    private(set) var keepsLines = Declared<Bool>()
    private(set) var color = Declared<HTMLColor>()
    private(set) var background = Declared<HTMLColor>()
    /// A picture or gradient, whose colours are not computed.
    private(set) var hasPicture = Declared<Bool>()
    /// Drawn at another place than its own: outside the page, or over other text.
    private(set) var isDisplaced = Declared<Bool>()
    private var isTransparent = Declared<Bool>()
    private var isHiddenFromWord = Declared<Bool>()
    private var clipsOverflow = Declared<Bool>()
    private var isHeightZero = Declared<Bool>()
    private var isHeightTiny = Declared<Bool>()
    private var isMaxHeightZero = Declared<Bool>()
    private var isMaxWidthZero = Declared<Bool>()

    /// The cascaded value of a property: the last declaration wins, and `!important` overrides all others.
    struct Declared<Value> {
        private(set) var value: Value?
        private var isImportant = false

        mutating func set(_ value: Value, important: Bool = false) {
            guard important || !isImportant else { return }
            self.value = value
            isImportant = important
        }

        /// Adds a declaration of higher specificity.
        mutating func set(_ other: Declared) {
            if let value = other.value { set(value, important: other.isImportant) }
        }
    }

    /// True if nothing inside the element is visible, whatever the style of the elements inside.
    var removes: Bool {
        if display.value == InlineStyle.Display.none || isTransparent.value == true || isHiddenFromWord.value == true {
            return true
        }
        guard clipsOverflow.value == true else { return false }
        return isHeightZero.value == true || isMaxHeightZero.value == true || isMaxWidthZero.value == true
    }

    /// True if a reader may not see the text, or not as it is written.
    var isDoubtful: Bool { isDisplaced.value == true || clipsOverflow.value == true && isHeightTiny.value == true }

    /// True if there may be a declaration of a colour or a place.
    private(set) var mayPaint = false

    /// True if nothing of the element itself is visible.
    var hides: Bool { removes || isInvisible.value == true || isFontZero.value == true }

    /// Parses the raw value of the attribute.
    init(_ bytes: borrowing Octets, _ range: Range<Int>) {
        if Self.needsCleaning(bytes.extracting(range)) {
            let clean = Self.clean(bytes, range)
            readDeclarations(clean.span, 0..<clean.count)
        } else {
            // The whole document would be searched for a semicolon.
            readDeclarations(bytes.extracting(range), 0..<range.count)
        }
    }

    /// Parses declarations without character references: those of a rule of a style sheet.
    init(rule bytes: borrowing Octets, _ range: Range<Int>) {
        readDeclarations(bytes.extracting(range), 0..<range.count)
    }

    private mutating func readDeclarations(_ bytes: borrowing Octets, _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(bytes.index(of: ASCII.semicolon, from: start) ?? range.upperBound, range.upperBound)
            while start < end, bytes[start].isSpace { start += 1 }
            if start < end { readDeclaration(bytes, start, end) }
            start = end + 1
        }
    }

    private mutating func readDeclaration(_ bytes: borrowing Octets, _ start: Int, _ end: Int) {
        // The first letter rules out most declarations.
        switch bytes[start] | 0x20 {
        case UInt8(ascii: "d"):
            guard let value = StyleValue(bytes, "display", start, end) else { return }
            display.set(value.display(bytes), important: value.isImportant)
        case UInt8(ascii: "b"), UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "t"), UInt8(ascii: "l"):
            readPaint(bytes, start, end)
        case UInt8(ascii: "v"):
            guard let value = StyleValue(bytes, "visibility", start, end) else { return }
            if !value.isKeyword(bytes, "inherit") {
                isInvisible.set(!value.isKeyword(bytes, "visible"), important: value.isImportant)
            }
        case UInt8(ascii: "f"):
            if let value = StyleValue(bytes, "font-size", start, end) {
                let isZero = value.isZeroSize(bytes)
                if let isZero { isFontZero.set(isZero, important: value.isImportant) }
                // Elements inside one of size zero set their own sizes; builders of mails rely on it.
                if isZero != true, value.isTiny(bytes) { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "filter", start, end), !value.isKeyword(bytes, "none") {
                setDisplaced(true)
            } else if let value = StyleValue(bytes, "font", start, end), let isZero = value.isZeroFont(bytes) {
                isFontZero.set(isZero, important: value.isImportant)
            }
        case UInt8(ascii: "o"):
            if let value = StyleValue(bytes, "opacity", start, end) {
                isTransparent.set(value.isZero(bytes), important: value.isImportant)
                if value.isSmallShare(bytes) { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "overflow", start, end) {
                let clips = value.isKeyword(bytes, "hidden") || value.isKeyword(bytes, "clip")
                clipsOverflow.set(clips, important: value.isImportant)
            }
        case UInt8(ascii: "h"):
            guard let value = StyleValue(bytes, "height", start, end) else { return }
            isHeightZero.set(value.isZero(bytes), important: value.isImportant)
            let isTiny = value.isTiny(bytes)
            isHeightTiny.set(isTiny, important: value.isImportant)
            if isTiny { mayPaint = true }
        case UInt8(ascii: "m"):
            if let value = StyleValue(bytes, "max-height", start, end) {
                isMaxHeightZero.set(value.isZero(bytes), important: value.isImportant)
            } else if let value = StyleValue(bytes, "max-width", start, end) {
                isMaxWidthZero.set(value.isZero(bytes), important: value.isImportant)
            } else if let value = StyleValue(bytes, "mso-hide", start, end) {
                isHiddenFromWord.set(value.isKeyword(bytes, "all"), important: value.isImportant)
            } else if let value = StyleValue(bytes, "margin-left", start, end)
                ?? StyleValue(bytes, "margin-top", start, end) ?? StyleValue(bytes, "margin-inline-start", start, end)
            {
                if value.isFarNegative(bytes) { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "mask", start, end) ?? StyleValue(bytes, "mask-image", start, end)
                ?? StyleValue(bytes, "mix-blend-mode", start, end)
            {
                if !value.isKeyword(bytes, "none"), !value.isKeyword(bytes, "normal") { setDisplaced(true) }
            }
        case UInt8(ascii: "w"):
            guard let value = StyleValue(bytes, "white-space", start, end) else { return }
            let keeps = bytes.matches("pre", at: value.range.lowerBound) || value.isKeyword(bytes, "break-spaces")
            keepsLines.set(keeps, important: value.isImportant)
        case UInt8(ascii: "a"), UInt8(ascii: "i"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "u"),
            UInt8(ascii: "z"), ASCII.hyphen:
            readDistortion(bytes, start, end)
        default: break
        }
    }

    /// Rare declarations after which text may not be where or what it seems.
    private mutating func readDistortion(_ bytes: borrowing Octets, _ start: Int, _ end: Int) {
        for property: StaticString in Self.distorting {
            if let value = StyleValue(bytes, property, start, end) {
                if !value.isKeyword(bytes, "none"), !value.isKeyword(bytes, "normal") { setDisplaced(true) }
                return
            }
        }
        if let value = StyleValue(bytes, "z-index", start, end) {
            if value.isNegative(bytes) { setDisplaced(true) }
        } else if let value = StyleValue(bytes, "zoom", start, end) ?? StyleValue(bytes, "scale", start, end) {
            if value.isSmallShare(bytes) { setDisplaced(true) }
        } else if let value = StyleValue(bytes, "right", start, end) ?? StyleValue(bytes, "inset", start, end)
            ?? StyleValue(bytes, "inset-inline-start", start, end)
        {
            if value.isFar(bytes) { setDisplaced(true) }
        }
    }

    private static let distorting: [StaticString] = [
        "animation", "rotate", "unicode-bidi", "-webkit-text-fill-color", "-webkit-mask", "-webkit-mask-image",
        "-webkit-transform", "-webkit-filter",
    ]

    /// Declarations of colours and of places.
    private mutating func readPaint(_ bytes: borrowing Octets, _ start: Int, _ end: Int) {
        switch bytes[start] | 0x20 {
        case UInt8(ascii: "b"):
            guard bytes.matches("background", at: start) else { return }
            mayPaint = true
            readBackground(bytes, start, end)
        case UInt8(ascii: "c"):
            if let value = StyleValue(bytes, "content-visibility", start, end) {
                if value.isKeyword(bytes, "hidden") { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "color", start, end) {
                if let color = value.color(bytes) {
                    self.color.set(color, important: value.isImportant)
                    mayPaint = true
                }
            } else if let value = StyleValue(bytes, "clip", start, end) ?? StyleValue(bytes, "clip-path", start, end) {
                setDisplaced(!value.isKeyword(bytes, "auto") && !value.isKeyword(bytes, "none"))
            }
        case UInt8(ascii: "p"):
            guard let value = StyleValue(bytes, "position", start, end) else { return }
            if value.isKeyword(bytes, "absolute") || value.isKeyword(bytes, "fixed") { setDisplaced(true) }
        case UInt8(ascii: "t"):
            if let value = StyleValue(bytes, "text-indent", start, end) {
                if value.isFarNegative(bytes) { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "transform", start, end)
                ?? StyleValue(bytes, "translate", start, end)
            {
                if !value.isKeyword(bytes, "none") { setDisplaced(true) }
            } else if let value = StyleValue(bytes, "top", start, end), value.isFarNegative(bytes) {
                setDisplaced(true)
            }
        case UInt8(ascii: "l"):
            if let value = StyleValue(bytes, "left", start, end), value.isFarNegative(bytes) { setDisplaced(true) }
            if let value = StyleValue(bytes, "letter-spacing", start, end), value.isNegativeLetter(bytes) {
                setDisplaced(true)
            }
        default: break
        }
    }

    private mutating func setDisplaced(_ value: Bool) {
        isDisplaced.set(value)
        mayPaint = true
    }

    private mutating func readBackground(_ bytes: borrowing Octets, _ start: Int, _ end: Int) {
        if let value = StyleValue(bytes, "background-color", start, end) {
            if let color = value.color(bytes) { background.set(color, important: value.isImportant) }
        } else if let value = StyleValue(bytes, "background-image", start, end) {
            hasPicture.set(!value.isKeyword(bytes, "none"), important: value.isImportant)
        } else if let value = StyleValue(bytes, "background", start, end) {
            let (color, isPicture) = value.background(bytes)
            background.set(color, important: value.isImportant)
            hasPicture.set(isPicture, important: value.isImportant)
        }
    }
}
