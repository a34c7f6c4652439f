/// A mailbox of RFC 5322 section 3.4: `display name <local-part@domain>`.
public struct EmailAddress: Hashable, Sendable {
    /// The decoded display name. The sender chooses it, so it proves nothing.
    public let displayName: String?
    /// The part before the last `@`, unquoted, as written.
    public let localPart: String
    /// The domain in lower case.
    public let domain: String
    /// `local-part@domain` in lower case, for comparison. Local parts are case-sensitive by RFC 5321
    /// section 2.4, but not in practice.
    public let addrSpec: String

    public init(displayName: String? = nil, localPart: String, domain: String) {
        self.displayName = displayName
        self.localPart = localPart
        self.domain = domain.lowercasedLetters
        addrSpec = localPart.lowercasedLetters + "@" + self.domain
    }
}

extension String {
    /// The text in lower case, but no letter of another alphabet becomes one of ASCII: Unicode would turn the Kelvin
    /// sign into `k`, and a domain into another.
    var lowercasedLetters: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return unicodeScalars.reduce(into: "") { text, scalar in
            let lower = scalar.properties.lowercaseMapping
            if scalar.isASCII || lower.utf8.allSatisfy({ $0 >= 0x80 }) {
                text += lower
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
