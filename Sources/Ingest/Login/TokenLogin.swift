import Chronology
public import CurlTransport
public import DurableFiles
import Glibc
public import IMAP
public import Logging
import OAuth
public import Settings
import Synchronization

/// A login by OAuth. The access token is kept in memory and renewed before it expires.
public final class TokenLogin: LoginSource {
    private struct Held {
        var access: Token
        /// The ``SystemClock/bootTime`` in seconds at which it is renewed.
        var renewAt: Int64
        /// The stamp of the refresh token's file at that time.
        var stamp: [FileStamp?]
    }

    private struct State {
        var held: Held?
        /// A refresh token that could not be written to its file.
        var unwritten: (stamp: [FileStamp?], token: Token)?
    }

    private let user: String
    private let oauth: OAuthSettings
    private let logger: Logger
    private let state = Mutex(State())

    /// Seconds: a login takes up to a minute, and clocks differ.
    static let margin: Int64 = 300

    /// The seconds for which a token of this lifetime is used.
    static func use(of lifetime: Int64) -> Int64 { max(lifetime / 2, lifetime - margin) }

    public init(user: String, oauth: OAuthSettings, logger: Logger) {
        self.user = user
        self.oauth = oauth
        self.logger = logger
    }

    public func credential(wake: Wake) throws -> Credential {
        Credential(user: user, secret: .bearer(try accessToken(wake: wake).value))
    }

    public var stamp: [FileStamp?] { oauth.refreshToken.stamp + [oauth.clientSecret?.stamp] }

    public func refused() { state.withLock { $0.held = nil } }

    private func accessToken(wake: Wake) throws -> Token {
        let stamp = oauth.refreshToken.stamp
        let kept: Token? = state.withLock { state in
            guard let held = state.held, held.stamp == stamp, SystemClock.bootTime.seconds < held.renewAt else {
                return nil
            }
            return held.access
        }
        return try kept ?? renew(wake)
    }

    private func renew(_ wake: Wake) throws -> Token {
        let stamp = oauth.refreshToken.stamp
        let refresh =
            try state.withLock { $0.unwritten.flatMap { $0.stamp == stamp ? $0.token : nil } }
            ?? oauth.refreshToken.read()
        let answer: TokenAnswer
        do {
            answer = try oauth.answer(
                to: TokenRequest(refreshing: refresh, server: oauth.server, client: oauth.client()), wake: wake)
        } catch let error as OAuthError {
            if wake.isStopped {
                throw IMAPError(.stopped, retry: .stopped, what: "the renewal of the token was stopped")
            }
            throw IMAPError(error)
        }
        if let next = answer.refreshToken { keep(next, inPlaceOf: refresh) }
        let lifetime = Int64(answer.lifetime)
        state.withLock {
            $0.held = Held(
                access: answer.accessToken, renewAt: SystemClock.bootTime.seconds + Self.use(of: lifetime),
                stamp: oauth.refreshToken.stamp)
        }
        logger.info("token renewed", metadata: ["seconds": "\(lifetime)"])
        return answer.accessToken
    }

    /// Writes a new refresh token before it is used: the server may no longer accept the old one.
    private func keep(_ next: Token, inPlaceOf old: Token) {
        do {
            if next != old || state.withLock({ $0.unwritten != nil }) { try oauth.refreshToken.renew(next) }
            state.withLock { $0.unwritten = nil }
        } catch {
            state.withLock { $0.unwritten = (oauth.refreshToken.stamp, next) }
            logger.error(
                "the new refresh token is not written and would be lost with this process",
                metadata: ["reason": "\(error)"])
        }
    }
}

extension MailboxSettings {
    /// The login of this mailbox.
    public func loginSource(logger: Logger) -> any LoginSource {
        switch login {
        case .password(let secret): return PasswordLogin(user: user, secret: secret, mechanism: mechanism)
        case .oauth(let oauth):
            var logger = logger
            logger[metadataKey: "mailbox"] = "\(name)"
            return TokenLogin(user: user, oauth: oauth, logger: logger)
        }
    }
}

extension IMAPError {
    /// The error of a login without a token.
    init(_ error: OAuthError) {
        self.init(
            error.isTransient ? .transport : .loginDenied, retry: error.isTransient ? .later : .afterReconfiguration,
            what: error.what, remedy: error.remedy)
    }
}
