extension Message {
    /// The message with its ``text`` as a plain body, in a fraction of the bytes. Addresses, date, subject,
    /// authentication results, text and digest are the same. Signatures over the body are removed.
    ///
    /// `nil` if the two would differ: for a message without text, or with defects or uncertain text that would
    /// disappear.
    public var reduced: [UInt8]? {
        guard text.uncertain.isEmpty else { return nil }
        let text = text.bytes
        guard !text.isEmpty, defects.isEmpty else { return nil }
        var bytes = fieldsWithoutBody
        bytes.reserveCapacity(bytes.count + Self.plainHeader.utf8CodeUnitCount + text.count + 1)
        bytes += UnsafeBufferPointer(start: Self.plainHeader.utf8Start, count: Self.plainHeader.utf8CodeUnitCount)
        bytes += text
        bytes.append(ASCII.lf)
        return bytes
    }

    /// The header fields that neither describe nor sign the body, without the empty line.
    public var fieldsWithoutBody: [UInt8] {
        var bytes: [UInt8] = []
        headerBytes.withUnsafeBufferPointer { Self.copyFields($0, to: &bytes) }
        return bytes
    }

    /// Canonical text read as text/plain gives the same canonical text.
    private static let plainHeader: StaticString =
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"

    /// Copies the fields, each with its continuation lines, up to the empty line.
    private static func copyFields(_ header: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var isOmitted = false
        while start < header.count {
            let end = header[start...].firstIndex(of: ASCII.lf).map { $0 + 1 } ?? header.count
            let line = UnsafeBufferPointer(rebasing: header[start..<end])
            if line.first == ASCII.lf || (line.first == ASCII.cr && line.count == 2) { return }
            if let first = line.first, first != ASCII.space, first != ASCII.tab { isOmitted = omits(line) }
            if !isOmitted {
                bytes += line
                if line.last != ASCII.lf { bytes += [ASCII.cr, ASCII.lf] }
            }
            start = end
        }
    }

    /// Returns true for fields that describe the body (RFC 2045 section 3) or sign it (RFC 6376, RFC 8617).
    private static func omits(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let names: [StaticString] = [
            "content-", "mime-version", "dkim-signature", "domainkey-signature", "x-google-dkim-signature", "arc-seal",
            "arc-message-signature",
        ]
        return names.contains { name in
            guard line.count >= name.utf8CodeUnitCount else { return false }
            for index in 0..<name.utf8CodeUnitCount where line[index].lowercased != name.utf8Start[index] {
                return false
            }
            return true
        }
    }
}
