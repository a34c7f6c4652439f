extension Session where Stream: ~Copyable {
    /// True if the server offers compression and it has not begun.
    public var canCompress: Bool {
        stream.canCompress && !compressionRefused && capabilities.contains("COMPRESS=DEFLATE")
    }

    /// Compresses both directions from here on (COMPRESS=DEFLATE, RFC 4978). No command may be in flight.
    ///
    /// - Returns: false if the server refused; the session continues uncompressed.
    @discardableResult
    public mutating func compress() throws(IMAPError) -> Bool {
        guard canCompress else { return false }
        guard try perform("COMPRESS DEFLATE").outcome == .ok else {
            compressionRefused = true
            return false
        }
        do throws(IMAPError) {
            let early = reader.removeUnread()
            try early.withUnsafeBufferPointer { (bytes) throws(IMAPError) in
                try stream.startCompression(received: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw fail(error)
        }
        return true
    }
}
