import CGMime

/// uuencode, the transfer encoding of mail before MIME (POSIX `uuencode`, historical algorithm), decoded by GMime.
enum UUEncode {
    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        // GMime interprets a CR as the length of a line. CR is not in the alphabet of uuencode.
        var encoded = bytes.extracting(range).withUnsafeBufferPointer { bytes in
            bytes.compactMap { $0 == ASCII.cr ? nil : CChar(bitPattern: $0) }
        }
        guard !encoded.isEmpty else { return [] }
        GMime.start()
        guard let filter = g_mime_filter_basic_new(GMIME_CONTENT_ENCODING_UUENCODE, 0) else { return [] }
        defer { g_object_unref(filter) }
        // The filter owns its output.
        var output: UnsafeMutablePointer<CChar>?
        var count = 0
        var reserved = 0
        encoded.withUnsafeMutableBufferPointer {
            g_mime_filter_filter(filter, $0.baseAddress, $0.count, 0, &output, &count, &reserved)
        }
        guard let output, count > 0 else { return [] }
        return output.withMemoryRebound(to: UInt8.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }
}
