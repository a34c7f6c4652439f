/// The client of a request.
public struct Identity: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// An unknown client.
        case nobody
        /// Whoever is at this machine, where no login is asked for.
        case local
        /// Logged in with the passphrase.
        case person
        /// A program with a token.
        case token
        /// A paired device.
        case device
    }

    public var kind: Kind
    /// For the journal of changes and the audit log: the token's name, or a word.
    public var name: String
    public var scopes: Scopes
    /// Of the token or of the session: its public part.
    public var id: String?
    /// What a form must send back as `csrf`, or a script in the header `X-CSRF-Token`; empty where nothing is asked
    /// for.
    public var formToken: String

    public init(kind: Kind, name: String, scopes: Scopes, id: String? = nil, formToken: String = "") {
        self.kind = kind
        self.name = name
        self.scopes = scopes
        self.id = id
        self.formToken = formToken
    }

    public static let nobody = Identity(kind: .nobody, name: "", scopes: .none)
    public static let local = Identity(kind: .local, name: "local", scopes: .all)
}
