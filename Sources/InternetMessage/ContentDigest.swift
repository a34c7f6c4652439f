import CGMime

extension Message {
    /// Each item is followed by NUL, which none of them contains, so that no two mails give the same bytes.
    package func digest() -> [UInt8] {
        var checksum = SHA256()
        for mailbox in from { checksum.update(Array(mailbox.addrSpec.utf8)) }
        checksum.update(Array((date.map { String($0.secondsSince1970) } ?? "").utf8))
        checksum.update(Array(subject.utf8))
        checksum.update(text.bytes)
        if text.bytes.isEmpty { checksum.update(bodyBytes.filter { $0 != ASCII.cr }) }
        return checksum.finish()
    }
}

extension Message {
    /// 64 bits of SHA-256 over what makes two mails the same one: its Message-ID and its digest. No sender can choose it.
    public static func identity(messageID: String?, contentDigest: [UInt8]) -> UInt64 {
        var checksum = SHA256()
        checksum.update(Array((messageID ?? "").utf8))
        checksum.update(contentDigest)
        return checksum.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// GLib's SHA-256; owns the checksum.
private struct SHA256: ~Copyable {
    private let checksum: OpaquePointer

    init() {
        checksum = g_checksum_new(G_CHECKSUM_SHA256)
    }

    deinit { g_checksum_free(checksum) }

    mutating func update(_ bytes: [UInt8]) {
        // GLib takes at most Int32.max bytes, far above any limit of a mail.
        g_checksum_update(checksum, bytes, gssize(bytes.count))
        g_checksum_update(checksum, [0], 1)
    }

    mutating func finish() -> [UInt8] {
        var length: gsize = 32
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            g_checksum_get_digest(checksum, buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}
