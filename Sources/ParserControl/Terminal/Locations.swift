import ArgumentParser
import Chronology
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

    /// Loads the folders of the options, with the banks of a named configuration; or else the folder `parsers` here; or
    /// else
    /// the configured ones.
    ///
    /// - Parameter samples: false leaves out the samples, which reading mail does not need.
    func profiles(samples: Bool = true) throws -> ProfileSet {
        func read(_ folders: [String]) throws -> ProfileSet {
            samples ? try ProfileSet(directories: folders) : try ProfileSet(deferring: folders, proofs: Program.proofs)
        }
        if config == nil, let folders = parsers.isEmpty ? access("parsers", R_OK) == 0 ? ["parsers"] : nil : parsers {
            return try read(folders)
        }
        guard let settings = try settings() else { return try read([InstalledFiles.profiles]) }
        let folders = parsers.isEmpty ? nil : parsers
        return samples
            ? try ProfileSet(settings, directories: folders) : try ProfileSet(deferring: settings, directories: folders)
    }

    /// The profiles as the daemon uses them: with the accounts and the trusted senders of the database, if there is
    /// one.
    func profilesInForce(samples: Bool = true) throws -> ProfileSet {
        let files = try profiles(samples: samples)
        guard let store = try? store(), let accounts = try? store.accounts.all() else { return files }
        let trusted = ((try? store.trustedSenders.all()) ?? []).map(\.sender)
        return files.adding(trusted: trusted).adding(accounts: accounts.filter(\.isActive).map(\.profile)).profiles
    }

    /// The rules of the database, or else the shipped ones, or else none.
    func categories() throws -> CategoryRules {
        if let store = try? store() { return try store.categories.rules() }
        let path = ["config/categories.yaml", InstalledFiles.categories].first { (path: String) in
            access(path, R_OK) == 0
        }
        guard let path else { return .empty }
        return CategoryRules(shipped: try CategoryFile(path: path))
    }

    static var noDatabase: ValidationError {
        ValidationError(
            "no database is given, and there is no \(usualConfiguration): use --database FILE or --config FILE")
    }

    func store(readOnly: Bool = true) throws -> Store {
        // With --database, a damaged configuration must not keep the ledger from being opened.
        let settings = database == nil ? try settings() : (try? settings()) ?? nil
        guard let path = database ?? settings?.database else {
            throw Self.noDatabase
        }
        return try Store(path: path, readOnly: readOnly, timeZone: settings?.timeZone ?? .kolkata)
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
