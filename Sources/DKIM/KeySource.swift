/// The name of a key record: `<selector>._domainkey.<domain>` (RFC 6376 section 3.6.2.1).
public struct KeyName: Hashable, Sendable {
    /// In lower case.
    public let selector: String
    /// In lower case.
    public let domain: String

    /// Length of a domain name as text (RFC 1035 section 2.3.4).
    private static let longest = 253

    /// `nil` if the two do not make a domain name of letters, digits, hyphens and underscores.
    public init?(selector: String, domain: String) {
        (self.selector, self.domain) = (selector.lowercased(), domain.lowercased())
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, !selector.isEmpty, !domain.isEmpty,
            labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(Self.isAllowed) })
        else { return nil }
    }

    public var text: String { selector + "._domainkey." + domain }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The answer to the lookup of a key.
public enum KeyAnswer: Hashable, Sendable {
    /// The key record, its strings joined.
    case record([UInt8])
    /// The name has no TXT record.
    case missing
    /// Several records, or one that is too long.
    case unusable
    /// No answer in time, or the server failed.
    case unavailable
}

/// A source of key records.
public protocol KeySource: Sendable {
    /// Returns an answer for each name, in order, within a few seconds.
    func answers(for names: [KeyName]) -> [KeyAnswer]
}
