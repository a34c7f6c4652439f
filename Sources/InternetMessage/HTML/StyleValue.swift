/// The value of one declaration.
struct StyleValue {
    let range: Range<Int>
    let isImportant: Bool

    /// Nil if the declaration is of another property.
    @inline(__always)
    init?(_ bytes: borrowing Octets, _ property: StaticString, _ start: Int, _ end: Int) {
        guard bytes.matches(property, at: start) else { return nil }
        var cursor = start + property.utf8CodeUnitCount
        while cursor < end, bytes[cursor].isSpace { cursor += 1 }
        guard cursor < end, bytes[cursor] == ASCII.colon else { return nil }
        cursor += 1
        while cursor < end, bytes[cursor].isSpace { cursor += 1 }
        var stop = cursor
        while stop < end, bytes[stop] != UInt8(ascii: "!") { stop += 1 }
        isImportant = stop < end
        while stop > cursor, bytes[stop - 1].isSpace { stop -= 1 }
        range = cursor..<stop
    }

    func isKeyword(_ bytes: borrowing Octets, _ word: StaticString) -> Bool {
        range.count == word.utf8CodeUnitCount && bytes.matches(word, at: range.lowerBound)
    }

    func display(_ bytes: borrowing Octets) -> InlineStyle.Display {
        if isKeyword(bytes, "none") { return .none }
        return bytes.matches("inline", at: range.lowerBound) || isKeyword(bytes, "contents") ? .inline : .block
    }

    /// Returns true for the number zero, with any unit.
    func isZero(_ bytes: borrowing Octets) -> Bool {
        Self.number(bytes, range)?.isZero ?? false
    }

    /// The number in hundredths, at most 10,000,000, and the index of its unit; nil if the value begins with no number.
    private func hundredths(_ bytes: borrowing Octets) -> (value: Int, unit: Int)? {
        guard let first = range.first else { return nil }
        let isNegative = bytes[first] == ASCII.hyphen
        var cursor = isNegative || bytes[first] == UInt8(ascii: "+") ? first + 1 : first
        var (value, scale, digits) = (0, 100, 0)
        var isFraction = false
        while cursor < range.upperBound, bytes[cursor].isDigit || bytes[cursor] == ASCII.dot && !isFraction {
            if bytes[cursor] == ASCII.dot {
                isFraction = true
            } else {
                digits += 1
                let digit = Int(bytes[cursor] - 48)
                if isFraction {
                    scale /= 10
                    value += digit * scale
                } else {
                    value = min(value * 10 + digit * 100, 10_000_000)
                }
            }
            cursor += 1
        }
        return digits > 0 ? (isNegative ? -value : value, cursor) : nil
    }

    /// Returns true for a size that nobody can read: below 4 pixels or points, a fifth of the parent's, or a hundredth
    /// of the window.
    func isTiny(_ bytes: borrowing Octets) -> Bool {
        guard let (value, unit) = hundredths(bytes) else {
            return bytes.matches("calc(", at: range.lowerBound) && !range.contains { (49...57).contains(bytes[$0]) }
        }
        if bytes.matches("%", at: unit) { return value < 2000 }
        if bytes.matches("em", at: unit) || bytes.matches("ex", at: unit) || bytes.matches("ch", at: unit)
            || bytes.matches("rem", at: unit)
        {
            return value < 20
        }
        return bytes.matches("v", at: unit) ? value < 100 : value < 400
    }

    /// Returns true for a share below a fifth: `0.1`, `10%`.
    func isSmallShare(_ bytes: borrowing Octets) -> Bool {
        hundredths(bytes).map { bytes.matches("%", at: $0.unit) ? $0.value < 2000 : $0.value < 20 } ?? false
    }

    /// Returns true for a negative length of a letter's width and more.
    func isNegativeLetter(_ bytes: borrowing Octets) -> Bool {
        hundredths(bytes).map { $0.value <= (bytes.matches("em", at: $0.unit) ? -50 : -500) } ?? false
    }

    func isNegative(_ bytes: borrowing Octets) -> Bool { hundredths(bytes).map { $0.value < 0 } ?? false }

    /// Returns true if one of the lengths is of three digits and more before the decimal point, in any direction.
    func isFar(_ bytes: borrowing Octets) -> Bool {
        var digits = 0
        for index in range {
            digits = bytes[index].isDigit ? digits + 1 : 0
            if digits > 2 { return true }
        }
        return false
    }

