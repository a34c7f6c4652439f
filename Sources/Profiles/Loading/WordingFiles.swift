import YAMLSource

/// `_generic.yaml` and `_doubts.yaml` of the last profile folder that has them; the program's own if none has.
///
/// Profile folders of older versions lack these files: their mails are read by the wording that the program was built
/// with.
struct WordingFiles: Sendable {
    static let genericName = "_generic.yaml"
    static let doubtsName = "_doubts.yaml"
    static let names: Set<String> = [genericName, doubtsName]

    private(set) var generic = YAMLFile(path: "built-in/" + genericName, bytes: PackageResources._generic_yaml)
    private(set) var doubts = YAMLFile(path: "built-in/" + doubtsName, bytes: PackageResources._doubts_yaml)
    /// True for the files whose samples `parserctl test` runs: those of a folder.
    private(set) var areOfFolder = (generic: false, doubts: false)
    var readsSamples = true

    mutating func replace(generic: YAMLFile?, doubts: YAMLFile?) {
        if let generic { (self.generic, areOfFolder.generic) = (generic, true) }
        if let doubts { (self.doubts, areOfFolder.doubts) = (doubts, true) }
    }
}
