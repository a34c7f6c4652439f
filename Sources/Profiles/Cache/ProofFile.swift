/// Profile folders that have loaded completely without an error, so that they need not be read completely again: a file
/// of digests in a cache folder.
///
/// If the file is missing, unreadable, not writable or of another program, the only cost is the time of a complete
/// reading.
public struct ProofFile: Sendable {
    /// `nil` disables the cache.
    public let path: String?
    /// The program that wrote it: another version may read the same files differently.
    let program: String

    public init(path: String?, program: String) {
        self.path = path
        self.program = program
    }

    /// The maximum size of a file that this program writes.
    private static let maximumBytes = 1 << 16

    func read() -> Set<String> {
        guard let path, let lines = CacheFile.read(path, of: program, upTo: Self.maximumBytes) else { return [] }
        return Set(lines.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Replaces the file atomically.
    func write(_ digests: Set<String>) {
        guard let path else { return }
        let lines = Array(digests.sorted().joined(separator: "\n").utf8)
        CacheFile.write(lines, of: program, to: path, upTo: Self.maximumBytes)
    }

    /// Adds a digest to the file.
    func add(_ digest: String) { write(read().union([digest])) }

    /// The cached texts of profile files, in a file beside this one.
    func texts() -> ProfileTexts { ProfileTexts(path: path.map { $0 + ".texts" }, owner: program) }

    /// The cached requirements of the patterns of these profiles, in a file beside this one.
    func requirements(of version: String, _ words: Vocabulary) -> RequirementFile {
        RequirementFile(path: path.map { $0 + ".words" }, owner: program + " " + version, words: words)
    }
}
