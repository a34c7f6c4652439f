/// The client of a request.
public struct Identity: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// An unknown client.
        case unknown
        /// A client on the loopback when no login is required.
        case local
        /// Logged in with the passphrase.
        case person
        /// A program with a token.
        case token
        /// A paired device.
        case device
    }

    public var kind: Kind
    /// The name of the user or of the token, or a fixed word, for the journal and the audit log.
    public var name: String
    /// Of a token: those that the role of its user has, too.
    public var scopes: Scopes
    /// The user who logged in, or whom the token belongs to; `nil` if no login is required.
    public var user: Int64?
    /// The role of ``user``; `nil` without one.
    public var role: Role?
    /// Public part of the token or session.
    public var id: String?
    /// CSRF token that a form returns as `csrf` and a script in the header `X-CSRF-Token`; empty if no login is
    /// required.
    public var formToken: String

    public init(kind: Kind, name: String, scopes: Scopes, id: String? = nil, formToken: String = "") {
        self.kind = kind
        self.name = name
        self.scopes = scopes
        self.id = id
        self.formToken = formToken
    }

    public static let unknown = Identity(kind: .unknown, name: "", scopes: .none)
    public static let local = Identity(kind: .local, name: "local", scopes: .all)
}
