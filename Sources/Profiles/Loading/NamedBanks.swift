import Chronology
import Codecs
public import Ledger
public import YAMLSource

/// Additions to the profiles from the configuration.
public struct ProfileAdditions: Sendable {
    /// A bank of which only a domain is known, in lower case.
    public struct NamedBank: Sendable {
        public var domain: String
        /// For people; `nil`: the domain.
        public var name: String?
        public var region: BankRegion
        /// The place in the configuration, for an error.
        public var place: SourcePlace

        public init(domain: String, name: String? = nil, region: BankRegion = BankRegion(), place: SourcePlace) {
            self.domain = domain
            self.name = name
            self.region = region
            self.place = place
        }
    }

    public var banks: [NamedBank]
    /// Value that replaces the `auto_confirm_at` of a bank's profile, by the bank's key.
    public var thresholds: [(bank: String, value: Double, place: SourcePlace)]

    public init(
        banks: [NamedBank] = [], thresholds: [(bank: String, value: Double, place: SourcePlace)] = []
    ) {
        self.banks = banks
        self.thresholds = thresholds
    }
}

extension ProfileSet {
    /// The same profiles, with banks that have none: their mails are read by the generic reader, and every one with an
    /// amount waits for a person.
    ///
    /// A domain of a profile may be named with a country or a currency. If that is the profile's, its mails without a
    /// template always wait, too. Otherwise the profile keeps its own addresses, and mail from all others is the named
    /// bank's: banks such as Citibank mail from one domain in several countries. A profile without addresses, such as
    /// that of DBS, keeps its templates, and what none of them claims is read as mail of the named country.
    public func adding(_ additions: ProfileAdditions) throws(SourceErrors) -> ProfileSet {
        var banks = banks
        var errors: [SourceError] = []
        for named in additions.banks {
            if let index = banks.firstIndex(where: { $0.domains.contains(named.domain) }) {
                let owner = banks[index]
                if named.region.home == owner.currency {
                    banks[index].region = named.region
                    banks[index].waitsAlways = true
                    continue
                }
                guard named.region.home != nil else {
                    errors.append(Self.error(owner, named))
                    continue
                }
                if owner.addresses.isEmpty {
                    banks[index].region = named.region
                    banks[index].region.timeZone = Self.timeZone(of: named.region)
                    banks[index].waitsAlways = true
                    continue
                }
            }
            banks.append(Self.bank(named))
        }
        for (key, value, place) in additions.thresholds {
            guard let index = banks.firstIndex(where: { $0.key == key }) else {
                let known = banks.map(\.key).sorted().joined(separator: ", ")
                errors.append(
                    place.error(
                        "no profile is of a bank '\(key)'",
                        remedy: known.isEmpty ? "No bank has a profile here." : "Banks here: \(known)."))
                continue
            }
            banks[index].autoConfirmAt = value
        }
        guard errors.isEmpty else { throw SourceErrors(errors) }
        return with(banks: banks, shared: shared)
    }

    private static func error(_ owner: Bank, _ named: ProfileAdditions.NamedBank) -> SourceError {
        named.place.error(
            "\(named.domain) is a domain of \(owner.name) already",
            remedy: "Its profile is '\(owner.key)': remove the domain here, or name the country of your bank.")
    }

    private static func timeZone(of region: BankRegion) -> IANATimeZone? {
        region.timeZone ?? region.customs.flatMap { IANATimeZone(identifier: $0.timeZone) }
    }

    private static func bank(_ named: ProfileAdditions.NamedBank) -> Bank {
        var region = named.region
        if region.home == nil { region.country = Country(domain: named.domain) }
        var bank = Bank(
            key: named.domain, name: named.name ?? named.domain, domains: [named.domain], addresses: [],
            timeZone: timeZone(of: region) ?? .kolkata, currency: region.home ?? .inr, autoConfirmAt: nil,
            path: named.place.file)
        bank.region = region
        bank.waitsAlways = true
        var digest = FNV1a()
        digest.combine(Array("\(named.domain) \(named.name ?? "") \(region)".utf8))
        bank.version = digest.hexadecimal
        return bank
    }
}
