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
    private var isTransparent = Declared<Bool>()
    private var isHiddenFromWord = Declared<Bool>()
    private var clipsOverflow = Declared<Bool>()
    private var isHeightZero = Declared<Bool>()
    private var isMaxHeightZero = Declared<Bool>()
    private var isMaxWidthZero = Declared<Bool>()

    /// The cascaded value of a property: the last declaration wins, and `!important` overrides all others.
    struct Declared<Value> {
        private(set) var value: Value?
        private var isImportant = false

        fileprivate mutating func set(_ value: Value, important: Bool) {
            guard important || !isImportant else { return }
            self.value = value
            isImportant = important
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

    /// Parses the raw value of the attribute.
    init(_ bytes: borrowing Octets, _ range: Range<Int>) {
        if Self.needsCleaning(bytes.extracting(range)) {
            let clean = Self.clean(bytes, range)
            readDeclarations(clean.span, 0..<clean.count)
        } else {
            readDeclarations(bytes, range)
        }
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
        case UInt8(ascii: "v"):
            guard let value = StyleValue(bytes, "visibility", start, end) else { return }
            if !value.isKeyword(bytes, "inherit") {
                isInvisible.set(!value.isKeyword(bytes, "visible"), important: value.isImportant)
            }
        case UInt8(ascii: "f"):
            if let value = StyleValue(bytes, "font-size", start, end) {
                if let isZero = value.isZeroSize(bytes) { isFontZero.set(isZero, important: value.isImportant) }
            } else if let value = StyleValue(bytes, "font", start, end), let isZero = value.isZeroFont(bytes) {
                isFontZero.set(isZero, important: value.isImportant)
            }
        case UInt8(ascii: "o"):
            if let value = StyleValue(bytes, "opacity", start, end) {
                isTransparent.set(value.isZero(bytes), important: value.isImportant)
            } else if let value = StyleValue(bytes, "overflow", start, end) {
                let clips = value.isKeyword(bytes, "hidden") || value.isKeyword(bytes, "clip")
                clipsOverflow.set(clips, important: value.isImportant)
            }
        case UInt8(ascii: "h"):
            guard let value = StyleValue(bytes, "height", start, end) else { return }
            isHeightZero.set(value.isZero(bytes), important: value.isImportant)
        case UInt8(ascii: "m"):
            if let value = StyleValue(bytes, "max-height", start, end) {
                isMaxHeightZero.set(value.isZero(bytes), important: value.isImportant)
            } else if let value = StyleValue(bytes, "max-width", start, end) {
                isMaxWidthZero.set(value.isZero(bytes), important: value.isImportant)
            } else if let value = StyleValue(bytes, "mso-hide", start, end) {
                isHiddenFromWord.set(value.isKeyword(bytes, "all"), important: value.isImportant)
            }
        case UInt8(ascii: "w"):
            guard let value = StyleValue(bytes, "white-space", start, end) else { return }
            let keeps = bytes.matches("pre", at: value.range.lowerBound) || value.isKeyword(bytes, "break-spaces")
            keepsLines.set(keeps, important: value.isImportant)
        default: break
        }
    }
}
