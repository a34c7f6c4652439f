public import Profiles
public import Settings
public import YAMLSource

extension ProfileSet {
    /// The profiles that a configuration names, with what it says of single banks: all of them, read now.
    ///
    /// - Parameter directories: in place of the configuration's profile folders.
    public init(_ settings: Settings, directories: [String]? = nil) throws(SourceErrors) {
        self = try ProfileSet(directories: directories ?? settings.parsers).adding(ProfileAdditions(settings))
    }

    /// The same for who reads mail: the templates of a bank are read with the first mail of it, after they were once read without a fault.
    public init(deferring settings: Settings, directories: [String]? = nil) throws(SourceErrors) {
        self = try ProfileSet(deferring: directories ?? settings.parsers, proofs: Program.proofs).adding(
            ProfileAdditions(settings))
    }
}

extension ProfileAdditions {
    init(_ settings: Settings) {
        self.init(
            domains: settings.banks.named.map { ($0.domain, $0.place) },
            thresholds: settings.banks.thresholds.map { ($0.bank, $0.value, $0.place) })
    }
}
