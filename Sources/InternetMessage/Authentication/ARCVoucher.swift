public import Chronology

/// The word of a forwarder that the user names: an ARC set in which the forwarder found the From domain confirmed. It
/// counts after the seals are verified (RFC 8617).
public struct ARCVoucher {
    /// The domain of the seal that is relied on.
    public let forwarder: String
    package let chain: ARCChain
    /// Position of the set that is relied on in ``ARCChain/sets``. This set and all after it are by named forwarders.
    package let position: Int

    /// Seals of named forwarders that are considered, the newest ones. Each costs the lookup of a key whose name the
    /// message chooses. A list that forwards to another one, whose subscriber forwards to a provider that seals, makes
    /// four.
    static let sealLimit = 8
}

extension Message {
    /// The voucher of a named forwarder, not verified yet.
    ///
    /// The newest set must be by a named forwarder. Its results may be bad: it received what the forwarder before it
    /// had changed. So the sets are read from the newest to older ones, as long as they are by named forwarders, up to
    /// the first whose results confirm the From domain by the rules for a trusted server.
    ///
    /// Sets of others below it are not verified: the seal that is relied on states by `cv=pass` that its maker verified
    /// them, and nothing is read from them. Their keys would be names that the sender chooses.
    ///
    /// - Parameter forwarders: domains in lower case, compared with `d=` as a whole.
    /// - Returns: `nil` if the message has no ARC field.
    public func voucher(by forwarders: [String]) throws(ARCRefusal) -> ARCVoucher? {
        let chain: ARCChain?
        do throws(ARCChainFault) { chain = try ARCChain(of: self) } catch { throw .chain(error) }
        guard let chain else { return nil }
        guard from.count == 1, let domain = from.first?.domain else { throw .senderUnconfirmed }
        func isNamed(_ set: ARCSet) -> Bool {
            forwarders.contains(set.seal.domain) && forwarders.contains(set.signature.domain)
        }
        guard let newest = chain.sets.last, isNamed(newest) else { throw .unnamed }
        for position in chain.sets.indices.suffix(ARCVoucher.sealLimit).reversed() {
            let set = chain.sets[position]
            guard isNamed(set) else { break }
            let results = AuthenticationResults(parsing: bytes, set.results.value).results
            if case .pass = Self.verdict(on: domain, by: results) {
                return ARCVoucher(forwarder: set.seal.domain, chain: chain, position: position)
            }
        }
        throw .senderUnconfirmed
    }
}

extension Message {
    /// The domains that sealed the message (`d=` of its ARC-Seals), the first one first. Not verified: a sender
    /// can write such fields. Empty without ARC sets, or if they are damaged.
    public var sealers: [String] { ((try? ARCChain(of: self))?.sets ?? []).map(\.seal.domain) }
}

/// The reason why no forwarder's word counts.
public enum ARCRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case chain(ARCChainFault)
    case unnamed
    case senderUnconfirmed
    /// The newest ARC-Message-Signature.
    case signature(SignatureReason)
    /// One of the seals.
    case seal(SignatureReason)

    public var description: String {
        switch self {
        case .chain(let fault): fault.rawValue
        case .unnamed: "the newest ARC set is not by a named forwarder"
        case .senderUnconfirmed: "no named forwarder found the sender confirmed"
        case .signature(let reason): "ARC-Message-Signature: \(reason.rawValue)"
        case .seal(let reason): "ARC-Seal: \(reason.rawValue)"
        }
    }
}

/// The result of verifying the ARC sets of a message.
public enum ARCFinding: Hashable, Sendable {
    /// The message has no ARC field.
    case unsealed
    /// A named forwarder found the From domain confirmed, and its seal and those after it are valid.
    case vouched(forwarder: String)
    case refused(ARCRefusal)
    /// A key was not looked up in time.
    case undecided
    case notChecked
}

extension ARCFinding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsealed: "the mail has no ARC set"
        case .vouched(let forwarder): "\(AuthenticationVerdict.vouched(forwarder: forwarder))"
        case .refused(let reason): "\(reason)"
        case .undecided: "\(AuthenticationVerdict.undecided)"
        case .notChecked: "the ARC sets are not checked here"
        }
    }
}

extension SignatureChecker {
    /// For checkers of DKIM signatures only.
    public func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
        .notChecked
    }
}
