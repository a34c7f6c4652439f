import Codecs
import YAMLSource
import Zstandard

/// The text of a profile file as it was read. Compressed, since most banks never write to the household.
struct ProfileText: Sendable {
    let path: String
    /// Of the complete file.
    let digest: UInt64
    /// The text, or one frame (RFC 8878) if that is shorter.
    let bytes: [UInt8]
    /// The number of bytes of the text.
    let count: Int

    /// From a cache file.
    init(path: String, digest: UInt64, bytes: [UInt8], count: Int) {
        (self.path, self.digest, self.bytes, self.count) = (path, digest, bytes, count)
    }

    /// - Parameter digest: that of the complete file; `nil` if this is it.
    init(_ file: YAMLFile, digest: UInt64? = nil, isCompressed: Bool) {
        let bytes = isCompressed ? SingleFrame.compress(file.bytes) ?? file.bytes : file.bytes
        self.init(path: file.path, digest: digest ?? file.digest, bytes: bytes, count: file.bytes.count)
    }

    /// - Parameter frames: one for many texts saves most of the time.
    func file(_ frames: SingleFrame.Reader = SingleFrame.Reader()) throws(SourceError) -> YAMLFile {
        if bytes.count == count { return YAMLFile(path: path, bytes: bytes) }
        guard let text = frames.decompress(bytes, count: count) else {
            throw SourceError(file: path, message: "no memory is left for its text")
        }
        return YAMLFile(path: path, bytes: text)
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
