/// A mailbox of RFC 5322 section 3.4: `display name <local-part@domain>`.
public struct EmailAddress: Hashable, Sendable {
    /// The name that a mail program shows, decoded; chosen by the sender and no evidence of anything.
    public let displayName: String?
    /// The part before the last `@`, unquoted, as written.
    public let localPart: String
    /// The domain, ASCII letters in lower case.
    public let domain: String
    /// `local-part@domain` in lower case, for comparing. Mail hosts tell local parts of another case apart in
    /// theory (RFC 5321 section 2.4) and never in practice.
    public let addrSpec: String

    public init(displayName: String? = nil, localPart: String, domain: String) {
        self.displayName = displayName
        self.localPart = localPart
        self.domain = domain.lowercased()
        addrSpec = localPart.lowercased() + "@" + self.domain
    }
}
