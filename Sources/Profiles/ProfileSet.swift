public import InternetMessage
public import YAMLSource

/// All banks and templates in force: one immutable value, shared by threads and swapped whole on reload.
public struct ProfileSet: Sendable {
    public let banks: [Bank]
    private let bankByDomain: [String: Int]
    let generic: GenericReader

    /// Reads profile folders; later ones override earlier ones by path. Throws everything that is wrong in them at once.
    ///
    /// - Parameter samples: false leaves the samples unread, for who only reads mail.
    public init(directories: [String], samples: Bool = true) throws(SourceErrors) {
        let banks = try ProfileLoader.load(directories, samples: samples)
        do throws(SourceError) { try self.init(banks: banks) } catch { throw SourceErrors([error]) }
    }

    init(banks: [Bank]) throws(SourceError) {
        self.banks = banks
        var index: [String: Int] = [:]
        for (position, bank) in banks.enumerated() {
            for domain in bank.domains { index[domain] = position }
        }
        bankByDomain = index
        generic = try GenericReader()
    }

    /// What a server is asked to search for: every domain of every bank, sorted.
    public var senderDomains: [String] { banks.flatMap(\.domains).sorted() }

    public func bank(ofDomain domain: String) -> Bank? { bankByDomain[domain].map { banks[$0] } }

    /// Whose mail this says it is: by the exact domain of the addr-spec of its one From mailbox. The display name never counts.
    public func claim(_ message: Message) -> Claim {
        let banks = message.from.compactMap { bank(ofDomain: $0.domain) }
        guard let bank = banks.first else { return Claim(sender: .none, generic: generic, message: message) }
        guard message.from.count == 1, let address = message.from.first else { return Claim(sender: .ambiguous(bank), generic: generic, message: message) }
        let known = bank.addresses.isEmpty || bank.addresses.contains(address.addrSpec)
        return Claim(sender: known ? .known(bank) : .new(bank), generic: generic, message: message)
    }
}
