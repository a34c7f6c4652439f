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
}
