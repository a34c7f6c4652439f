import Chronology
import Codecs
import DurableFiles
import YAMLSource
import Zstandard

/// Reads profile files without their samples, which are most of every file and not needed to read mail. Keeps the texts
/// in one cache file, so that the next start reads that instead of hundreds of files.
///
/// A kept text is used while its file has the same stamp. The text of a file that changed so shortly before that
/// another change would not show is not kept. Used on one thread.
final class ProfileTexts {
    private struct Kept {
        var stamp: FileStamp
        /// Without samples.
        var text: ProfileText
    }

    /// The maximum size of a file that this program writes.
    private static let maximumBytes = 1 << 24

    private let path: String?
    private let owner: String
    /// Seconds since 1970-01-01 UTC.
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
        self.now = now.seconds
        found = path.flatMap { CacheFile.read($0, of: owner, upTo: Self.maximumBytes) }.flatMap(Self.contents) ?? [:]
    }

    /// - Returns: the text of the file without its samples.
    func read(_ path: String) throws(SourceError) -> ProfileText {
        let stamp = FileStamp(of: path)
        if let known = found[path], known.stamp == stamp {
            kept[path] = known
            return known.text
        }
        let file = try YAMLFile(path: path)
        let text = Self.text(of: file)
        if let stamp, stamp.isSettled(at: now) {
            kept[path] = Kept(stamp: stamp, text: text)
            isSaved = false
        }
        return text
    }

    /// The text without samples. Files with underscores have none, or others: nothing but the digest of `_samples.yaml`
    /// is needed. They are not compressed: each start reads them, or they belong to all banks.
    private static func text(of file: YAMLFile) -> ProfileText {
        let name = file.path.split(separator: "/").last ?? ""
        guard name.hasPrefix("_") else {
            return ProfileText(file.omitting("samples"), digest: file.digest, isCompressed: true)
        }
        let needed = name == "_samples.yaml" ? YAMLFile(path: file.path, bytes: []) : file
        return ProfileText(needed, digest: file.digest, isCompressed: false)
    }

    /// Writes the cache file if a text was read that it lacks.
    func save() {
        guard let path, !isSaved else { return }
        isSaved = true
        var numbers = [Int64(kept.count)]
        var texts: [UInt8] = []
        for (path, file) in kept {
            let stamp = file.stamp
            numbers += [stamp.device, stamp.inode, stamp.size, stamp.modifiedAt, stamp.changedAt]
            numbers += [Int64(bitPattern: file.text.digest), Int64(file.text.count)]
            numbers += [Int64(path.utf8.count), Int64(file.text.bytes.count)]
            texts += Array(path.utf8)
            texts += file.text.bytes
        }
        CacheFile.write(numbers.withUnsafeBytes { Array($0) } + texts, of: owner, to: path, upTo: Self.maximumBytes)
    }

    /// 64-bit numbers: how many files follow; for each its stamp, its digest, the length of its text, and the lengths
    /// of its path and of the text as it is kept; then the paths and texts.
    private static func contents(_ bytes: ArraySlice<UInt8>) -> [String: Kept]? {
        func number(_ index: Int) -> Int64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self) }
        }
        guard bytes.count >= 8 else { return nil }
        let size = 9
        guard let count = Int(exactly: number(0)), (0...(bytes.count / 8)).contains(count),
            8 * (1 + count * size) <= bytes.count
        else { return nil }
        var rest = bytes.dropFirst(8 * (1 + count * size))
        var found: [String: Kept] = [:]
        found.reserveCapacity(count)
        for file in 0..<count {
            let numbers = (1...size).map { number(file * size + $0) }
            let (length, lengths) = (numbers[6], (numbers[7], numbers[8]))
            guard lengths.0 >= 0, lengths.1 >= 0, lengths.0 <= rest.count, lengths.1 <= rest.count - Int(lengths.0),
                (0...Int64(YAMLFile.maximumBytes)).contains(length)
            else { return nil }
            let path = String(decoding: rest.prefix(Int(lengths.0)), as: UTF8.self)
            let text = rest.dropFirst(Int(lengths.0)).prefix(Int(lengths.1))
            guard length == lengths.1 || SingleFrame.count(of: text) == Int(length) else { return nil }
            found[path] = Kept(
                stamp: FileStamp(
                    device: numbers[0], inode: numbers[1], size: numbers[2], modifiedAt: numbers[3],
                    changedAt: numbers[4]),
                text: ProfileText(
                    path: path, digest: UInt64(bitPattern: numbers[5]), bytes: Array(text), count: Int(length)))
            rest = rest[text.endIndex...]
        }
        return found
    }
}
