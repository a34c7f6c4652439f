import ArgumentParser
import Glibc
import Ingest
import Ledger
import Profiles
import Settings
import Store

/// Where profiles, categories and the database are: as the options say, otherwise as the configuration says, otherwise where they usually are.
struct Locations: ParsableArguments {
    @Option(name: .long, help: "The daemon's configuration file.")
    var config: String?
    @Option(name: .long, help: "A profile folder; may be given several times, later ones override earlier ones.")
    var parsers: [String] = []
    @Option(name: .long, help: "The database file.")
    var database: String?

    static let usualConfiguration = "/etc/spendwise/spendwise.yaml"

    func settings() throws -> Settings? {
        if let config { return try Settings(path: config) }
        guard parsers.isEmpty || database == nil, access(Self.usualConfiguration, R_OK) == 0 else { return nil }
        return try Settings(path: Self.usualConfiguration)
    }

    /// The folders that the options name, with what a named configuration says of single banks; otherwise the folder `parsers` here; otherwise
    /// what the configuration names.
    ///
    /// - Parameter samples: false leaves the samples unread, for who only reads mail.
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

    /// The same with the accounts of the database and the senders that people trust, where there is one: as the daemon decides.
    func profilesInForce(samples: Bool = true) throws -> ProfileSet {
        let files = try profiles(samples: samples)
        guard let store = try? store(), let accounts = try? store.accounts() else { return files }
        let trusted = ((try? store.trustedSenders()) ?? []).map(\.sender)
        return files.adding(trusted: trusted).adding(accounts: accounts.filter(\.isActive).map(\.profile)).profiles
    }

    /// The database's own rules where there is one, otherwise the shipped ones; none where neither is to be had.
    func categories() throws -> CategoryRules {
        if let store = try? store() { return try store.categoryRules() }
        let path = ["config/categories.yaml", InstalledFiles.categories].first { (path: String) in
            access(path, R_OK) == 0
        }
        guard let path else { return .empty }
        return CategoryRules(shipped: try CategoryFile(path: path))
    }

    static var noDatabase: ValidationError {
        ValidationError(
            "no database is named, and there is no \(usualConfiguration): use --database FILE or --config FILE")
    }

    func store(readOnly: Bool = true) throws -> Store {
        guard let path = try database ?? settings()?.database else {
            throw Self.noDatabase
        }
        return try Store(path: path, readOnly: readOnly)
    }
}

extension CategoryRules {
    init(shipped file: CategoryFile) {
        var mappings: [VendorMapping] = []
        for (index, category) in file.categories.enumerated() {
            let id = Int64(index + 1)
            for (rules, subcategory) in [(category.rules, nil)] + category.subcategories.map({ ($0.rules, $0.name) }) {
                mappings += rules.map {
                    VendorMapping(
                        id: 0, keyword: $0.keyword, categoryID: id, category: category.name, subcategory: subcategory,
                        kind: $0.kind, conditions: $0.conditions)
                }
            }
        }
        self.init(mappings)
    }
}
