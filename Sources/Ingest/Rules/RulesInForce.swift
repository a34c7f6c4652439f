import Chronology
import IMAP
public import Ledger
public import Store
import Synchronization

/// The category rules of all mailboxes: some thousand keywords, loaded with the first message.
public final class RulesInForce: Sendable {
    private let store: Store
    private let read: Mutex<(rules: CategoryRules, until: Deadline)?>

    /// The delay after which a new keyword applies. Loading all of them for every message would cost more than the
    /// message.
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
