public import CurlTransport
public import IMAP
public import Settings

/// Where a mailbox's login comes from: a password, or a token that is fetched and renewed.
public protocol LoginSource: Sendable {
    /// What the next login is tried with, read or fetched anew. Blocks, no longer than a minute or two; `wake.stop()` should end it.
    ///
    /// - Throws: ``IMAPError``, whose retry class then counts, or ``SecretError``, which a person must mend.
    func credential(wake: Wake) throws -> Credential

    /// Cheap to ask: has another value where ``credential(wake:)`` may now give something else than before, such as a changed file.
    /// While a login is refused it is asked for every few seconds, and a change ends the waiting.
    var stamp: [Int64] { get }

    /// The server refused the last credential: whatever is kept of it is to be dropped.
    func refused()
}

extension LoginSource {
    public var stamp: [Int64] { [] }
    public func refused() {}
}

/// A password, read for every login.
public struct PasswordLogin: LoginSource {
    let user: String
    let secret: SecretSource

    public init(user: String, secret: SecretSource) {
        self.user = user
        self.secret = secret
    }

    public func credential(wake: Wake) throws -> Credential {
        Credential(user: user, secret: .password(try secret.read()))
    }

    public var stamp: [Int64] { secret.stamp }
}
