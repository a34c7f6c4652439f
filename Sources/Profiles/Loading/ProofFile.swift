/// Which profile folders were once read whole without a fault, so that they need not be again: a file of digests, in a
/// folder for caches.
///
/// One that is missing, cannot be read or written, or is another program's costs the time of a whole reading and
/// nothing else.
public struct ProofFile: Sendable {
    /// `nil`: nothing is remembered.
    let path: String?
    /// The program whose word it is: another one may read the same files otherwise.
    let program: String

    public init(path: String?, program: String) {
        self.path = path
        self.program = program
    }

    /// More does not stand in a file that this program wrote.
    private static let maximumBytes = 1 << 16

    func read() -> Set<String> {
        guard let path, let bytes = CacheFile.read(path, upTo: Self.maximumBytes) else { return [] }
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        return lines.first == program ? Set(lines.dropFirst()) : []
    }

    /// In the place of what stands there, at once.
    func write(_ digests: Set<String>) {
        guard let path else { return }
        let text = Array(([program] + digests.sorted()).joined(separator: "\n").utf8)
        if text.count <= Self.maximumBytes { CacheFile.write(text, to: path) }
    }

    /// What the patterns of these profiles require: a file beside it.
    func requirements(of version: String, _ words: Vocabulary) -> RequirementFile {
        RequirementFile(path: path.map { $0 + ".words" }, owner: program + " " + version, words: words)
    }
}
