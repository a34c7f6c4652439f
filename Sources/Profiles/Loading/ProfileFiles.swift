import Codecs
import PCRE2
import YAMLSource

/// A snapshot of the files of profile folders: later changes of the files have no effect on it.
struct ProfileFiles: Sendable {
    struct BankFolder: Sendable {
        let key: String
        /// Files in the order of their names.
        fileprivate(set) var files: [(name: String, text: ProfileText)] = []
        /// Names of files that cannot be read.
        fileprivate(set) var unreadable: Set<String> = []
        /// True if the folder of activated templates holds one of its files.
        fileprivate(set) var hasActivated = false
        /// Digest of all files with their names, including samples.
        fileprivate(set) var digest = FNV1a()

        subscript(name: String) -> ProfileText? { files.first { $0.name == name }?.text }

        var templates: [(name: String, text: ProfileText)] { files.filter { !$0.name.hasPrefix("_") } }

        /// The folder's path, for errors about it.
        var path: String { files.map(\.text.path).min() ?? key }

        fileprivate mutating func add(_ name: String, _ text: ProfileText) {
            files.append((name, text))
            digest.combine(Array(name.utf8) + [0])
            withUnsafeBytes(of: text.digest.littleEndian) { digest.combine(Array($0)) }
        }
    }

    /// Folders in the order of their names.
    private(set) var folders: [BankFolder] = []
    /// `_common.yaml`.
    private(set) var common: YAMLFile?
    private var commonVersion = ""
    /// `_generic.yaml` and `_doubts.yaml`.
    private(set) var wording = WordingFiles()
    /// The files and folders that cannot be read.
    private(set) var errors: [SourceError] = []

    /// - Parameters:
    ///   - bank: reads only this bank.
    ///   - added: texts by their paths, as in a last folder.
    ///   - omitted: paths of activated templates, or of their folders, that are left out.
    ///   - texts: reads the files, without their samples; `nil` reads them with samples.
    init(
        _ folders: ProfileFolders, only bank: String? = nil, adding added: [String: String] = [:],
        without omitted: Set<String> = [], reading texts: ProfileTexts? = nil
    ) {
        var paths: [String: [String: String]] = [:]
        var commonPath: String?
        var wordingPaths: [String: String] = [:]
        var languagePaths: [String: String] = [:]
        for directory in folders.configured {
            for name in names(in: directory) where !name.hasPrefix(".") {
                let path = directory + "/" + name
                if name == "_common.yaml" { commonPath = path }
                if WordingFiles.names.contains(name) { wordingPaths[name] = path }
                if let language = WordingFiles.language(ofName: name) { languagePaths[language] = path }
                guard bank == nil || name == bank || name.hasPrefix("_"), Folder.isFolder(path) else { continue }
                for file in names(in: path) where file.hasSuffix(".yaml") && !file.hasPrefix(".") {
                    paths[name, default: [:]][file] = path + "/" + file
                }
            }
        }
        let activated = activatedPaths(folders, only: bank, without: omitted)
        for (key, files) in activated { paths[key, default: [:]].merge(files) { $1 } }
        for path in added.keys {
            let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
            if parts.count == 2 { paths[parts[0], default: [:]][parts[1]] = path }
        }
        common = commonPath.flatMap { file($0, texts) }
        var digest = FNV1a()
        digest.combine(common?.bytes ?? [])
        commonVersion = digest.hexadecimal
        wording.readsSamples = texts == nil
        wording.replace(
            generic: wordingPaths[WordingFiles.genericName].flatMap { file($0, texts) },
            doubts: wordingPaths[WordingFiles.doubtsName].flatMap { file($0, texts) })
        for (language, path) in languagePaths {
            if let file = file(path, texts) { wording.add(file, of: language) }
        }
        for (key, files) in paths.sorted(by: { $0.key < $1.key }) {
            var folder = BankFolder(key: key)
            folder.hasActivated = activated[key] != nil
            for (name, path) in files.sorted(by: { $0.key < $1.key }) {
                let given = added[path].map { YAMLFile(path: path, bytes: Array($0.utf8)) }
                if let text = given.map({ ProfileText($0, isCompressed: false) }) ?? text(path, texts) {
                    folder.add(name, text)
                } else {
                    folder.unreadable.insert(name)
                }
            }
            self.folders.append(folder)
        }
        texts?.save()
    }

    /// The paths of activated templates by the keys of their banks and their names.
    private mutating func activatedPaths(
        _ folders: ProfileFolders, only bank: String?, without omitted: Set<String>
    ) -> [String: [String: String]] {
        guard let root = folders.activated, !omitted.contains(root), Folder.isFolder(root) else { return [:] }
        var paths: [String: [String: String]] = [:]
        for key in names(in: root) where key.first != "." && key.first != "_" && (bank == nil || key == bank) {
            let folder = root + "/" + key
            guard !omitted.contains(folder), Folder.isFolder(folder) else { continue }
            for name in names(in: folder) where name.hasSuffix(".yaml") && name.first != "." && name.first != "_" {
                let path = folder + "/" + name
                if !omitted.contains(path) { paths[key, default: [:]][name] = path }
            }
        }
        return paths
    }

    private mutating func names(in directory: String) -> [String] {
        do throws(SourceError) { return try Folder.names(in: directory) } catch {
            errors.append(error)
            return []
        }
    }

    private mutating func text(_ path: String, _ texts: ProfileTexts?) -> ProfileText? {
        do throws(SourceError) {
            if let texts { return try texts.read(path) }
            return ProfileText(try YAMLFile(path: path), isCompressed: false)
        } catch {
            errors.append(error)
            return nil
        }
    }

    private mutating func file(_ path: String, _ texts: ProfileTexts?) -> YAMLFile? {
        guard let text = text(path, texts) else { return nil }
        do throws(SourceError) { return try text.file() } catch {
            errors.append(error)
            return nil
        }
    }

    /// Proof of a folder: a digest of all inputs that decide whether its templates load. These are its files and the
    /// shared ones that it uses, both in the version, the common pieces, and the library that compiles patterns.
    func proof(ofVersion version: String) -> String {
        var digest = FNV1a()
        digest.combine(Array("\(Pattern.libraryVersion) \(version) \(commonVersion)".utf8))
        return digest.hexadecimal
    }

    /// A digest of all files and of the library that compiles patterns.
    var version: String {
        var digest = FNV1a()
        for folder in folders { digest.combine(Array((folder.key + folder.digest.hexadecimal).utf8)) }
        return proof(ofVersion: digest.hexadecimal)
    }
}
