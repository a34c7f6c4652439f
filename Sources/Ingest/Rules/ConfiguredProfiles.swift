public import Profiles
public import Settings
public import YAMLSource

extension ProfileSet {
    /// Loads all profiles that a configuration names, with its settings of single banks.
    ///
    /// - Parameter directories: replaces the configured profile folders, and that of the activated templates.
    public init(_ settings: Settings, directories: [String]? = nil) throws(SourceErrors) {
        self = try ProfileSet(directories: ProfileFolders(settings, directories)).adding(ProfileAdditions(settings))
    }

    /// Does the same for a reader of mail: the templates of a bank are loaded with its first message if they once
    /// loaded without a fault.
    public init(deferring settings: Settings, directories: [String]? = nil) throws(SourceErrors) {
        self = try ProfileSet(deferring: ProfileFolders(settings, directories), proofs: Program.proofs).adding(
            ProfileAdditions(settings))
    }

    /// Does the same for reading a few mails: only the templates of their banks are read.
    public init(onDemand settings: Settings, directories: [String]? = nil) throws(SourceErrors) {
        self = try ProfileSet(onDemand: ProfileFolders(settings, directories), proofs: Program.proofs).adding(
            ProfileAdditions(settings))
    }
}

extension ProfileFolders {
    /// The folders of a configuration with that of the activated templates.
    ///
    /// - Parameter directories: replaces all of them.
    public init(_ settings: Settings, _ directories: [String]? = nil) {
        self.init(
            directories ?? settings.parsers, activated: directories == nil ? settings.activatedTemplates : nil)
    }
}

extension ProfileAdditions {
    init(_ settings: Settings) {
        self.init(
            banks: settings.banks.named.map {
                NamedBank(domain: $0.domain, name: $0.name, region: $0.region, place: $0.place)
            },
            thresholds: settings.banks.thresholds.map { ($0.bank, $0.value, $0.place) })
    }
}
