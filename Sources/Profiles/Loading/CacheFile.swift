import DurableFiles
import Glibc

/// A file in a folder for caches: what cannot be read or written costs time and nothing else.
enum CacheFile {
    /// `nil` where it is missing, or has more bytes than that.
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
