extension Message {
    /// The mail with its ``text`` in place of its body: a message of its own that reads the same (addresses, date, subject, results of
    /// authentication, text and so the digest), in a fraction of the bytes. Signatures over the body are left out with it.
    ///
    /// `nil` where the two would not read the same: a mail without text, or with damage that would not be seen any more.
    public var reduced: [UInt8]? {
        let text = text.bytes
        guard !text.isEmpty, defects.isEmpty else { return nil }
        var bytes = fieldsWithoutBody
        bytes.reserveCapacity(bytes.count + Self.plainHeader.utf8CodeUnitCount + text.count + 1)
        bytes += UnsafeBufferPointer(start: Self.plainHeader.utf8Start, count: Self.plainHeader.utf8CodeUnitCount)
        bytes += text
        bytes.append(ASCII.lf)
        return bytes
    }

    /// The header fields that neither describe the body nor sign it, without the empty line: the header of a message with another body.
    public var fieldsWithoutBody: [UInt8] {
        var bytes: [UInt8] = []
        headerBytes.withUnsafeBufferPointer { Self.copyFields($0, to: &bytes) }
        return bytes
    }

    /// Canonical text is in canonical form already, and so is what is made of it as text/plain. Not flowed: its lines stand as they are.
    private static let plainHeader: StaticString =
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"

    /// Field by field, each with its folded lines, up to the empty line.
    private static func copyFields(_ header: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var isLeftOut = false
        while start < header.count {
            let end = header[start...].firstIndex(of: ASCII.lf).map { $0 + 1 } ?? header.count
            let line = UnsafeBufferPointer(rebasing: header[start..<end])
            if line.first == ASCII.lf || (line.first == ASCII.cr && line.count == 2) { return }
            if let first = line.first, first != ASCII.space, first != ASCII.tab { isLeftOut = leavesOut(line) }
            if !isLeftOut {
                bytes += line
                if line.last != ASCII.lf { bytes += [ASCII.cr, ASCII.lf] }
            }
            start = end
        }
    }

    /// What describes the body (RFC 2045 section 3) or signs it (RFC 6376, RFC 8617).
    private static func leavesOut(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
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
