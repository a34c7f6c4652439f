public import Chronology

/// Checks the DKIM signatures and the ARC sets of a message.
public protocol SignatureChecker: Sendable {
    /// Returns within a few seconds, whatever the resolver does.
    ///
    /// - Parameters:
    ///   - pinned: keys that need no lookup.
    ///   - receivedAt: time at which the mailbox's server received the message; `nil` if unknown.
    func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding

    /// Verifies the ARC sets by which a named forwarder vouches for the sender. Returns within a few seconds.
    ///
    /// - Parameters:
    ///   - forwarders: domains in lower case.
    ///   - receivedAt: as above.
    func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding
}

/// A signing key that a profile contains.
public struct PinnedKey: Hashable, Sendable {
    /// In lower case.
    public let domain: String
    /// In lower case.
    public let selector: String
    /// The key record of RFC 6376 section 3.6.1.
    public let record: String
    /// The day on which the record was published in DNS.
    public let seen: CalendarDate

    public init(domain: String, selector: String, record: String, seen: CalendarDate) {
        (self.domain, self.selector) = (Domain.normalized(domain), selector.lowercased())
        (self.record, self.seen) = (record, seen)
    }
}

/// The program's own check of the signatures whose domain is aligned with From.
public enum SignatureFinding: Hashable, Sendable {
    /// One of them is valid and covers the text.
    case pass
    case fail(reason: SignatureReason)
    /// None can be checked any more: the key is gone.
    case unverifiable(reason: SignatureReason)
    /// There is none.
    case unsigned
    /// A key was not looked up in time.
    case undecided
    case notChecked

    /// The verdict on the From domain.
    ///
    /// - Parameter provider: the verdict by the provider's fields, if they count.
    func verdict(beside provider: AuthenticationVerdict?) -> AuthenticationVerdict {
        switch (provider, self) {
        case (.fail?, .pass), (.pass?, .fail), (.pass(method: .dkim)?, .unsigned): .disagreement
        case (.fail(let reason)?, _): .fail(reason: reason)
        case (_, .pass): .pass(method: .signature)
        case (_, .fail(let reason)): .refuted(reason: reason)
        // The provider may have accepted the message by SPF, which cannot be checked afterwards.
        case (.pass?, .unsigned): .unconfirmed(reason: .unsigned)
        case (_, .unsigned): .missing(reason: .unsigned)
        case (_, .unverifiable(let reason)): .unconfirmed(reason: reason)
        case (_, .undecided): .undecided
        case (_, .notChecked): .missing(reason: .notChecked)
        }
    }
}

/// The outcome of one DKIM-Signature field, as a sentence for people.
public enum SignatureReason: String, Hashable, Sendable, CaseIterable {
    /// A result of RFC 8601 section 2.7.1, and `no-key`, which there is a `permerror`.
    public enum DKIMResult: String, Hashable, Sendable {
        case pass, fail, permerror, temperror
        case noKey = "no-key"
    }

    case valid = "the signature is valid"
    case bodyAltered = "the body was altered after it was signed"
    case headerAltered = "the signature does not match the header"
    case partialBody = "the signature covers only the beginning of the body (l=)"
    case fieldsUncovered = "the signature does not cover every field that is read"
    case expired = "the signature had expired when the mail arrived"
    case fromTheFuture = "the signature is later than the mail's arrival"
    case weakAlgorithm = "the algorithm rsa-sha1 is refused"
    case weakKey = "the key has fewer than 1024 bits"
    case keyMissing = "the signing key is not published"
    case keyRevoked = "the signing key is revoked"
    case keyForTests = "the signing key is marked as a test (t=y)"
    case keyUnusable = "the key record cannot be used"
    case keyUnavailable = "the signing key was not looked up in time"
    case malformed = "the signature field is malformed"
    case headerDamaged = "the header is damaged"
    case bareCarriageReturn = "the mail has a carriage return that ends no line"
    case limit = "the mail exceeds a limit"
    case notExamined = "the domain is not that of From"
    case libraryFailed = "the library could not check the signature"
    case unsigned = "the mail has no DKIM signature of the From domain"

    public var dkimResult: DKIMResult {
        switch self {
        case .valid: .pass
        case .bodyAltered, .headerAltered, .partialBody, .fieldsUncovered, .expired, .fromTheFuture: .fail
        case .keyMissing, .keyRevoked, .keyForTests: .noKey
        case .keyUnavailable, .libraryFailed: .temperror
        case .weakAlgorithm, .weakKey, .keyUnusable, .malformed, .headerDamaged, .bareCarriageReturn, .limit,
            .notExamined, .unsigned:
            .permerror
        }
    }
}
