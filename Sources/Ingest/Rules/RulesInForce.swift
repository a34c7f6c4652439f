import Chronology
import IMAP
public import Ledger
public import Store
import Synchronization

/// Rules from people's choices: categories, and the forms of mail that may be booked.
public struct BookingRules: Sendable {
    public var categories: CategoryRules
    public var forms: LearnedForms

    public init(categories: CategoryRules, forms: LearnedForms = .none) {
        (self.categories, self.forms) = (categories, forms)
    }

    public static let none = BookingRules(categories: .empty)

    /// The decision, booked if its form is learned, with its category and payee.
    public func applied(to decision: Decision) -> Decision {
        decision.booked(by: forms).categorized(by: categories)
    }
}

extension Store {
    /// The rules at present.
    public func bookingRules() throws(StoreError) -> BookingRules {
        BookingRules(categories: try categories.rules(), forms: try review.learnedForms())
    }
}

/// A cache of the rules for all mailboxes: some thousand keywords, loaded with the first message.
public final class RulesInForce: Sendable {
    private let store: Store
    private let read: Mutex<(rules: BookingRules, until: Deadline)?>

    /// Maximum delay until a new keyword applies. Loading all keywords for every message would cost more than reading
    /// the message.
    private static let lifetime = Duration.seconds(30)

    public init(store: Store) {
        self.store = store
        read = Mutex(nil)
    }

    public func current() throws(StoreError) -> BookingRules {
        try read.withLock { read throws(StoreError) in
            if let read, !read.until.isPast { return read.rules }
            let rules = try store.bookingRules()
            read = (rules, .after(Self.lifetime))
            return rules
        }
    }

    /// True if there are rules that the next message will not use.
    var haveExpired: Bool { read.withLock { $0?.until.isPast == true } }

    /// Drops the rules, some megabytes, until the next message.
    func release() { read.withLock { $0 = nil } }
}
