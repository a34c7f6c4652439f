/// Why the mail could not be had: what it spoils, when trying again makes sense, and what a person can do.
///
/// Holds no secret and no mail text; ``serverText`` is what the server said to a person, cut and cleaned.
public struct IMAPError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// ``Wake/stop()`` was called.
        case stopped
        /// The connection ended in the middle.
        case closed
        case timedOut
        /// The server said something that is not IMAP, or that contradicts itself.
        case malformed
        /// One of ``WireLimits`` was hit.
        case limit
        /// A tagged NO.
        case refused
        /// A tagged BAD.
        case rejected
        /// `* BYE`.
        case bye
        /// A name or word that cannot be sent, or a session used after it failed.
        case invalidRequest
        case unresolvedHost
        case unreachable
        case certificate
        case tls
        case startTLSMissing
        /// Wrong user name or password, or a token that is no longer good.
        case loginDenied
        /// The server answered the login with a NO for now; the password may be right.
        case loginUnavailable
        /// The server offers no way of logging in that we know.
        case noLoginMethod
        /// Whatever else the transport can say.
        case transport
    }

    /// What is spoilt: everything beyond it may go on.
    public enum Scope: Hashable, Sendable {
        case message(UID)
        case folder
        case mailbox
    }

    public enum Retry: Hashable, Sendable {
        /// With a new connection, at once; wait when it happens again.
        case now
        /// With growing pauses.
        case later
        /// Not before a person changed a setting, a password or something on the server.
        case afterReconfiguration
        /// Not at all: the program is ending.
        case stopped
    }

    public let kind: Kind
    public let scope: Scope
    public let retry: Retry
    /// What happened and where, one clause.
    public let what: String
    /// What to do about it, one clause; empty where nothing is to be done.
    public let remedy: String
    /// The server's response code, e.g. `UNAVAILABLE` (RFC 5530), upper case.
    public let code: String?
    /// The server's own words, at most ``WireLimits/serverText`` bytes of printable ASCII.
    public let serverText: String?

    public init(
        _ kind: Kind, scope: Scope = .mailbox, retry: Retry, what: String, remedy: String = "", code: String? = nil,
        serverText: String? = nil
    ) {
        self.kind = kind
        self.scope = scope
        self.retry = retry
        self.what = what
        self.remedy = remedy
        self.code = code
        self.serverText = serverText
    }

    public var description: String {
        var text = what
        if code != nil || serverText != nil {
            text += " ("
            if let code { text += "[\(code)]" }
            if let serverText, !serverText.isEmpty { text += code == nil ? serverText : " " + serverText }
            text += ")"
        }
        return remedy.isEmpty ? text : text + "; " + remedy
    }
}
