import Ledger

/// A condition in SQL that every row which a mapping matches fulfils, and nearly no other: the rules themselves are
/// asked only about these.
struct MappingPrefilter {
    /// Begins with ` AND`, or is empty.
    private(set) var sql = ""
    private(set) var texts: [String] = []
    private(set) var numbers: [Int64] = []

    init(_ mapping: VendorMapping) {
        switch mapping.kind {
        case .keyword:
            // A name that is not plain ASCII is compared without its accents, which LIKE cannot do.
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
            // An underscore stands for any character in LIKE: more rows, never fewer.
            let pattern = "%" + parts.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: "%") + "%"
            require("(vpa LIKE ? OR parsed_vendor LIKE ?)", [pattern, pattern])
        case .mcc: require("mcc IS NOT NULL", [])
        case .person: require("(vpa IS NOT NULL OR instr(parsed_vendor, '@') > 0)", [])
        }
        if mapping.conditions.minimumMinor != nil || mapping.conditions.maximumMinor != nil {
            // With the plus by no index of amounts: its rows, wide ones, would have to be sorted by day.
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
