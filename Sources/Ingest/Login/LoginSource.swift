public import CurlTransport
public import DurableFiles
public import IMAP
public import Settings

/// The source of a mailbox's credential: a password, or a token that is fetched and renewed.
public protocol LoginSource: Sendable {
    /// Reads or fetches the credential of the next login. Blocks for a minute or two at most; `wake.stop()` should end
    /// it.
    ///
    /// - Throws: ``IMAPError``, whose retry class applies, or ``SecretError``, which a person must resolve.
    func credential(wake: Wake) throws -> Credential

    /// A value that changes when ``credential(wake:)`` may return another credential, for example after a file changed.
    /// Cheap: while a login is refused it is polled every few seconds, and a change ends the wait.
    var stamp: [FileStamp?] { get }

    /// Drops the last credential: the server refused it.
    func refused()
}

extension LoginSource {
    public var stamp: [FileStamp?] { [] }
    public func refused() {}
}

/// A password that is read for every login.
public struct PasswordLogin: LoginSource {
    let user: String
    let secret: SecretSource
    let mechanism: LoginMechanism

    public init(user: String, secret: SecretSource, mechanism: LoginMechanism) {
        self.user = user
        self.secret = secret
        self.mechanism = mechanism
    }

    public func credential(wake: Wake) throws -> Credential {
        Credential(user: user, secret: .password(try secret.read()), mechanism: mechanism)
    }

    public var stamp: [FileStamp?] { [secret.stamp] }
}
