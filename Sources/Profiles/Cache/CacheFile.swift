import Codecs
import DurableFiles
import Glibc

/// A file in a cache folder: a failure to read or write it costs time only.
enum CacheFile {
    /// `nil` if the file is missing or larger than `maximum`.
    static func read(_ path: String, upTo maximum: Int) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var status = stat()
        guard fstat(fileno(file), &status) == 0, status.st_size <= maximum else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) {
            $1 = fread($0.baseAddress, 1, $0.count, file)
        }
    }

    /// Replaces the file atomically. A failure is ignored: the next start works without the cache.
    static func write(_ bytes: [UInt8], to path: String) {
        try? FileReplacement(path, mode: .exactly(0o600), isDurable: false).write(bytes)
    }

    /// The contents that ``write(_:of:to:upTo:)`` wrote; `nil` if another owner did, or if the file is damaged.
    static func read(_ path: String, of owner: String, upTo maximum: Int) -> ArraySlice<UInt8>? {
        guard let bytes = read(path, upTo: maximum) else { return nil }
        let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0].elementsEqual(owner.utf8), lines[1].elementsEqual(digest(lines[2]).utf8)
        else { return nil }
        return lines[2]
    }

    /// Writes `owner` and a digest of the contents, each on a line, then the contents; nothing if all is longer than
    /// `maximum`.
    ///
    /// - Parameter owner: what the contents are derived from, without a line break.
    static func write(_ contents: [UInt8], of owner: String, to path: String, upTo maximum: Int) {
        let head = Array("\(owner)\n\(digest(contents[...]))\n".utf8)
        if head.count + contents.count <= maximum { write(head + contents, to: path) }
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> String {
        var hash = FNV1a()
        hash.combine(interleaved: Array(bytes))
        return hash.hexadecimal
    }
}
