import InternetMessage
import Ledger
import Profiles

/// The senders of the example mails of one bank.
struct ExampleSenders {
    private(set) var domains: [String] = []
    private(set) var addresses: [String] = []

    /// Domains that offer addresses to anyone; never a bank's.
    private static let publicDomains: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "yahoo.co.in",
        "icloud.com", "me.com", "rediffmail.com", "proton.me", "protonmail.com", "zoho.com", "example.com",
    ]

    /// Throws if no template of the bank can be derived from one of the mails.
    init(
        _ mails: [ExampleMail], _ messages: [Message], of bank: String, in profiles: ProfileSet
    ) throws(DerivationError) {
        let isKnown = profiles.banks.contains { $0.key == bank }
        for (mail, message) in zip(mails, messages) {
            let sender = try Self.sender(of: mail, message)
            try Self.check(sender, of: mail, bank, isKnown: isKnown, in: profiles)
            if !domains.contains(sender.domain) { domains.append(sender.domain) }
            if !addresses.contains(sender.addrSpec) { addresses.append(sender.addrSpec) }
        }
    }

    private static func sender(of mail: ExampleMail, _ message: Message) throws(DerivationError) -> EmailAddress {
        guard message.from.count == 1, let sender = message.from.first else {
            throw DerivationError(
                .unlike, "\(mail.name) has \(message.from.count) senders, not one",
                remedy: "Only a mail with one From address is ever read.")
        }
        if message.text.bytes.isEmpty {
            throw DerivationError(
                .unlike, "\(mail.name) has no text",
                remedy: "A profile reads text; this mail has only pictures or attachments.")
        }
        if let limit = message.limitHit {
            throw DerivationError(.unlike, "\(mail.name) hits the limit \(limit.rawValue)")
        }
        return sender
    }

    private static func check(
        _ sender: EmailAddress, of mail: ExampleMail, _ bank: String, isKnown: Bool, in profiles: ProfileSet
    ) throws(DerivationError) {
        let owner = profiles.bank(ofDomain: sender.domain)
        if let owner, owner.key != bank {
            throw DerivationError(
                .unlike, "\(mail.name) is from \(sender.addrSpec), a domain of the bank '\(owner.key)'",
                remedy: "Use --bank \(owner.key).")
        }
        if isKnown, owner == nil {
            throw DerivationError(
                .unlike,
                "\(mail.name) is from \(sender.addrSpec), and \(sender.domain) is not a domain of the bank '\(bank)'",
                remedy: "Add it to the domains in \(bank)/_bank.yaml if it is the bank's.")
        }
        if !isKnown, publicDomains.contains(sender.domain) {
            throw DerivationError(
                .unlike, "\(mail.name) is from \(sender.addrSpec): at \(sender.domain) everybody has an address",
                remedy: "Save the bank's own mail, not a forwarded one.")
        }
    }

    /// The addresses that the bank's profile does not list.
    func notes(about bank: Bank) -> [String] {
        if bank.addresses.isEmpty { return [] }
        return addresses.filter { !bank.addresses.contains($0) }.map {
            "\($0) is not among the addresses in \(bank.key)/_bank.yaml: add it there, otherwise its mails wait for review"
        }
    }

    /// A `_bank.yaml` for a bank that has no profile.
    func bankFile(for target: Derivation.Target, named displayName: String?, _ locale: ExampleLocale) -> String {
        let name = target.bankName ?? displayName ?? target.bank.prefix(1).uppercased() + target.bank.dropFirst()
        return TemplateDraft.bankYAML(
            name: name, domains: domains, addresses: addresses, timeZone: locale.timeZone,
            currency: locale.currency.code)
    }
}
