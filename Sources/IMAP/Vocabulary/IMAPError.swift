/// An error of an IMAP session: its extent, its retry class, and the remedy.
///
/// Contains no secret and no text of a message. ``serverText`` is the server's human-readable text, cut and cleaned.
public struct IMAPError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// ``Wake/stop()`` was called.
        case stopped
        /// The server closed the connection.
        case closed
        case timedOut
        /// A response violates the grammar or contradicts another.
        case malformed
        /// One of ``WireLimits`` was exceeded.
        case limit
        /// A tagged NO.
        case refused
        /// A tagged BAD.
        case rejected
        /// `* BYE`.
        case bye
        /// A name or word that cannot be sent, or a session that is over.
        case invalidRequest
        case unresolvedHost
        case unreachable
        case certificate
        case tls
        case startTLSMissing
        /// Wrong user name or password, or an expired token.
        case loginDenied
        /// A temporary NO to the login; the password may be right.
        case loginUnavailable
        /// The server offers no supported login mechanism.
        case noLoginMethod
        /// Any other error of the transport.
        case transport
    }

    /// The extent of the error; everything outside it may continue.
    public enum Scope: Hashable, Sendable {
        case message(UID)
        case folder
        case mailbox
    }

    public enum Retry: Hashable, Sendable {
        /// At once with a new connection; with a pause if it happens again.
        case now
        /// With growing pauses.
        case later
        /// After a person has changed a setting, a password or the server.
        case afterReconfiguration
        /// Never: the program is ending.
        case stopped
    }

    public let kind: Kind
    public let scope: Scope
    public let retry: Retry
    /// The event and its place, in one clause.
    public let what: String
    /// The remedy, in one clause; may be empty.
    public let remedy: String
    /// The server's response code, e.g. `UNAVAILABLE` (RFC 5530), upper case.
    public let code: String?
    /// The server's text, at most ``WireLimits/serverText`` bytes of printable ASCII.
    public let serverText: String?

    /// The server's response code and text.
    public struct Reply: Hashable, Sendable {
        public let code: String?
        public let text: String?

        public init(code: String? = nil, text: String? = nil) { (self.code, self.text) = (code, text) }

        /// Cleaned.
        init(_ status: Status) {
            self.init(code: status.code.map { ServerText.clean($0.name) }, text: ServerText.clean(status.text))
        }
    }

    public init(
        _ kind: Kind, scope: Scope = .mailbox, retry: Retry, what: String, remedy: String = "", reply: Reply = Reply()
    ) {
        self.kind = kind
        self.scope = scope
        self.retry = retry
        self.what = what
        self.remedy = remedy
        (code, serverText) = (reply.code, reply.text)
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
