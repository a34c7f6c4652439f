extension Session where Stream: ~Copyable {
    /// Whether ``compress()`` can do something: the server offers it, and neither side has begun.
    public var canCompress: Bool {
        stream.canCompress && !compressionRefused && capabilities.contains("COMPRESS=DEFLATE")
    }

    /// Compresses both directions from here on (COMPRESS=DEFLATE, RFC 4978). No command may be under way.
    ///
    /// - Returns: whether they are compressed now; a server that refuses goes on as before.
    @discardableResult
    public mutating func compress() throws(IMAPError) -> Bool {
        guard canCompress else { return false }
        guard try perform("COMPRESS DEFLATE").outcome == .ok else {
            compressionRefused = true
            return false
        }
        do throws(IMAPError) {
            let early = reader.takeUnread()
            try early.withUnsafeBufferPointer { (bytes) throws(IMAPError) in
                try stream.startCompression(received: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw fail(error)
        }
        return true
    }
}
