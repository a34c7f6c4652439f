public import Profiles
public import Settings
public import YAMLSource

extension ProfileSet {
    /// The profiles that a configuration names, with what it says of single banks.
    ///
    /// - Parameter directories: in place of the configuration's profile folders.
    public init(_ settings: Settings, directories: [String]? = nil, samples: Bool = true) throws(SourceErrors) {
        self = try ProfileSet(directories: directories ?? settings.parsers, samples: samples).adding(
            ProfileAdditions(
                domains: settings.banks.named.map { ($0.domain, $0.place) }, thresholds: settings.banks.thresholds.map { ($0.bank, $0.value, $0.place) }))
    }
}
