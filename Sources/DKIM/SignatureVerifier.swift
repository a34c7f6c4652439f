public import Chronology
import Glibc
public import InternetMessage

/// The result of one DKIM-Signature field.
public struct SignatureResult: Hashable, Sendable {
    /// `d=`, in lower case; empty if it is missing.
    public let domain: String
    /// `s=`, in lower case; empty if it is missing.
    public let selector: String
    /// True if the domain is aligned with From (RFC 7489 section 3.1).
    public let isAligned: Bool
    public let reason: SignatureReason

    public var dkimResult: SignatureReason.DKIMResult { reason.dkimResult }
}

/// Verifies the DKIM signatures of messages (RFC 6376), and the ARC sets of named forwarders (RFC 8617).
public struct SignatureVerifier: SignatureChecker {
    /// Signatures that are examined; the library verifies each of them over the whole message.
    static let signatureLimit = 8
    /// Fields of a header: ten times the longest relay chain. The library searches all of them for each signed name.
    static let fieldLimit = 1000
    /// Seconds by which the clocks of signer and receiver may differ.
    static let clockSkew: Int64 = 300
    /// Age from which a key that is not published proves nothing: signers keep a key published while its mails are
    /// under way, and remove it afterwards.
    static let keyLifetime: Int64 = 7 * 86_400

    /// Reasons that concern the whole message.
    private static let wholeMail: Set<SignatureReason> = [.headerDamaged, .bareCarriageReturn, .libraryFailed]

    let keys: any KeySource

    public init(keys: any KeySource) { self.keys = keys }

    /// Keys from the system's resolver, with one cache for the process.
    public static let system = SignatureVerifier(keys: DNSKeySource())

    public func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding {
        if message.limitHit != nil { return .unverifiable(reason: .limit) }
        return finding(results(of: message, pinned: pinned, receivedAt: receivedAt), receivedAt: receivedAt)
    }

    /// The finding by the results of a message.
    public func finding(_ results: [SignatureResult], receivedAt: UnixTime?) -> SignatureFinding {
        let reasons =
            results
            .filter { $0.isAligned || Self.wholeMail.contains($0.reason) }.map(\.reason)
        if reasons.contains(.valid) { return .pass }
        if reasons.contains(where: { $0.dkimResult == .temperror }) { return .undecided }
        if let fault = reasons.first(where: { $0.dkimResult != .noKey }) { return .fail(reason: fault) }
        guard let gap = reasons.first else { return .unsigned }
        if gap != .keyForTests, let receivedAt, UnixTime.now - receivedAt < Self.keyLifetime {
            return .fail(reason: gap)
        }
        return .unverifiable(reason: gap)
    }

    /// Returns the results of the message's DKIM-Signature fields, in order.
    ///
    /// - Parameter extent: the signatures whose keys are looked up.
    public func results(
        of message: Message, pinned: [PinnedKey] = [], receivedAt: UnixTime?, extent: Extent = .aligned
    ) -> [SignatureResult] {
        let header = SignedHeader(message)
        guard header.signatureCount > 0 else { return [] }
        let domain = message.from.count == 1 ? message.from.first?.domain : nil
        func single(_ reason: SignatureReason) -> [SignatureResult] {
            [SignatureResult(domain: "", selector: "", isAligned: false, reason: reason)]
        }
        if let damage = header.damage { return single(damage) }
        guard let handle = VerifyingHandle() else { return single(.libraryFailed) }
        guard header.feed(handle, signatures: Self.signatureLimit), let signatures = handle.endOfHeader() else {
            return single(.headerDamaged)
        }
        var examined = signatures.map { signature in
            let isAligned = domain.map { Domain.areAligned(signature.domain, $0) } ?? false
            var result = Examined(signature: signature, isAligned: isAligned)
            result.reason = refusal(of: signature, header, receivedAt)
            if result.reason == nil, !isAligned, extent == .aligned { result.reason = .notExamined }
            return result
        }
        lookUp(&examined, handle, pinned)
        for item in examined where item.reason != nil { item.signature.ignore() }
        let hasWork = examined.contains { $0.reason == nil }
        if hasWork { header.withBody { handle.finish($0) } }
        return examined.map { item in
            SignatureResult(
                domain: item.signature.domain, selector: item.signature.selector, isAligned: item.isAligned,
                reason: item.reason ?? outcome(of: item.signature, header))
        }
    }

    public enum Extent: Sendable { case aligned, all }

    private struct Examined {
        let signature: VerifyingHandle.Signature
        let isAligned: Bool
        var reason: SignatureReason?
    }

    /// The reason to refuse a signature without looking up its key; `nil` if there is none.
    private func refusal(
        of signature: VerifyingHandle.Signature, _ header: SignedHeader, _ receivedAt: UnixTime?
    ) -> SignatureReason? {
        if signature.isRSASHA1 { return .weakAlgorithm }
        if let error = signature.syntaxError { return SignatureReason(error) }
        let arrival = UInt64(clamping: (receivedAt ?? .now).seconds)
        let skew = UInt64(Self.clockSkew)
        if let expiry = signature.expiresAt, expiry < arrival.subtractingReportingOverflow(skew).partialValue {
            return .expired
        }
        if let time = signature.signedAt, time > arrival + skew { return .fromTheFuture }
        return header.covers(signature.signedFields) ? nil : .fieldsUncovered
    }

    /// Sets the keys of the signatures that have no reason yet.
    private func lookUp(_ examined: inout [Examined], _ handle: borrowing VerifyingHandle, _ pinned: [PinnedKey]) {
        var wanted: [(index: Int, name: KeyName)] = []
        for (index, item) in examined.enumerated() where item.reason == nil {
            let (domain, selector) = (item.signature.domain, item.signature.selector)
            if let key = pinned.first(where: { $0.domain == domain && $0.selector == selector }) {
                handle.setKey(Array(key.record.utf8), of: item.signature)
            } else if let name = KeyName(selector: selector, domain: domain) {
                wanted.append((index, name))
            } else {
                examined[index].reason = .malformed
            }
        }
        if wanted.isEmpty { return }
        for (item, answer) in zip(wanted, keys.answers(for: wanted.map(\.name))) {
            switch answer {
            case .record(let record) where record.count <= VerifyingHandle.recordBytes && !record.contains(0):
                handle.setKey(record, of: examined[item.index].signature)
            case .record, .unusable: examined[item.index].reason = .keyUnusable
            case .missing: examined[item.index].reason = .keyMissing
            case .unavailable: examined[item.index].reason = .keyUnavailable
            }
        }
    }

    private func outcome(of signature: VerifyingHandle.Signature, _ header: SignedHeader) -> SignatureReason {
        if let error = signature.error { return SignatureReason(error) }
        if signature.hasTestKey { return .keyForTests }
        if let length = signature.bodyLength, header.withBody({ signature.canonicalBody.count($0) }) != length {
            return .partialBody
        }
        return .valid
    }
}

extension SignatureReason {
    init(_ error: SignatureError) {
        self =
            switch error {
            case .field: .malformed
            case .expired: .expired
            case .future: .fromTheFuture
            case .bodyMismatch: .bodyAltered
            case .mismatch: .headerAltered
            case .keyMissing: .keyMissing
            case .keyRevoked: .keyRevoked
            case .keyTooSmall: .weakKey
            case .keyRecord: .keyUnusable
            case .unknown: .libraryFailed
            }
    }
}
