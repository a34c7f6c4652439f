import DurableFiles
import Glibc
import YAMLSource

/// A file of the program's own with a list of named entries, in the form of `mailboxes:` or `notifications:` in the
/// configuration, so that one reader checks both.
struct EntryList {
    let path: String
    /// The key of the list.
    let key: String
    /// The first line.
    let comment: String

    private var header: [String] { [comment, key + ":"] }

    /// None if nothing was added yet.
    func items() throws(SourceError) -> [YAMLNode] { try present().map(entries) ?? [] }

    /// Entries that are in no file yet.
    func items(of lines: [String]) throws(SourceError) -> [YAMLNode] { try entries(file(header + lines)) }

    /// The file with one more entry, which can be read.
    func adding(_ entry: [String]) throws(SourceError) -> YAMLFile {
        let file = file((try present().map(Self.lines) ?? header) + entry)
        _ = try entries(file)
        return file
    }

    /// The file without the entry of this name; `nil` without a file.
    func removing(_ name: String) throws(SourceError) -> YAMLFile? {
        guard let file = try present() else { return nil }
        var lines = Self.lines(file)
        let items = try entries(file)
        for (index, node) in items.enumerated().reversed() {
            guard try node.mapping()["name"]?.string() == name else { continue }
            let end = index + 1 < items.count ? items[index + 1].line - 1 : lines.count
            guard node.line >= 1, node.line - 1 < end, end <= lines.count else { continue }
            lines.removeSubrange(node.line - 1..<end)
        }
        if try entries(self.file(lines)).isEmpty { lines = header }
        return self.file(lines)
    }

    /// The file with an entry in the place of that of this name.
    func replacing(_ name: String, with entry: [String]) throws(SourceError) -> YAMLFile {
        let file = file((try removing(name).map(Self.lines) ?? header) + entry)
        _ = try entries(file)
        return file
    }

    func remove(_ name: String) throws {
        if let file = try removing(name) { try write(file) }
    }

    /// Writes the file for this user alone.
    func write(_ file: YAMLFile) throws(FileWriteError) {
        try FileReplacement(path, mode: .exactly(0o600)).write(file.bytes)
    }

    private func file(_ lines: [String]) -> YAMLFile {
        YAMLFile(path: path, bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    private func present() throws(SourceError) -> YAMLFile? {
        access(path, F_OK) == 0 ? try YAMLFile(path: path) : nil
    }

    private func entries(_ file: YAMLFile) throws(SourceError) -> [YAMLNode] {
        guard let list = try file.root().mapping(allowing: [key])[key], !list.isScalar else { return [] }
        return try list.list()
    }

    private static func lines(_ file: YAMLFile) -> [String] {
        var lines = String(decoding: file.bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
