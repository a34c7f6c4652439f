import Codecs
import YAMLSource

/// The language files of the profile folders, and `_generic.yaml` and `_doubts.yaml` of the last folder that has
/// them; the program's own if none has.
///
/// Profile folders of older versions lack these two: their mails are read by the wording that the program was built
/// with.
struct WordingFiles: Sendable {
    static let genericName = "_generic.yaml"
    static let doubtsName = "_doubts.yaml"
    static let names: Set<String> = [genericName, doubtsName]

    private(set) var generic = YAMLFile(path: "built-in/" + genericName, bytes: PackageResources._generic_yaml)
    private(set) var doubts = YAMLFile(path: "built-in/" + doubtsName, bytes: PackageResources._doubts_yaml)
    /// The language files of the profile folders, by language.
    private(set) var languages: [String: YAMLFile] = [:]
    /// True for the files whose samples `parserctl test` runs: those of a folder.
    private(set) var areOfFolder = (generic: false, doubts: false)
    var readsSamples = true

    /// The language of a file's name, `_words-<language>.yaml`.
    static func language(ofName name: String) -> String? {
        guard name.hasPrefix("_words-"), name.hasSuffix(".yaml") else { return nil }
        return String(name.dropFirst("_words-".count).dropLast(".yaml".count))
    }

    /// A digest of all files.
    var version: String {
        var digest = FNV1a()
        for file in [generic, doubts] {
            digest.combine(file.bytes)
            digest.combine([0])
        }
        for (language, file) in languages.sorted(by: { $0.key < $1.key }) {
            digest.combine(Array(language.utf8) + [0])
            digest.combine(file.bytes)
        }
        return digest.hexadecimal
    }

    mutating func add(_ file: YAMLFile, of language: String) { languages[language] = file }

    mutating func replace(generic: YAMLFile?, doubts: YAMLFile?) {
        if let generic { (self.generic, areOfFolder.generic) = (generic, true) }
        if let doubts { (self.doubts, areOfFolder.doubts) = (doubts, true) }
    }
}
