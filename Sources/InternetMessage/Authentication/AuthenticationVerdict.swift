/// Whom to believe that a mail comes from where its From field says.
public enum AuthenticationPolicy: Hashable, Sendable {
    /// The Authentication-Results fields (RFC 8601) that the mailbox's own provider wrote, which bear this
    /// authserv-id: `mx.google.com`. `*.icloud.com` stands for every name below `icloud.com`, for providers that
    /// write a different one on each of their hosts. Microsoft writes none; pin `outlook.com` there.
    case pinned(authservID: String)
    /// The mailbox's own server rejects forged mail before it delivers.
    case trustDelivery
    /// Offline files, of which nobody knows how they came.
    case unverified
    /// Nobody's word is known, and what is not confirmed must not be booked: no mail of a bank is accepted.
    case nobody
}

/// Whether a mail comes from the domain in its From field.
public enum AuthenticationVerdict: Hashable, Sendable {
    /// By what the domain in From was found to be genuine.
    public enum Method: String, Hashable, Sendable {
        case dmarc
        /// A DKIM signature of the domain itself or of one that belongs to the same organisation.
        case dkim
    }

    /// The provider looked, and the mail is not from there.
    public enum Failure: String, Hashable, Sendable {
        case dmarcFailed = "the provider found dmarc=fail"
        case dmarcOtherDomain = "dmarc=pass is for another domain than the one in From"
        case dkimOtherDomain = "dkim=pass is for another domain than the one in From"
        case dkimFailed = "the signature is not valid (dkim is not pass)"
        case notOneMailbox = "From does not name exactly one mailbox"
    }

    /// The provider said nothing that could be believed.
    public enum Absence: String, Hashable, Sendable {
        case noField = "no Authentication-Results field of the pinned authserv-id"
        case onlyBelowForeignHop =
            "the only Authentication-Results field of that name stands below a foreign server's Received field, where a sender can put it"
        case nobody = "nobody is named whose word on its sender counts"
        case noResult = "the provider gave neither a dmarc nor a dkim result"
    }

    case pass(method: Method)
    case trustedDelivery
    case unverified
    case fail(reason: Failure)
    case missing(reason: Absence)

    /// Whether the mail may be booked under its policy.
    public var isAccepted: Bool {
        switch self {
        case .pass, .trustedDelivery, .unverified: true
        case .fail, .missing: false
        }
    }
}

extension AuthenticationVerdict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pass(let method): "genuine by \(method.rawValue)"
        case .trustedDelivery: "trusted, as the mailbox is configured"
        case .unverified: "not verified (offline file)"
        case .fail(let reason): "forged or altered: \(reason.rawValue)"
        case .missing(let reason): "not verified: \(reason.rawValue)"
        }
    }
}
