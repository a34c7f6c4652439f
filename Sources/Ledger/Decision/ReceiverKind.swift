/// A kind of receiver of notifications that a person can add on the page. The raw value is used in the configuration
/// and in the database.
public enum ReceiverKind: String, Hashable, Sendable, CaseIterable {
    case ntfy, webhook, email
}
