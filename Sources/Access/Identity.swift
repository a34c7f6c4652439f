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
    /// The token's name, or a fixed word, for the journal and the audit log.
    public var name: String
    public var scopes: Scopes
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
