import InternetMessage
import Ledger
public import Logging
import Profiles
public import Settings
public import Store

/// Services that all mailboxes of a process share.
public struct MailboxContext: Sendable {
    public let store: Store
    public let profiles: ProfilesInForce
    public let rules: RulesInForce
    public let states: MailboxStates
    public let logger: Logger
    public let decisions: DecisionSettings
    /// Seconds for which a row of ``MailboxHealth`` stays as it is if nothing but times changes.
    public var freshSeconds = Self.usualFreshSeconds
    public var progress: @Sendable (PassProgress) -> Void = { _ in }

    /// ``freshSeconds`` of `spendwised`. The slack of ``HealthReporter`` includes them.
    static let usualFreshSeconds: Int64 = 60

    public init(
        store: Store, profiles: ProfilesInForce, states: MailboxStates, logger: Logger, decisions: DecisionSettings
    ) {
        (self.store, self.profiles, self.states, self.logger) = (store, profiles, states, logger)
        self.decisions = decisions
        rules = RulesInForce(store: store)
    }

    /// Without rules: a pass reads them before its first message.
    func intake(_ authentication: MailboxSettings.Authentication) -> Intake {
        Intake(
            profiles: profiles.current, rules: .none, authentication: AuthenticationPolicy(authentication),
            decisions: decisions)
    }

    /// True if mails were read, the last one at least half a minute ago.
    public var hasFreeMemory: Bool { rules.haveExpired }

    /// Releases what only mails need: cached pages, prepared statements and rules. Blocks while the ledger is written.
    public func releaseMemory() {
        store.releaseMemory()
        rules.release()
    }

    func logger(of mailbox: String) -> Logger {
        var logger = logger
        logger[metadataKey: "mailbox"] = "\(mailbox)"
        return logger
    }
}
