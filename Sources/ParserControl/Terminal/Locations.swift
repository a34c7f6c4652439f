import ArgumentParser
import Chronology
import Console
import Glibc
import Ingest
import Ledger
import Profiles
import Settings
import Store

/// The places of profiles, categories and the database: from the options, or else the configuration, or else the usual
/// ones.
struct Locations: ParsableArguments {
    @Option(name: .long, help: "The daemon's configuration file.")
    var config: String?
    @Option(name: .long, help: "A profile folder; may be given several times, later ones override earlier ones.")
    var parsers: [String] = []
    @Option(name: .long, help: "The database file.")
    var database: String?

    static let usualConfiguration = InstalledFiles.configuration

    func settings() throws -> Settings? {
        if let config { return try Settings(path: config) }
        guard parsers.isEmpty || database == nil, access(Self.usualConfiguration, R_OK) == 0 else { return nil }
        return try Settings(path: Self.usualConfiguration)
    }

    /// The part of the profiles that is read.
    enum ProfileExtent {
        /// Every template with its samples.
        case complete
        /// Every template that has not loaded without an error before; see `ProfileSet(deferring:)`.
        case deferred
        /// The templates of the banks of the mails.
        case onDemand
    }

    /// Loads the folders of the options, with the banks of a named configuration; or else the folder `parsers` here; or
    /// else the configured ones, with the activated templates. Those that do not load are reported and left out.
    func profiles(_ extent: ProfileExtent = .complete) throws -> ProfileSet {
        let set = try loadedProfiles(extent)
        for fault in set.leftOut {
            StandardError.write("parserctl: an activated template is left out: \(fault)\n")
        }
        return set
    }

    private func loadedProfiles(_ extent: ProfileExtent) throws -> ProfileSet {
        let given = parsers.isEmpty ? nil : parsers
        guard let settings = try settingsOfProfiles() else {
            let folders = ProfileFolders(
                given ?? (access("parsers", R_OK) == 0 ? ["parsers"] : [InstalledFiles.profiles]))
            switch extent {
            case .complete: return try ProfileSet(directories: folders)
            case .deferred: return try ProfileSet(deferring: folders, proofs: Program.proofs)
            case .onDemand: return try ProfileSet(onDemand: folders, proofs: Program.proofs)
            }
        }
        switch extent {
        case .complete: return try ProfileSet(settings, directories: given)
        case .deferred: return try ProfileSet(deferring: settings, directories: given)
        case .onDemand: return try ProfileSet(onDemand: settings, directories: given)
        }
    }

    /// The configuration that gives the profiles: a named one, or the usual one unless profile folders are given or the
    /// folder `parsers` is here.
    func settingsOfProfiles() throws -> Settings? {
        if config == nil, !parsers.isEmpty || access("parsers", R_OK) == 0 { return nil }
        return try settings()
    }

    /// The profiles as the daemon uses them: with the accounts and the trusted senders of the database, if there is
    /// one.
    func profilesInForce(_ extent: ProfileExtent) throws -> ProfileSet {
        try profilesInForce(extent, try? store())
    }

    func profilesInForce(_ extent: ProfileExtent, _ store: Store?) throws -> ProfileSet {
        let files = try profiles(extent)
        guard let store, let accounts = try? store.accounts.all() else { return files }
        let trusted = ((try? store.trustedSenders.all()) ?? []).map(\.sender)
        return files.adding(trusted: trusted).adding(accounts: accounts.filter(\.isActive).map(\.profile)).profiles
    }

    /// The rules of the database, or else the shipped ones, or else none.
    func rules(_ store: Store?) throws -> BookingRules {
        if let store { return try store.bookingRules() }
        let path = ["config/categories.yaml", InstalledFiles.categories].first { (path: String) in
            access(path, R_OK) == 0
        }
        guard let path else { return .none }
        return BookingRules(categories: CategoryRules(shipped: try CategoryFile(path: path)))
    }

    static var noDatabase: Refused {
        Refused(
            "no database is given, and there is no \(usualConfiguration): use --database FILE or --config FILE")
    }

    /// The path of the ledger, which need not exist.
    func databasePath() throws -> String {
        guard let path = try database ?? settings()?.database else { throw Self.noDatabase }
        return path
    }

    func store(readOnly: Bool = true) throws -> Store {
        let path = try databasePath()
        // With --database, a damaged configuration must not keep the ledger from being opened.
        let settings = database == nil ? try settings() : (try? settings()) ?? nil
        if readOnly, DatabasePath(path).isEmpty { throw Refused("\(path) is empty: nothing has been read yet") }
        let store = try Store(
            path: path, readOnly: readOnly, timeZone: settings?.timeZone ?? .kolkata,
            homeCurrency: settings?.homeCurrency ?? .inr)
        store.expectBackups(within: settings?.backupDays)
        return store
    }
}

extension CategoryRules {
    init(shipped file: CategoryFile) {
        var mappings: [VendorMapping] = []
        for (index, category) in file.categories.enumerated() {
            let id = Int64(index + 1)
            for (rules, subcategory) in [(category.rules, nil)] + category.subcategories.map({ ($0.rules, $0.name) }) {
                mappings += rules.map {
                    var mapping = VendorMapping(
                        id: 0, keyword: $0.keyword, categoryID: id, category: category.name, kind: $0.kind)
                    mapping.subcategory = subcategory
                    mapping.conditions = $0.conditions
                    return mapping
                }
            }
        }
        self.init(mappings)
    }
}
