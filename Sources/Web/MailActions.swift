public import Ledger
public import Store

/// Decides mails again. The program that has the configuration provides it.
public struct MailActions: Sendable {
    /// Decides a quarantined mail as if it were authenticated. Returns `nil` if its outcome stays.
    var release: @Sendable (_ id: String, _ actor: Actor, _ group: String) throws -> Outcome?
    /// Decides a mail again by the current profiles. Returns `nil` if its outcome stays.
    var decideAgain: @Sendable (_ id: String) throws -> Outcome?

    public init(
        release: @escaping @Sendable (_ id: String, _ actor: Actor, _ group: String) throws -> Outcome?,
        decideAgain: @escaping @Sendable (_ id: String) throws -> Outcome?
    ) {
        self.release = release
        self.decideAgain = decideAgain
    }
}

/// The result of a decision about one mail.
enum MailDecision: Sendable {
    case missing
    /// This program cannot decide mails.
    case unavailable
    case unchanged
    /// Its bytes are not retained; the daemon fetches it again.
    case fetchedAgain
    case decided(Outcome)
}

extension WebServices {
    /// - Returns: the result, and the group of the journal for an undo.
    func decideMail(
        _ id: String, by actor: Actor,
        _ decide: @escaping @Sendable (MailActions, String, Actor, _ group: String) throws -> Outcome?
    ) async throws -> (MailDecision, String) {
        let group = LedgerChange.newGroup()
        let decision = try await ledger { [mailActions] store -> MailDecision in
            guard let mail = try store.mails.find(id) else { return .missing }
            guard let mailActions else { return .unavailable }
            let marked = mail.outcome == .failed ? try store.mailboxes.retryNow([id]) : 0
            if let outcome = try decide(mailActions, id, actor, group) { return .decided(outcome) }
            return marked > 0 ? .fetchedAgain : .unchanged
        }
        return (decision, group)
    }
}
