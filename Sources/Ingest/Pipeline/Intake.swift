public import Chronology
import DKIM
public import InternetMessage
import Ledger
public import Profiles
public import Settings
public import Store

/// Decides a message and makes its ledger entry. Shared by servers, files, commands and tests.
public struct Intake: Sendable {
    public var profiles: ProfileSet
    public var rules: BookingRules
    public var authentication: AuthenticationPolicy
    public var decisions: DecisionSettings
    /// Used under ``AuthenticationPolicy/verified(authservID:forwarders:)``, and for the ARC seals of forwarders.
    public var signatures: any SignatureChecker = SignatureVerifier.system

    public init(
        profiles: ProfileSet, rules: BookingRules, authentication: AuthenticationPolicy,
        decisions: DecisionSettings
    ) {
        self.profiles = profiles
        self.rules = rules
        self.authentication = authentication
        self.decisions = decisions
    }

    /// Bytes kept of a message that is too large: its header and, for a person, the beginning of its text.
    static let keptOfOversize = 64 << 10

    /// - Parameters:
    ///   - receivedAt: INTERNALDATE, seconds since 1970.
    ///   - truncatedFrom: the true size if `bytes` is only the beginning of the message: then nothing is booked.
    ///   - gmailMessageID: X-GM-MSGID.
    public func entry(
        for bytes: UnsafeRawBufferPointer, at place: MailLocation, receivedAt: UnixTime?,
        truncatedFrom size: UInt64? = nil,
        gmailMessageID: UInt64? = nil
    ) -> MailEntry {
        entry(for: Array(bytes), at: place, receivedAt: receivedAt, truncatedFrom: size, gmailMessageID: gmailMessageID)
    }

    /// The same, sharing the array's memory.
    public func entry(
        for bytes: [UInt8], at place: MailLocation, receivedAt: UnixTime?, truncatedFrom size: UInt64? = nil,
        gmailMessageID: UInt64? = nil
    ) -> MailEntry {
        let message = Message(parsing: bytes)
        let claim = profiles.claim(message)
        var decision = claim.decide(
            trusting: authentication, receivedAt: receivedAt, autoConfirmAt: decisions.autoConfirmAt,
            signatures: signatures)
        if let size, decision.profile != nil, decision.outcome != .quarantined {
            decision.disposition = .failed(.messageLimit(.messageBytes, bytes: size))
        }
        let isBank = decision.profile != nil
        return MailEntry(at: place, rules.applied(to: decision)) {
            $0.gmailMessageID = gmailMessageID
            $0.messageID = message.messageID
            $0.contentDigest = isBank ? message.contentDigest : nil
            $0.textDigest = decision.draft.flatMap {
                IdempotencyKey.needsText($0) ? claim.distinguishingText(of: $0) : nil
            }
            $0.fromAddress = message.from.first?.addrSpec
            $0.subject = isBank ? message.subject : nil
            $0.sentAt = message.date?.instant
            $0.receivedAt = receivedAt
            $0.files = size == nil && decisions.keepsRaw ? StatementAttachments.files(of: message, decision) : []
            $0.raw = isBank && decisions.keepsRaw ? kept(bytes, message, decision, isCut: size != nil) : nil
            $0.size = size
        }
    }

    private func kept(_ bytes: [UInt8], _ message: Message, _ decision: Decision, isCut: Bool) -> [UInt8]? {
        if isCut { return Array(bytes.prefix(Self.keptOfOversize)) }
        switch decisions.keepsSettled {
        case .nothing: return decision.isSettled ? nil : bytes
        case .text:
            return decision.outcome == .recorded || decision.outcome == .ignored ? message.reduced ?? bytes : bytes
        case .whole: return bytes
        }
    }

    /// The entry of a message that the server does not deliver.
    public func failedEntry(at place: MailLocation, reason: String) -> MailEntry {
        MailEntry(at: place, Decision(.failed(.notFetched(reason))))
    }
}

extension Decision {
    /// True if nothing is left to decide. Without a reference and a time it may be a possible duplicate,
    /// which a person compares.
    fileprivate var isSettled: Bool { outcome == .recorded && (draft?.reference != nil || draft?.time != nil) }
}
