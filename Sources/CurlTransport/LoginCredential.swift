public import IMAP

/// A user, the secret, and the login mechanism. Descriptions and mirrors hide the secret.
public struct Credential: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    public enum Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Raw bytes of the password.
        case password([UInt8])
        /// An OAuth 2 access token (XOAUTH2, OAUTHBEARER).
        case bearer(String)

        public var description: String { "<secret>" }
        public var debugDescription: String { description }
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    public var user: String
    public var secret: Secret
    /// Mechanism of a password login; an access token has its own.
    public var mechanism: LoginMechanism

    public init(user: String, secret: Secret, mechanism: LoginMechanism = .automatic) {
        self.user = user
        self.secret = secret
        self.mechanism = mechanism
    }

    public init(user: String, password: String) { self.init(user: user, secret: .password(Array(password.utf8))) }

    public var description: String { "\(user) <secret>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
