/// A mailbox of RFC 5322 section 3.4: `display name <local-part@domain>`.
public struct EmailAddress: Hashable, Sendable {
    /// The decoded display name. The sender chooses it, so it proves nothing.
    public let displayName: String?
    /// The part before the last `@`, unquoted, as written.
    public let localPart: String
    /// The domain, ASCII letters in lower case.
    public let domain: String
    /// `local-part@domain` in lower case, for comparison. Local parts are case-sensitive by RFC 5321 section 2.4, but
    /// not in practice.
    public let addrSpec: String

    public init(displayName: String? = nil, localPart: String, domain: String) {
        self.displayName = displayName
        self.localPart = localPart
        self.domain = domain.lowercased()
        addrSpec = localPart.lowercased() + "@" + self.domain
    }
}
