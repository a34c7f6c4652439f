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
    /// The faults of activated templates, which were left out for them.
    public private(set) var leftOut: [ActivatedFault] = []

    /// Reads profile folders. Throws all errors of all files at once.
    ///
    /// - Parameter samples: false skips the samples, which reading mail does not need.
    public init(directories: ProfileFolders, samples: Bool = true) throws(SourceErrors) {
        try self.init(ProfileLoader.load(directories, .all(samples: samples)))
    }

    /// One bank of profile folders with its samples, and the shared templates.
    ///
    /// - Parameter files: texts that replace or add files, by their paths in a folder: `hdfc/card-spend.yaml`.
    package init(
        directories: ProfileFolders, only bank: String, adding files: [String: String] = [:]
    ) throws(SourceErrors) {
        try self.init(ProfileLoader.load(directories, only: bank, adding: files, .all(samples: true)))
    }

    /// Reads profile folders for the daemon: the templates of a bank are compiled with its first mail, and those of
    /// other banks cost neither time nor memory. The files' bytes are held until then, so that a set is a snapshot of
    /// its folders.
    ///
    /// Throws the same errors as a complete reading: templates that never loaded without an error are read now.
    public init(deferring directories: ProfileFolders, proofs: ProofFile) throws(SourceErrors) {
        let known = proofs.read()
        let loaded = try ProfileLoader.load(directories, .deferred(proofs: known, cache: proofs))
        if !loaded.proofs.isSubset(of: known) { proofs.write(loaded.proofs) }
        try self.init(loaded)
    }

    /// Reads profile folders for reading a few mails: the templates of a bank, and their errors, are read with its
    /// first mail, and those of other banks not at all. ``Claim/load()`` throws the errors of a mail's bank.
    public init(onDemand directories: ProfileFolders, proofs: ProofFile) throws(SourceErrors) {
        try self.init(ProfileLoader.load(directories, .onDemand(proofs: proofs.read(), cache: proofs)))
    }

    private init(_ loaded: ProfileLoader.Loaded) throws(SourceErrors) {
        guard let common = loaded.common else { throw SourceErrors([]) }
        self.init(banks: loaded.banks, shared: loaded.shared, common: common)
        wordingPatterns = loaded.wordingPatterns
        leftOut = loaded.leftOut
    }

    /// The same profiles with other banks.
    func with(banks: [Bank], shared: [Bank] = []) -> ProfileSet {
        var set = ProfileSet(banks: banks, shared: shared, common: common)
        set.leftOut = leftOut
        return set
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

    /// The file of a template, such as `hdfc/card-spend`, in the last of the folders that has it and from which this
    /// set was read.
    package func file(ofTemplate name: String, in directories: ProfileFolders) -> YAMLFile? {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let files = ProfileFiles(directories, only: parts[0], without: Set(leftOut.map(\.file)))
        return files.folders.first { $0.key == parts[0] }?[parts[1] + ".yaml"].flatMap { try? $0.file() }
    }

    /// All templates, each once.
    public var templateCount: Int { (banks + shared).reduce(0) { $0 + $1.templateCount } }

    /// The same profiles with the shared folders among the banks, for samples that may name no bank.
    package func proving() -> ProfileSet { with(banks: banks + shared) }

    /// The same profiles with one bank only, which is enough to check that bank. It still uses its shared templates.
    public func only(_ key: String) -> ProfileSet {
        with(banks: banks.filter { $0.key == key }, shared: shared.filter { $0.key == key })
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
