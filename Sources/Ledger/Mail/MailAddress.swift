/// Sender address of a bank's alerts as typed by a person or a client: without a name or quotation marks.
public enum MailAddress {
    /// Domain of one address, in lower case; `nil` if the text is not a local part of RFC 5322's `atext` and dots, `@`,
    /// and two to eight labels of letters, digits and hyphens.
    public static func domain(of text: String) -> String? {
        // Some letters of other scripts have an ASCII letter as their lower case.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.lowercased().utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].count),
            parts[0].allSatisfy({ (0x21...0x7E).contains($0) && !"\"(),:;<>[\\]".utf8.contains($0) })
        else { return nil }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (2...8).contains(labels.count),
            labels.allSatisfy({ label in
                (1...63).contains(label.count)
                    && label.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
                    }
            })
        else { return nil }
        return String(Substring(parts[1]))
    }
}
