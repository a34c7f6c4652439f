public import InternetMessage
public import YAMLSource

/// All banks and templates in force: one immutable value, shared by threads and swapped whole on reload.
public struct ProfileSet: Sendable {
    public let banks: [Bank]
    /// The folders of shared templates, each as a bank without mail: only samples are claimed by it.
    public let shared: [Bank]
    private let bankByDomain: [String: Int]
    /// The banks of other countries that mail from a domain of a profile, by that domain.
    private let otherByDomain: [String: Int]
    private let bankBySMSHeader: [String: Int]
    let common: CommonReader
    /// The patterns of `_generic.yaml` and `_doubts.yaml` of the profile folders, for their samples.
    package private(set) var wordingPatterns: [WordingPattern] = []

    /// Reads profile folders; later ones override earlier ones by path. Throws all errors of all files at once.
    ///
    /// - Parameter samples: false skips the samples, which reading mail does not need.
    public init(directories: [String], samples: Bool = true) throws(SourceErrors) {
        let files = ProfileFiles(directories)
        try self.init(ProfileLoader.load(samples ? files : files.withoutSamples(), .all(samples: samples)))
    }

    /// One bank of profile folders with its samples, and the shared templates.
    ///
    /// - Parameter files: texts that replace or add files, by their paths in a folder: `hdfc/card-spend.yaml`.
    package init(directories: [String], only bank: String, adding files: [String: String] = [:]) throws(SourceErrors) {
        try self.init(ProfileLoader.load(ProfileFiles(directories, only: bank, adding: files), .all(samples: true)))
    }

    /// Reads profile folders for the daemon: the templates of a bank are compiled with its first mail, and those of
    /// other banks cost neither time nor memory. The files' bytes are held until then, so that a set is a snapshot of
    /// its folders.
    ///
    /// Throws the same errors as a complete reading: templates that never loaded without an error are read now.
    public init(deferring directories: [String], proofs: ProofFile) throws(SourceErrors) {
        let known = proofs.read()
        let loaded = try ProfileLoader.load(
            ProfileFiles(directories).withoutSamples(), .deferred(proofs: known, cache: proofs))
        if !loaded.proofs.isSubset(of: known) { proofs.write(loaded.proofs) }
        try self.init(loaded)
    }

    /// Reads profile folders for reading a few mails: the templates of a bank, and their errors, are read with its
    /// first mail, and those of other banks not at all. ``Claim/load()`` throws the errors of a mail's bank.
    public init(onDemand directories: [String], proofs: ProofFile) throws(SourceErrors) {
        try self.init(
            ProfileLoader.load(
                ProfileFiles(directories).withoutSamples(), .onDemand(proofs: proofs.read(), cache: proofs)))
    }

    private init(_ loaded: ProfileLoader.Loaded) throws(SourceErrors) {
        guard let common = loaded.common else { throw SourceErrors([]) }
        self.init(banks: loaded.banks, shared: loaded.shared, common: common)
        wordingPatterns = loaded.wordingPatterns
    }

    init(banks: [Bank], shared: [Bank] = [], common: CommonReader) {
        self.banks = banks
        self.shared = shared
        self.common = common
        var index: [String: Int] = [:]
        var others: [String: Int] = [:]
        var headers: [String: Int] = [:]
        for (position, bank) in banks.enumerated() {
            for header in bank.smsHeaders { headers[header] = position }
            for domain in bank.domains {
                if bank.waitsAlways, index[domain] != nil {
                    others[domain] = position
                } else {
                    index[domain] = position
                }
            }
        }
        bankByDomain = index
        otherByDomain = others
        bankBySMSHeader = headers
    }

    /// The file of a template, such as `hdfc/card-spend`, in the last of the folders that has it.
    package static func file(ofTemplate name: String, in directories: [String]) -> YAMLFile? {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return ProfileFiles(directories, only: parts[0]).folders.first { $0.key == parts[0] }?[parts[1] + ".yaml"]
    }

    /// All templates, each once.
    public var templateCount: Int { (banks + shared).reduce(0) { $0 + $1.templateCount } }

    /// The same profiles with the shared folders among the banks, for samples that may name no bank.
    package func proving() -> ProfileSet { ProfileSet(banks: banks + shared, common: common) }

    /// The same profiles with one bank only, which is enough to check that bank. It still uses its shared templates.
    public func only(_ key: String) -> ProfileSet {
        ProfileSet(banks: banks.filter { $0.key == key }, shared: shared.filter { $0.key == key }, common: common)
    }

    /// The domains of all banks, sorted: the terms of the server's search.
    public var senderDomains: [String] { Set(banks.flatMap(\.domains)).sorted() }

    public func bank(ofDomain domain: String) -> Bank? { bankByDomain[domain].map { banks[$0] } }

    /// The bank that the message names as its sender: by the exact domain of the addr-spec of its one From mailbox. The
    /// display name never counts.
    ///
    /// An SMS names its bank by the sender's header.
    public func claim(_ message: Message) -> Claim {
        if let header = message.smsHeader {
            let index = bankBySMSHeader[header.name]
            let sender: Claim.Sender = if let index { .known(banks[index]) } else { .none }
            return Claim(sender: sender, common: common, message: message, smsHeader: header)
        }
        guard let index = message.from.lazy.compactMap({ bankByDomain[$0.domain] }).first else {
            return Claim(sender: .none, common: common, message: message)
        }
        let bank = banks[index]
        guard message.from.count == 1, let address = message.from.first else {
            return Claim(sender: .ambiguous(bank), common: common, message: message)
        }
        let known = bank.addresses.isEmpty || bank.addresses.contains(address.addrSpec)
        if !known, let other = otherByDomain[address.domain] {
            return Claim(sender: .known(banks[other]), common: common, message: message)
        }
        if bank.isOfAccounts, !known { return Claim(sender: .none, common: common, message: message) }
        return Claim(sender: known ? .known(bank) : .new(bank), common: common, message: message)
    }
}
