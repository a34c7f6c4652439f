import Chronology
import Codecs
import Ledger
public import YAMLSource

/// The configuration's additions to the profiles.
public struct ProfileAdditions: Sendable {
    /// Domains of banks without a profile, lower case, with the place of each for an error.
    public var domains: [(domain: String, place: SourcePlace)]
    /// In place of the `auto_confirm_at` of a bank's profile, by the bank's key.
    public var thresholds: [(bank: String, value: Double, place: SourcePlace)]

    public init(
        domains: [(domain: String, place: SourcePlace)] = [],
        thresholds: [(bank: String, value: Double, place: SourcePlace)] = []
    ) {
        self.domains = domains
        self.thresholds = thresholds
    }
}

extension ProfileSet {
    /// The same profiles, with banks that have none: their mails are read by the generic reader, and every one waits
    /// for a person.
    public func adding(_ additions: ProfileAdditions) throws(SourceErrors) -> ProfileSet {
        var banks = banks
        var errors: [SourceError] = []
        for (domain, place) in additions.domains {
            if let owner = bank(ofDomain: domain) {
                errors.append(
                    place.error(
                        "\(domain) is a domain of \(owner.name) already",
                        remedy: "Its profile is '\(owner.key)': remove the domain here."))
                continue
            }
            var bank = Bank(
                key: domain, name: domain, domains: [domain], addresses: [], timeZone: .kolkata, currency: .inr,
                autoConfirmAt: nil, path: place.file)
            var digest = FNV1a()
            digest.combine(Array(domain.utf8))
            bank.version = digest.hexadecimal
            banks.append(bank)
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
        return ProfileSet(banks: banks, shared: shared, generic: generic)
    }
}
