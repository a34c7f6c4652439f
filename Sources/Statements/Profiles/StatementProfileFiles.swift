import Profiles
import YAMLSource

/// The files `_statement-<name>.yaml` in the folders of banks.
struct StatementProfileFiles: Sendable {
    struct Entry: Sendable {
        let bank: String
        let profile: StatementProfile
        let file: YAMLFile
    }

    private static let prefix = "_statement-"
    private static let suffix = ".yaml"

    /// In the order of the banks, then of the names.
    let entries: [Entry]

    /// - Parameter folders: profile folders; a file in a later one takes the place of that with the same path.
    init(_ folders: [String]) throws(SourceError) {
        var paths: [String: [String: String]] = [:]
        for folder in folders {
            for bank in try Folder.names(in: folder) where bank.first != "." && Folder.isFolder("\(folder)/\(bank)") {
                for name in try Folder.names(in: "\(folder)/\(bank)")
                where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
                    paths[bank, default: [:]][name] = "\(folder)/\(bank)/\(name)"
                }
            }
        }
        var entries: [Entry] = []
        for (bank, files) in paths.sorted(by: { $0.key < $1.key }) {
            for (name, path) in files.sorted(by: { $0.key < $1.key }) {
                let file = try YAMLFile(path: path)
                let profile = try StatementProfile("\(bank)/\(name.dropLast(Self.suffix.count))", file)
                entries.append(Entry(bank: bank, profile: profile, file: file))
            }
        }
        self.entries = entries
    }

    /// The profiles of these banks; every one if no bank is known.
    func profiles(of banks: [String]) -> [StatementProfile] {
        entries.filter { banks.isEmpty || banks.contains($0.bank) }.map(\.profile)
    }
}
