import Ledger
public import YAMLSource

/// The settings of single banks.
public struct BankSettings: Sendable {
    /// A bank known only by its domain, lower case: its mails are read without templates and always need a review.
    public struct Named: Sendable {
        public var domain: String
        public var place: SourcePlace
    }

    /// Bank's own `auto_confirm_at`, in 0...1, instead of the general one.
    public struct Threshold: Sendable {
        public var bank: String
        public var value: Double
        public var place: SourcePlace
    }

    public var named: [Named] = []
    public var thresholds: [Threshold] = []

    /// `banks: [bank.example]`
    mutating func readNamed(_ node: YAMLNode) throws(SourceError) {
        for item in node.isScalar ? [node] : try node.list() {
            let domain = try item.string().lowercased()
            if let at = domain.lastIndex(of: "@") {
                throw item.error(
                    "'\(domain)' is an address", remedy: "Write its domain alone: \(domain[domain.index(after: at)...])"
                )
            }
            guard Self.isDomain(domain) else {
                throw item.error(
                    "'\(domain)' is not a domain",
                    remedy: "Write the part after the @ of the bank's address, such as alerts.bank.example.")
            }
            if named.contains(where: { $0.domain == domain }) {
                throw item.error("duplicate bank '\(domain)'", remedy: "Keep one of them.")
            }
            named.append(Named(domain: domain, place: item.place))
        }
    }

    /// `auto_confirm_at: 0.85`, or `auto_confirm_at: { default: 0.85, hdfc: 0.9 }`; returns the general one, if any.
    mutating func readThresholds(_ node: YAMLNode) throws(SourceError) -> Double? {
        if node.isScalar { return try Self.confidence(node) }
        var general: Double?
        let map = try node.mapping()
        for (key, place) in map.keys {
            guard let node = map[key] else { continue }
            let value = try Self.confidence(node)
            if key == "default" {
                general = value
            } else {
                thresholds.append(Threshold(bank: key, value: value, place: place.place))
            }
        }
        return general
    }

    private static func confidence(_ node: YAMLNode) throws(SourceError) -> Double {
        guard let value = Double(try node.string()), (0...1).contains(value) else {
            throw node.error(
                "a number from 0 to 1 is expected here",
                remedy: "\(Decision.usualThreshold) is usual; 1 books only what nothing speaks against.")
        }
        return value
    }

    /// Accepts at least two labels of letters, digits and hyphens (RFC 1035 section 2.3.1, RFC 1123 section 2.1).
    private static func isDomain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2 && text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
    }
}
