/// The evidence that is accepted for the domain in the From field.
public enum AuthenticationPolicy: Hashable, Sendable {
    /// The Authentication-Results fields (RFC 8601) of the mailbox's own provider, which have this authserv-id:
    /// `mx.google.com`. `*.icloud.com` matches every name below `icloud.com`, for providers whose hosts each write
    /// their own. Microsoft writes none; pin `outlook.com` there.
    ///
    /// `forwarders` are the domains whose ARC seals count if the fields do not confirm the sender (RFC 8617), in lower
    /// case.
    case pinned(authservID: String, forwarders: [String] = [])
    /// The program's own check of the DKIM signatures (RFC 6376), and, if a name is given, the provider's fields beside
    /// it: both must agree. `forwarders` as above.
    case verified(authservID: String?, forwarders: [String] = [])
    /// The mailbox's own server rejects forged mail before delivery.
    case trustDelivery
    /// An offline file of unknown origin. Never blocks `parserctl test`.
    case unverified
    /// A phone passes SMS on with the user's token. Nobody authenticates the sender of an SMS, so its header is a
    /// claim: a person decides, unless `books` is set.
    case phone(books: Bool)
    /// No authserv-id is configured: no bank's message is accepted, because an unauthenticated one must not be booked.
    case noTrustedServer

    /// The domains whose ARC seals count.
    public var forwarders: [String] {
        switch self {
        case .pinned(_, let forwarders), .verified(_, let forwarders): forwarders
        case .trustDelivery, .unverified, .phone, .noTrustedServer: []
        }
    }
}

/// The result of authenticating the domain in the From field.
public enum AuthenticationVerdict: Hashable, Sendable {
    /// The method that authenticated the From domain.
    public enum Method: String, Hashable, Sendable {
        case dmarc
        /// A DKIM signature of a domain aligned with From.
        case dkim
        /// A DKIM signature of an aligned domain, verified by the program itself.
        case signature = "its signature, verified here"
    }

    /// The provider checked, and the message is not from the From domain.
    public enum Failure: String, Hashable, Sendable {
        case dmarcFailed = "the provider found dmarc=fail"
        case dmarcOtherDomain = "dmarc=pass is for another domain than the one in From"
        case dkimOtherDomain = "dkim=pass is for another domain than the one in From"
        case dkimFailed = "the signature is not valid (dkim is not pass)"
        case notOneMailbox = "From does not name exactly one mailbox"
    }

    /// The provider gave no trustworthy result.
    public enum Absence: String, Hashable, Sendable {
        case noField = "no Authentication-Results field of the pinned authserv-id"
        case onlyBelowForeignHop =
            "the only Authentication-Results field of that authserv-id is below a foreign server's Received field, where a sender can write it"
        case noTrustedServer = "no authserv-id is configured for this source"
        case noResult = "the provider gave neither a dmarc nor a dkim result"
        case unsigned = "no DKIM signature of the From domain"
        case notChecked = "the signature is not checked here"
    }

    case pass(method: Method)
    /// A forwarder that the user names found the From domain confirmed, and its ARC seal is valid.
    case vouched(forwarder: String)
    case trustedDelivery
    case unverified
    /// An SMS with the sender that the phone states.
    case claimed(books: Bool)
    case fail(reason: Failure)
    case missing(reason: Absence)
    /// The program's own check found that a signature of the From domain is not valid.
    case refuted(reason: SignatureReason)
    /// The provider's result and the program's own differ.
    case disagreement
    /// The signature can no longer be checked, so nothing is proven: a person decides.
    case unconfirmed(reason: SignatureReason)
    /// The signing key was not looked up in time: decided later.
    case undecided

    /// True if the message may be read under its policy. An unconfirmed one is never booked.
    public var isAccepted: Bool {
        switch self {
        case .pass, .vouched, .trustedDelivery, .unverified, .unconfirmed, .claimed: true
        case .fail, .missing, .refuted, .disagreement, .undecided: false
        }
    }

    /// True if the From domain is authenticated, by the word of a named forwarder too, or the mailbox's own server
    /// refuses forged mail.
    public var isProven: Bool {
        switch self {
        case .pass, .vouched, .trustedDelivery: true
        case .unverified, .fail, .missing, .refuted, .disagreement, .unconfirmed, .undecided, .claimed: false
        }
    }

    /// True if a draft may be booked without a person, as far as its sender is concerned.
    public var mayBook: Bool {
        switch self {
        case .claimed(let books): books
        case .unconfirmed: false
        default: isAccepted
        }
    }

    /// True if the word of a named forwarder may take its place. It may not if another result decides, if From is not
    /// one mailbox, or if the provider and the own check contradict each other, which no forwarder explains.
    var admitsVoucher: Bool {
        switch self {
        case .fail(reason: .notOneMailbox), .missing(reason: .noTrustedServer), .missing(reason: .notChecked): false
        case .fail, .missing, .refuted, .unconfirmed: true
        case .pass, .vouched, .trustedDelivery, .unverified, .claimed, .disagreement, .undecided: false
        }
    }
}

extension ARCFinding {
    /// - Parameter verdict: the verdict without the ARC sets.
    func verdict(or verdict: AuthenticationVerdict) -> AuthenticationVerdict {
        switch self {
        case .vouched(let forwarder): .vouched(forwarder: forwarder)
        case .undecided: .undecided
        case .unsealed, .refused, .notChecked: verdict
        }
    }
}

extension AuthenticationVerdict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pass(let method): "genuine by \(method.rawValue)"
        case .vouched(let forwarder): Self.vouchedBy + forwarder + Self.byARC
        case .trustedDelivery: "trusted, as the mailbox is configured"
        case .unverified: "not verified (offline file)"
        case .claimed: "not verified: an SMS has the sender that the phone states"
        case .fail(let reason): "forged or altered: \(reason.rawValue)"
        case .missing(let reason): "not verified: \(reason.rawValue)"
        case .refuted(let reason): "forged or altered: \(reason.rawValue)"
        case .disagreement: "the provider's result and the check of the signature here disagree"
        case .unconfirmed(let reason): "not verified: \(reason.rawValue)"
        case .undecided: "not decided yet: \(SignatureReason.keyUnavailable.rawValue)"
        }
    }

    private static let vouchedBy = "vouched for by forwarder "
    private static let byARC = " (ARC)"

    /// The forwarder in the description of a ``vouched(forwarder:)``; `nil` for any other text.
    public static func forwarder(inDescription text: String) -> String? {
        guard text.hasPrefix(vouchedBy), text.hasSuffix(byARC), text.count > vouchedBy.count + byARC.count else {
            return nil
        }
        return String(text.dropFirst(vouchedBy.count).dropLast(byARC.count))
    }
}
