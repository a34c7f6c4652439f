/// A household as the database describes it.
public struct Household: Hashable, Sendable {
    public let name: String
    /// YAML, see ``HouseholdSettings``.
    public let settings: String
    /// Counts the changes of the settings and of the sealed passwords.
    public let revision: Int64
    /// The sealed passwords by the names of their mailboxes.
    public var passwords: [String: SealedPassword] = [:]

    /// The sealed secrets of receivers of notifications by their names.
    public var receiverSecrets: [String: SealedPassword] = [:]

    /// The sealed passwords of statements by their names.
    public var statementPasswords: [String: SealedPassword] = [:]

    public init(name: String, settings: String, revision: Int64 = 0) {
        (self.name, self.settings, self.revision) = (name, settings, revision)
    }
}