    /// Returns true for a font size of zero; nil if the size is relative to the parent's.
    func isZeroSize(_ bytes: borrowing Octets) -> Bool? {
        Self.isZeroSize(bytes, range)
    }

    /// Returns true for a size of zero in the shorthand `font: bold 12px/1.5 Arial`; nil if it has no absolute size.
    func isZeroFont(_ bytes: borrowing Octets) -> Bool? {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, !bytes[end].isSpace, bytes[end] != ASCII.slash { end += 1 }
            // A number without a unit is a weight, except zero.
            if let number = Self.number(bytes, start..<end), number.isZero || number.end < end {
                return Self.isZeroSize(bytes, start..<end)
            }
            start = end + 1
        }
        return nil
    }

    private static func isZeroSize(_ bytes: borrowing Octets, _ range: Range<Int>) -> Bool? {
        guard let number = number(bytes, range) else {
            // Named sizes (medium, x-large) are absolute. These keywords refer to the parent's size.
            let relative: [StaticString] = ["smaller", "larger", "inherit", "unset", "revert"]
            return relative.contains { bytes.matches($0, at: range.lowerBound) } ? nil : false
        }
        if number.isZero { return true }
        let isRelative =
            bytes.matches("em", at: number.end) || bytes.matches("ex", at: number.end)
            || bytes.matches("ch", at: number.end) || bytes.matches("%", at: number.end)
        return isRelative ? nil : false
    }

    private static func number(_ bytes: borrowing Octets, _ range: Range<Int>) -> (isZero: Bool, end: Int)? {
        var cursor = range.lowerBound
        if cursor < range.upperBound, bytes[cursor] == UInt8(ascii: "+") || bytes[cursor] == ASCII.hyphen {
            cursor += 1
        }
        var isZero = true
        var digits = 0
        while cursor < range.upperBound, bytes[cursor].isDigit || bytes[cursor] == ASCII.dot {
            if bytes[cursor].isDigit {
                digits += 1
                if bytes[cursor] != 48 { isZero = false }
            }
            cursor += 1
        }
        return digits > 0 ? (isZero, cursor) : nil
    }

    /// Returns true for a length of -100 or less, in any unit: a mail has no place for it.
    func isFarNegative(_ bytes: borrowing Octets) -> Bool {
        guard let first = range.first, bytes[first] == ASCII.hyphen else { return false }
        var cursor = first + 1
        while cursor < range.upperBound, bytes[cursor].isDigit { cursor += 1 }
        return cursor - first > 3
    }

    /// The colour of `color` or `background-color`. Nil if the declaration has no effect.
    func color(_ bytes: borrowing Octets) -> HTMLColor? {
        guard let first = range.first else { return nil }
        // Quick exit for most values.
        if bytes[first] == UInt8(ascii: "#") { return HTMLColor(css: bytes, range) }
        if isKeyword(bytes, "inherit") || isKeyword(bytes, "currentcolor") || isKeyword(bytes, "unset")
            || isKeyword(bytes, "initial") || bytes.matches("revert", at: first)
        {
            return .unknown
        }
        return HTMLColor(css: bytes, range)
    }

    /// The colour of the shorthand `background`, which is transparent if it names none, and whether it has a picture.
    func background(_ bytes: borrowing Octets) -> (color: HTMLColor, isPicture: Bool) {
        var color = HTMLColor.transparent
        var isPicture = false
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            var depth = 0
            while end < range.upperBound, depth > 0 || !bytes[end].isSpace {
                if bytes[end] == ASCII.openParen { depth += 1 }
                if bytes[end] == ASCII.closeParen { depth -= 1 }
                end += 1
            }
            if end > start {
                let word = start..<end
                if bytes.matches("url", at: start)
                    || !bytes.matches("rgb", at: start) && bytes[end - 1] == ASCII.closeParen
                {
                    isPicture = true
                } else if let found = HTMLColor(css: bytes, word),
                    found != .unknown || bytes[end - 1] == ASCII.closeParen
                {
                    color = found
                }
            }
            start = end + 1
        }
        if isKeyword(bytes, "inherit") || bytes.matches("var(", at: range.lowerBound) { color = .unknown }
        return (color, isPicture)
    }
}
