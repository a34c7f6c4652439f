import IMAP
public import Ledger
public import Store
import Synchronization

/// The category rules that all mailboxes use: some thousand keywords, read when the first mail asks for them.
public final class RulesInForce: Sendable {
    private let store: Store
    private let read: Mutex<(rules: CategoryRules, until: Deadline)?>

    /// A keyword that a person adds counts for new mail after this at the latest; reading all of them for every mail would cost more than the mail.
    private static let lifetime = Duration.seconds(30)

    public init(store: Store) {
        self.store = store
        read = Mutex(nil)
    }

    public func current() throws(StoreError) -> CategoryRules {
        try read.withLock { read throws(StoreError) in
            if let read, !read.until.isPast { return read.rules }
            let rules = try store.categories.rules()
            read = (rules, .after(Self.lifetime))
            return rules
        }
    }
}
