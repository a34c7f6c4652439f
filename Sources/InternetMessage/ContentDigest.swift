import Chronology
import Crypto

extension Message {
    /// Each item ends with NUL, which no item contains, so different items never produce the same input.
    package func digest() -> [UInt8] {
        var hash = SHA256()
        for mailbox in from { hash.update(item: mailbox.addrSpec) }
        hash.update(item: date.map { String($0.instant.seconds) } ?? "")
        hash.update(item: subject)
        hash.update(item: text.bytes)
        if text.bytes.isEmpty { hash.update(item: bodyBytes.filter { $0 != ASCII.cr }) }
        return Array(hash.finalize())
    }
}

extension Message {
    /// The identity of a message: the first 64 bits of SHA-256 over its Message-ID and its ``contentDigest``. A sender
    /// chooses the Message-ID alone, but cannot choose this value.
    public static func identity(messageID: String?, contentDigest: [UInt8]) -> UInt64 {
        var hash = SHA256()
        hash.update(item: messageID ?? "")
        hash.update(item: contentDigest)
        return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension SHA256 {
    fileprivate mutating func update(item bytes: [UInt8]) {
        bytes.withUnsafeBytes { update(bufferPointer: $0) }
        end()
    }

    fileprivate mutating func update(item text: String) {
        var text = text
        text.withUTF8 { update(bufferPointer: UnsafeRawBufferPointer($0)) }
        end()
    }

    private mutating func end() { withUnsafeBytes(of: 0 as UInt8) { update(bufferPointer: $0) } }
}
