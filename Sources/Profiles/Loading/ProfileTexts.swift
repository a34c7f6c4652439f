import Chronology
import Codecs
import Glibc
import YAMLSource

/// Reads profile files without their samples, which are most of every file and not needed to read mail. Keeps the texts
/// in one cache file, so that the next start reads that instead of hundreds of files.
///
/// A kept text is used while its file has the same inode, size and times (stat(2)). Times have a resolution of some
/// milliseconds, so the text of a file that changed shortly before it was read is not kept. Used on one thread.
final class ProfileTexts {
    /// What a file has in common with the one that was read.
    private struct Stamp: Equatable {
        /// The device, the inode, the size in bytes, and the times of the last modification and the last change of the
        /// inode in nanoseconds.
        let numbers: [Int64]
        /// The later of the two times.
        var time: Int64 { max(numbers[3], numbers[4]) }

        init(_ numbers: some Sequence<Int64>) { self.numbers = Array(numbers) }

        init(_ status: stat) {
            func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
            numbers = [
                Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
                Int64(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
            ]
        }

        static let count = 5
    }

    private struct Kept {
        var stamp: Stamp
        /// Of the complete file.
        var digest: UInt64
        /// Without samples.
        var text: ArraySlice<UInt8>
    }

    /// Nanoseconds after which the times of a file distinguish it from a later version: FAT counts in two seconds.
    private static let settling: Int64 = 2_000_000_000
    /// The maximum size of a file that this program writes.
    private static let maximumBytes = 1 << 24

    private let path: String?
    private let owner: String
    private let now: Int64
    /// The contents of the cache file by path.
    private var found: [String: Kept] = [:]
    /// The files that were read since, or found unchanged.
    private var kept: [String: Kept] = [:]
    private var isSaved = true

    /// - Parameters:
    ///   - path: the cache file; `nil` for none.
    ///   - owner: identity of the program: another may read samples elsewhere.
    init(path: String? = nil, owner: String = "", now: UnixTime = .now) {
        self.path = path
        self.owner = owner
        self.now = now.seconds * 1_000_000_000
        found = path.flatMap { CacheFile.read($0, of: owner, upTo: Self.maximumBytes) }.flatMap(Self.contents) ?? [:]
    }

    /// - Returns: the file without its samples, and a digest of all its bytes.
    func read(_ path: String) throws(SourceError) -> (file: YAMLFile, digest: UInt64) {
        var status = stat()
        let stamp = stat(path, &status) == 0 ? Stamp(status) : nil
        if let known = found[path], known.stamp == stamp {
            kept[path] = known
            return (YAMLFile(path: path, bytes: Array(known.text)), known.digest)
        }
        let file = try YAMLFile(path: path)
        let digest = file.digest
        let stripped = Self.withoutSamples(file)
        if let stamp, stamp.time < now - Self.settling {
            kept[path] = Kept(stamp: stamp, digest: digest, text: stripped.bytes[...])
            isSaved = false
        }
        return (stripped, digest)
    }

    /// Files with underscores have no samples, or others: nothing but the digest of `_samples.yaml` is needed.
    private static func withoutSamples(_ file: YAMLFile) -> YAMLFile {
        let name = file.path.split(separator: "/").last ?? ""
        if name == "_samples.yaml" { return YAMLFile(path: file.path, bytes: []) }
        return name.hasPrefix("_") ? file : file.omitting("samples")
    }

    /// Writes the cache file if a text was read that it lacks.
    func save() {
        guard let path, !isSaved else { return }
        isSaved = true
        var numbers = [Int64(kept.count)]
        var texts: [UInt8] = []
        for (path, file) in kept {
            numbers += file.stamp.numbers
            numbers += [Int64(bitPattern: file.digest), Int64(path.utf8.count), Int64(file.text.count)]
            texts += Array(path.utf8)
            texts += file.text
        }
        CacheFile.write(numbers.withUnsafeBytes { Array($0) } + texts, of: owner, to: path, upTo: Self.maximumBytes)
    }

    /// 64-bit numbers: how many files follow; for each its stamp, its digest, the lengths of its path and its text;
    /// then the paths and texts.
    private static func contents(_ bytes: ArraySlice<UInt8>) -> [String: Kept]? {
        func number(_ index: Int) -> Int64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self) }
        }
        guard bytes.count >= 8 else { return nil }
        let size = Stamp.count + 3
        guard let count = Int(exactly: number(0)), (0...(bytes.count / 8)).contains(count),
            8 * (1 + count * size) <= bytes.count
        else { return nil }
        var rest = bytes.dropFirst(8 * (1 + count * size))
        var found: [String: Kept] = [:]
        found.reserveCapacity(count)
        for file in 0..<count {
            let (first, last) = (1 + file * size, file * size + size)
            let lengths = (number(last - 1), number(last))
            guard lengths.0 >= 0, lengths.1 >= 0, lengths.0 <= rest.count, lengths.1 <= rest.count - Int(lengths.0)
            else { return nil }
            let path = String(decoding: rest.prefix(Int(lengths.0)), as: UTF8.self)
            let text = rest.dropFirst(Int(lengths.0)).prefix(Int(lengths.1))
            found[path] = Kept(
                stamp: Stamp((first..<(first + Stamp.count)).map(number)),
                digest: UInt64(bitPattern: number(last - 2)), text: text)
            rest = rest[text.endIndex...]
        }
        return found
    }
}

extension YAMLFile {
    /// A digest of all its bytes.
    var digest: UInt64 {
        var digest = FNV1a()
        digest.combine(interleaved: bytes)
        return digest.value
    }
}
