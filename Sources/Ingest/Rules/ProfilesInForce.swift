public import Ledger
public import Profiles
import Synchronization

/// The profile set of all mailboxes: one immutable value, replaced as a whole on reload.
///
/// It combines the profile files with the accounts and trusted senders in the database. Each may change without the
/// other.
public final class ProfilesInForce: Sendable {
    private struct State {
        var files: ProfileSet
        var accounts: [AccountProfile] = []
        var trusted: [TrustedSender] = []
        var current: ProfileSet
    }
    private let state: Mutex<State>

    public init(_ profiles: ProfileSet) { state = Mutex(State(files: profiles, current: profiles)) }

    public var current: ProfileSet { state.withLock { $0.current } }

    public func replace(with profiles: ProfileSet) {
        state.withLock {
            $0.files = profiles
            $0.current = profiles.adding(trusted: $0.trusted).adding(accounts: $0.accounts).profiles
        }
    }

    /// Replaces the accounts and the trusted senders.
    ///
    /// - Returns: the accounts that do not compile and were left out, each with its problem.
    @discardableResult
    public func replace(
        accounts: [AccountProfile], trusted: [TrustedSender] = []
    ) -> [(account: AccountProfile, problem: FieldProblem)] {
        state.withLock {
            let (profiles, problems) = $0.files.adding(trusted: trusted).adding(accounts: accounts)
            $0.accounts = accounts
            $0.trusted = trusted
            $0.current = profiles
            return problems
        }
    }
}
