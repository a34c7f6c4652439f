public import Chronology

/// The mark between whole units and minor units in a printed amount.
public enum DecimalMark: String, Hashable, Sendable, CaseIterable { case point, comma }

/// The order of the parts of a numeric date.
public enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayFirst = "day_first"
    case monthFirst = "month_first"
    case yearFirst = "year_first"
}

/// A country of banks, with its conventions of printing: a row of `Countries.tsv`.
public struct Country: Hashable, Sendable {
    /// ISO 3166-1, two capitals.
    public let code: String
    public let currency: Currency
    /// ISO 639, the most frequent first.
    public let languages: [String]
    public let dateOrder: DateOrder
    public let decimal: DecimalMark
    /// An IANA name.
    public let timeZone: String

    private static let all: [Country] = TableText.rows(PackageResources.Countries_tsv).compactMap { columns in
        guard columns.count == 6, let order = orders[columns[3]] else { return nil }
        return Country(
            code: columns[0], currency: Currency(trusted: columns[1]),
            languages: columns[2].split(separator: " ").map(String.init), dateOrder: order,
            decimal: columns[4] == "," ? .comma : .point, timeZone: columns[5])
    }

    private static let orders: [String: DateOrder] = ["dmy": .dayFirst, "mdy": .monthFirst, "ymd": .yearFirst]

    /// The country of a code in any case.
    public init?(code: some StringProtocol) {
        let code = code.uppercased()
        guard let country = Self.all.first(where: { $0.code == code }) else { return nil }
        self = country
    }

    private init(
        code: String, currency: Currency, languages: [String], dateOrder: DateOrder, decimal: DecimalMark,
        timeZone: String
    ) {
        (self.code, self.currency, self.languages) = (code, currency, languages)
        (self.dateOrder, self.decimal, self.timeZone) = (dateOrder, decimal, timeZone)
    }

    /// The country of a domain's last label; `nil` for labels that are used everywhere.
    public init?(domain: String) {
        let labels = domain.split(separator: ".")
        guard let last = labels.last, last.utf8.count == 2, !["io", "ai", "me", "tv", "cc"].contains(last) else {
            return nil
        }
        // Companies of all countries have names under co.
        if last == "co", labels.count < 3 || !["com", "net", "gov"].contains(labels[labels.count - 2]) { return nil }
        self.init(code: last == "uk" ? "GB" : last)
    }

    /// The country whose conventions are assumed if only the currency is known; `nil` for the euro, which has many
    /// countries.
    public static func main(of currency: Currency) -> Country? {
        currency.code == "EUR" ? nil : all.first { $0.currency == currency }
    }
}

/// Properties of a bank's country, from its profile or from the configuration.
public struct BankRegion: Hashable, Sendable {
    public var country: Country?
    public var currency: Currency?
    public var timeZone: IANATimeZone?
    public var decimal: DecimalMark?
    public var dateOrder: DateOrder?

    public init() {}

    /// True if nothing is known.
    public var isEmpty: Bool { self == BankRegion() }

    /// The currency of amounts without a sign.
    public var home: Currency? { currency ?? country?.currency }

    /// The country, or the one suggested by the currency.
    public var customs: Country? { country ?? currency.flatMap { Country.main(of: $0) } }

    /// The decimal mark: the given one, otherwise that of the country.
    public var usualDecimal: DecimalMark? { decimal ?? customs?.decimal }
}
