/// The first word of ``Decision/Source/authentication``, and so of a stored provenance: `pass: genuine by dmarc`.
public enum AuthenticationWord: String, Hashable, Sendable, CaseIterable {
    /// The domain in the From field is authenticated.
    case pass
    /// A named forwarder vouches for that domain: `vouched for by forwarder lists.example (ARC)`.
    case vouched
    /// The mailbox's own server refuses forged mail.
    case trusted
    /// Nothing is proven: an offline file, or a signature that can no longer be checked.
    case unverified
    /// An SMS, whose sender the phone states.
    case phone
    /// The signing key was not looked up in time.
    case undecided
    case fail
    /// The provider gave no trustworthy result.
    case missing

    /// The word of a phrase; `nil` if it begins with none. Older phrases have a blank after the word: `pass (dmarc)`.
    public init?(of phrase: String) {
        self.init(rawValue: String(phrase.prefix { $0.isASCII && $0.isLetter }))
    }

    /// True if the mail is proven to come from the domain, or a forwarder or its server is trusted to accept no other.
    public var isProven: Bool { self == .pass || self == .vouched || self == .trusted }

    /// The word for programs, then the reason for people.
    public func phrase(_ reason: String) -> String { "\(rawValue): \(reason)" }
}
