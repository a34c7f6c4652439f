/// Distinguishes mails from other files by their first fields.
enum MailSigns {
    /// Fields of which every mail has one (RFC 5322, 3.6), and those that servers write above them.
    private static let names: Set<String> = [
        "from", "to", "date", "subject", "message-id", "received", "return-path", "delivered-to", "mime-version",
        "sender", "x-gm-thrid", "x-mozilla-status",
    ]

    /// Returns true if the header has one of the usual fields.
    static func areIn(_ header: UnsafeRawBufferPointer) -> Bool {
        header.split(separator: 0x0A, omittingEmptySubsequences: true).lazy.contains { line in
            guard let colon = line.prefix(32).firstIndex(of: 0x3A) else { return false }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            return names.contains(String(name.drop { $0 == "\u{FEFF}" }.prefix { $0 != " " && $0 != "\t" }))
        }
    }

    /// The reason why a file is not mail.
    static func objection(to bytes: UnsafeRawBufferPointer) -> String {
        // The signature of an OLE file.
        bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0])
            ? "is an Outlook file (.msg), which is not read: save the mail as .eml"
            : "is not mail: it has no header with From, Date or Subject"
    }
}
