internal import Codecs
internal import Crypto

/// The digest by which a file is known again.
public enum FileDigest {
    /// Lower-case hexadecimal digits of the SHA-256.
    public static func hexadecimal(_ bytes: [UInt8]) -> String { Hexadecimal.text(Array(SHA256.hash(data: bytes))) }
}
