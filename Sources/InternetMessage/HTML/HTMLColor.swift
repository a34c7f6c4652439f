/// A colour that a mail declares for text or for a background.
struct HTMLColor: Equatable {
    /// 0xRRGGBB, or one of the two special values.
    private let bits: UInt32

    static let transparent = HTMLColor(bits: 1 << 24)
    /// A colour that is not computed: partly transparent, a function, a variable.
    static let unknown = HTMLColor(bits: 1 << 25)
    static let black = HTMLColor(bits: 0)
    static let white = HTMLColor(bits: 0xFFFFFF)
    /// A link in the standard's style sheet (HTML standard, section 15.3.4).
    static let link = HTMLColor(bits: 0x0000EE)

    private init(bits: UInt32) { self.bits = bits }

    var isOpaque: Bool { bits < 1 << 24 }

    /// The largest difference of one channel, 0...255. Both colours are opaque.
    func distance(to other: HTMLColor) -> Int {
        var largest = 0
        for shift: UInt32 in [0, 8, 16] {
            let one = Int(bits >> shift & 0xFF)
            largest = max(largest, abs(one - Int(other.bits >> shift & 0xFF)))
        }
        return largest
    }

    /// Parses a CSS colour: a name, `#rgb`, `#rrggbb`, either with alpha, `rgb()` or `rgba()`.
    ///
    /// Nil for a word that is no colour: the declaration has no effect. ``unknown`` for any other function.
    init?(css bytes: borrowing Octets, _ range: Range<Int>) {
        guard let first = range.first else { return nil }
        if bytes[first] == UInt8(ascii: "#") {
            self.init(hex: bytes, (first + 1)..<range.upperBound)
        } else if bytes.matches("rgb", at: first), bytes[range.upperBound - 1] == ASCII.closeParen {
            self = Self.channels(bytes, range) ?? .unknown
        } else if bytes[range.upperBound - 1] == ASCII.closeParen {
            self = .unknown
        } else if let named = ColorNames.shared.find(bytes, range) {
            self = named
        } else {
            // Without a document type, browsers accept hexadecimal digits without `#`.
            guard HTMLColor(hex: bytes, range) != nil else { return nil }
            self = .unknown
        }
    }

    private init?(hex bytes: borrowing Octets, _ range: Range<Int>) {
        var value: UInt32 = 0
        for index in range {
            guard range.count <= 8, let digit = bytes[index].hexValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        switch range.count {
        case 3: self.init(bits: Self.doubled(value))
        case 4:
            self =
                value & 0xF == 0 ? .transparent : value & 0xF == 0xF ? Self(bits: Self.doubled(value >> 4)) : .unknown
        case 6: self.init(bits: value)
        case 8: self = value & 0xFF == 0 ? .transparent : value & 0xFF == 0xFF ? Self(bits: value >> 8) : .unknown
        default: return nil
        }
    }

    /// `#abc` is `#aabbcc`.
    private static func doubled(_ value: UInt32) -> UInt32 {
        ((value >> 8 & 0xF) << 16 | (value >> 4 & 0xF) << 8 | value & 0xF) * 0x11
    }

    /// Parses three whole numbers from 0 to 255, and an alpha of 0 or 1. Nil for any other form.
    private static func channels(_ bytes: borrowing Octets, _ range: Range<Int>) -> HTMLColor? {
        var numbers: [UInt32] = []
        var cursor = range.lowerBound + 3
        while cursor < range.upperBound {
            let byte = bytes[cursor]
            if byte.isDigit {
                var value: UInt32 = 0
                while bytes[cursor].isDigit {
                    value = min(value * 10 + UInt32(bytes[cursor] - 48), 255)
                    cursor += 1
                }
                // A fraction of zero is a whole number; any other and a percentage are not read.
                if bytes[cursor] == ASCII.dot {
                    cursor += 1
                    while bytes[cursor].isDigit {
                        if bytes[cursor] != 48 { return nil }
                        cursor += 1
                    }
                }
                numbers.append(value)
                guard numbers.count <= 4, bytes[cursor] != ASCII.percent, !bytes[cursor].isLetter else { return nil }
            } else if byte.isSpace || byte == ASCII.comma || byte == ASCII.slash || byte == ASCII.openParen
                || byte == ASCII.closeParen || byte | 0x20 == UInt8(ascii: "a") && numbers.isEmpty
            {
                cursor += 1
            } else {
                return nil
            }
        }
        guard numbers.count >= 3 else { return nil }
        if numbers.count == 4, numbers[3] == 0 { return .transparent }
        if numbers.count == 4, numbers[3] != 1 { return .unknown }
        return HTMLColor(bits: numbers[0] << 16 | numbers[1] << 8 | numbers[2])
    }

    /// Parses the value of an attribute `bgcolor`, `color` or `text` (HTML standard, section 2.3.6): any text is a
    /// colour.
    init?(attribute bytes: borrowing Octets, _ range: Range<Int>) {
        var range = range
        while let first = range.first, bytes[first].isSpace { range = (first + 1)..<range.upperBound }
        while let last = range.last, bytes[last].isSpace { range = range.lowerBound..<last }
        guard let first = range.first, !(range.count == 11 && bytes.matches("transparent", at: first)) else {
            return nil
        }
        if let named = ColorNames.shared.find(bytes, range) {
            self = named
            return
        }
        let digits = bytes[first] == UInt8(ascii: "#") ? (first + 1)..<range.upperBound : range
        // The standard also maps invalid values to a colour. Here they count as unknown.
        self = HTMLColor(hex: bytes, digits).map { $0.isOpaque && digits.count != 4 ? $0 : .unknown } ?? .unknown
    }

    /// The named colours of `Resources/color-names.txt`.
    private struct ColorNames {
        static let shared = ColorNames()
        private var colors: [UInt64: HTMLColor] = [:]

        private init() {
            for line in PackageResources.color_names_txt.split(separator: ASCII.lf) where line.first != 35 {
                let words = line.split(separator: ASCII.space)
                guard words.count == 2, let bits = UInt32(String(decoding: words[1], as: UTF8.self), radix: 16) else {
                    continue
                }
                colors[words[0].reduce(HTMLElement.hashSeed, HTMLElement.hash)] = HTMLColor(bits: bits)
            }
            colors["transparent".utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)] = .transparent
        }

        func find(_ bytes: borrowing Octets, _ range: Range<Int>) -> HTMLColor? {
            guard range.count <= 20 else { return nil }
            var hash = HTMLElement.hashSeed
            for index in range { hash = HTMLElement.hash(hash, bytes[index].lowercased) }
            return colors[hash]
        }
    }
}
