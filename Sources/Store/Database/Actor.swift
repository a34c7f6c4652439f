/// The author of a change.
public struct Actor: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// parserctl, run by a user who may open the database.
        case terminal
        /// A user logged in to the web page.
        case page
        /// A program with a token.
        case client
        /// A rule that a person applied to many rows. Rows changed by it may be decided again.
        case rule
    }

    public var kind: Kind
    /// The name of the user or of the token; may be empty.
    public var name: String
    /// The user who acts, also by a token; `nil` for the terminal and without a login.
    public var user: Int64?

    public init(_ kind: Kind, _ name: String = "", user: Int64? = nil) {
        self.kind = kind
        self.name = name
        self.user = user
    }

    public static let terminal = Actor(.terminal)
}

/// An edit of an optional value.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value)
    case clear

    public var isKeep: Bool { self == .keep }

    /// The value to be set, if any.
    public var new: Value? { if case .set(let value) = self { value } else { nil } }

    func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .set(let value): value
        case .clear: nil
        }
    }
}
