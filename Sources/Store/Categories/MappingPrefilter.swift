import Ledger

/// An SQL condition that selects every row that a mapping matches, and few others: only these are checked by the rules.
struct MappingPrefilter {
    /// Begins with ` AND`, or is empty.
    private(set) var sql = ""
    private(set) var texts: [String] = []
    private(set) var numbers: [Int64] = []

    init(_ mapping: VendorMapping) {
        switch mapping.kind {
        case .keyword:
            // Names outside ASCII are compared without accents, which LIKE cannot do.
            if let word = mapping.keyword.split(separator: " ").filter({ $0.utf8.allSatisfy(Self.isPlain) }).max(by: {
                $0.utf8.count < $1.utf8.count
            }) {
                require(
                    "(replace(parsed_vendor, '''', '') LIKE ? OR replace(vpa, '''', '') LIKE ? OR parsed_vendor GLOB '*[^ -~]*')",
                    ["%\(word)%", "%\(word)%"])
            }
        case .vpa:
            let parts = mapping.keyword.utf8.split(separator: UInt8(ascii: "*")).filter {
                $0.allSatisfy { $0 != UInt8(ascii: "%") && $0 < 0x80 }
            }
            // An underscore is a LIKE wildcard: it selects more rows, never fewer.
            let pattern = "%" + parts.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: "%") + "%"
            require("(vpa LIKE ? OR parsed_vendor LIKE ?)", [pattern, pattern])
        case .mcc: require("mcc IS NOT NULL", [])
        case .person: require("(vpa IS NOT NULL OR instr(parsed_vendor, '@') > 0)", [])
        }
        if mapping.conditions.minimumMinor != nil || mapping.conditions.maximumMinor != nil {
            // The plus prevents the use of an index of amounts, whose wide rows would have to be sorted by day.
            sql += " AND +amount_minor BETWEEN ? AND ?"
            numbers = [mapping.conditions.minimumMinor ?? .min, mapping.conditions.maximumMinor ?? .max]
        }
    }

    private mutating func require(_ condition: String, _ texts: [String]) {
        sql += " AND " + condition
        self.texts += texts
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) }
}
