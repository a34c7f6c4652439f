public import Ledger
public import YAMLSource

/// The settings of single banks.
public struct BankSettings: Sendable {
    /// A bank known only by its domain: its mails are read without templates and always need a review.
    public struct Named: Sendable {
        /// In lower case.
        public var domain: String
        /// For people.
        public var name: String?
        public var region: BankRegion
        public var place: SourcePlace
    }

    /// In place of the general `auto_confirm_at`, in 0...1.
    public struct Threshold: Sendable {
        public var bank: String
        public var value: Double
        public var place: SourcePlace
    }

    public var named: [Named] = []
    public var thresholds: [Threshold] = []

    /// Reads `banks: [bank.example]`, or with properties of a bank, `banks: [{ domain: bank.example, country: TH }]`.
    mutating func readNamed(_ node: YAMLNode) throws(SourceError) {
        for item in node.isScalar ? [node] : try node.list() {
            var bank = Named(domain: "", name: nil, region: BankRegion(), place: item.place)
            if item.isScalar {
                bank.domain = try Self.domain(item)
            } else {
                let map = try item.mapping(allowing: [
                    "domain", "name", "country", "currency", "timezone", "decimal", "date_order",
                ])
                bank.domain = try Self.domain(map.require("domain"))
                bank.name = try map["name"]?.string()
                bank.region = try Self.region(map)
            }
            if named.contains(where: { $0.domain == bank.domain }) {
                throw item.error("duplicate bank '\(bank.domain)'", remedy: "Keep one of them.")
            }
            named.append(bank)
        }
    }

    private static func domain(_ node: YAMLNode) throws(SourceError) -> String {
        let domain = try node.string().lowercased()
        if let at = domain.lastIndex(of: "@") {
            throw node.error(
                "'\(domain)' is an address", remedy: "Write its domain alone: \(domain[domain.index(after: at)...])")
        }
        guard isDomain(domain) else {
            throw node.error(
                "'\(domain)' is not a domain",
                remedy: "Write the part after the @ of the bank's address, such as alerts.bank.example.")
        }
        return domain
    }

    private static func region(_ map: YAMLMapping) throws(SourceError) -> BankRegion {
        var region = BankRegion()
        if let node = map["country"] {
            guard let country = Country(code: try node.string()) else {
                throw node.error(
                    "unknown country '\(try node.string())'",
                    remedy:
                        "Use a two-letter ISO 3166 code such as TH. For a country without banks here, write currency and timezone."
                )
            }
            region.country = country
        }
        if let node = map["currency"] {
            guard let currency = Currency(code: try node.string()), currency.isKnown else {
                throw node.error(
                    "unknown currency '\(try node.string())'", remedy: "Use a three-letter ISO 4217 code such as THB.")
            }
            region.currency = currency
        }
        region.timeZone = try map["timezone"].map { node throws(SourceError) in try node.timeZone() }
        if let node = map["decimal"] {
            switch try node.string() {
            case ".", "point": region.decimal = .point
            case ",", "comma": region.decimal = .comma
            case let text:
                throw node.error("unknown decimal mark '\(text)'", remedy: "Use '.' or ','.")
            }
        }
        if let node = map["date_order"] {
            guard let order = DateOrder(rawValue: try node.string()) else {
                let known = DateOrder.allCases.map(\.rawValue).joined(separator: ", ")
                throw node.error("unknown order of dates '\(try node.string())'", remedy: "Known are \(known).")
            }
            region.dateOrder = order
        }
        return region
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

    /// Labels of letters, digits and hyphens (RFC 1035 section 2.3.1, RFC 1123 section 2.1).
    private static func isDomain(_ text: String) -> Bool {
        text.domainLabels.map { labels in
            labels.allSatisfy { label in
                label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
        } ?? false
    }
}

extension String {
    /// The labels of a domain name; `nil` unless there are two at least and their lengths are those of RFC 1035 section
    /// 2.3.4. Their characters are not checked.
    var domainLabels: [Substring.UTF8View]? {
        let labels = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) }) else {
            return nil
        }
        return labels
    }
}
