/// A keyword that stands for a category: a row of `vendor_mappings`.
public struct VendorMapping: Hashable, Sendable {
    public var id: Int64
    public var keyword: String
    public var categoryID: Int64
    public var category: String
    public var subcategoryID: Int64?
    public var subcategory: String?
    /// Made by a person: wins over every shipped mapping.
    public var isUserDefined: Bool

    public init(
        id: Int64, keyword: String, categoryID: Int64, category: String, subcategoryID: Int64? = nil, subcategory: String? = nil,
        isUserDefined: Bool = false
    ) {
        self.id = id
        self.keyword = keyword
        self.categoryID = categoryID
        self.category = category
        self.subcategoryID = subcategoryID
        self.subcategory = subcategory
        self.isUserDefined = isUserDefined
    }
}

/// The category that a merchant was given, and why.
public struct CategoryMatch: Hashable, Sendable {
    public let mapping: VendorMapping

    public init(mapping: VendorMapping) { self.mapping = mapping }

    /// One sentence for a person.
    public var why: String {
        "\(mapping.isUserDefined ? "your" : "shipped") keyword \"\(mapping.keyword)\" -> \(mapping.category)"
            + (mapping.subcategory.map { " / \($0)" } ?? "")
    }
}

/// The vendor mappings, ready to match: user-defined before shipped, then the longest keyword, then the first in the text.
///
/// A keyword matches whole words only, whatever their case and accents: `cafe noir` matches `CAFÉ  NOIR, PUNE`, `ola` does not match `Cola`.
public struct CategoryRules: Sendable {
    /// More words than this in a keyword are never tried; real keywords have at most five.
    public static let maximumWords = 6

    private var mappings: [String: VendorMapping] = [:]
    private var longest = 0

    public static let empty = CategoryRules([])

    public init(_ list: [VendorMapping]) {
        for mapping in list {
            let key = Self.normalized(mapping.keyword)
            guard !key.isEmpty else { continue }
            if let other = mappings[key], other.isUserDefined || !mapping.isUserDefined { continue }
            mappings[key] = mapping
            longest = max(longest, key.utf8.lazy.filter { $0 == 0x20 }.count + 1)
        }
        longest = min(longest, Self.maximumWords)
    }

    /// `nil` where no keyword stands in the merchant's name.
    public func match(_ merchant: String) -> CategoryMatch? {
        let words = Self.normalized(merchant).split(separator: " ")
        var best: (mapping: VendorMapping, length: Int)?
        for start in words.indices {
            for count in 1...max(longest, 1) where start + count <= words.count {
                let key = words[start..<(start + count)].joined(separator: " ")
                guard let found = mappings[key] else { continue }
                if let best {
                    let (old, new) = (best.mapping.isUserDefined, found.isUserDefined)
                    if old != new ? old : best.length >= key.utf8.count { continue }
                }
                best = (found, key.utf8.count)
            }
        }
        return best.map { CategoryMatch(mapping: $0.mapping) }
    }

    /// Lower case, without accents, everything but letters and digits turned into single blanks; an apostrophe is dropped.
    public static func normalized(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var pending = false
        func put(_ letter: UInt8) {
            if pending, !bytes.isEmpty { bytes.append(0x20) }
            pending = false
            bytes.append(letter)
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: put(UInt8(scalar.value))
            case 0x41...0x5A: put(UInt8(scalar.value) | 0x20)
            case 0x27, 0x2019, 0x0300...0x036F: continue
            case 0xC0...0x17F:
                let folded = latinBase[Int(scalar.value) - 0xC0]
                if folded == 0x20 { pending = true } else { put(folded) }
            case 0x80...:
                guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { pending = true; continue }
                if pending, !bytes.isEmpty { bytes.append(0x20) }
                pending = false
                bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            default: pending = true
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The base letter of each scalar U+00C0...U+017F (Unicode canonical decomposition, first letter; ligatures by their first letter).
    private static let latinBase: [UInt8] = Array(
        ("aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
            + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssss"
            + "ttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)
}
