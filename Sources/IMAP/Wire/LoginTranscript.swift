/// The server's responses while the transport logs in: the reason of a refusal, and the capabilities after the login.
///
/// Accepts whole lines in order, of the form `tag OK|NO|BAD …`, `* …` or `+ …`, with any tag.
public struct LoginTranscript: Sendable {
    private var untagged: Capabilities?
    private var refusal: Status?
    private var farewell: Status?
    /// The server answered a token with an error of RFC 7628 section 3.2.2. Its text is not kept: it may contain the
    /// token.
    private var hasRefusedToken = false
    /// The capabilities sent with the last tagged response, which is that to the login.
    public private(set) var capabilities: Capabilities?

    public init() {}

    public mutating func parse(line: UnsafeRawBufferPointer) {
        guard line.count <= WireLimits.responseBytes, let first = line.first else { return }
        guard first != 0x2B else {
            // Base64 of `{"`; no challenge of another mechanism is JSON.
            if line.dropFirst(2).starts(with: "eyJ".utf8) { hasRefusedToken = true }
            return
        }
        var bytes = Array(line)
        bytes.withUnsafeMutableBytes { parse(WireCursor($0), isTagged: first != 0x2A) }
    }

    private mutating func parse(_ cursor: consuming WireCursor, isTagged: Bool) {
        var cursor = cursor
        if isTagged {
            _ = cursor.readAtom()
            guard case .tagged(_, let status)? = try? cursor.tagged(0) else { return }
            if status.outcome == .ok {
                if case .capability(let list)? = status.code { untagged = list }
                capabilities = untagged
            } else {
                refusal = status
            }
            untagged = nil
            return
        }
        switch try? cursor.response() {
        case .bye(let status)?: farewell = status
        case .capability(let list)?: untagged = list
        default: break
        }
    }

    /// The error of a refused login: a wrong credential, or a temporary refusal, by the server's response.
    public func loginError(peer: String, user: String) -> IMAPError {
        let user = ServerText.clean(user)
        // A server that refuses may send BYE as well. libcurl disconnects after the error of XOAUTH2 without waiting
        // for the tagged NO.
        guard let status = refusal else {
            if hasRefusedToken { return Self.tokenRefused(peer, user, IMAPError.Reply()) }
            return farewellError(peer: peer)
                ?? IMAPError(
                    .noLoginMethod, retry: .afterReconfiguration,
                    what: "\(peer) offers no login that fits the configured secret of \(user)",
                    remedy: "use a password (PLAIN, LOGIN) or OAuth (XOAUTH2, OAUTHBEARER), whichever the server offers"
                )
        }
        let reply = IMAPError.Reply(status)
        if Self.isTemporary(status) {
            return IMAPError(
                .loginUnavailable, retry: .later, what: "\(peer) does not let \(user) in at the moment",
                remedy: "it is retried automatically", reply: reply)
        }
        if hasRefusedToken { return Self.tokenRefused(peer, user, reply) }
        return IMAPError(
            .loginDenied, retry: .afterReconfiguration, what: "\(peer) refused the login of \(user)",
            remedy: "check user and password; many providers want an app password or OAuth here", reply: reply)
    }

    private static func tokenRefused(
        _ peer: String, _ user: String, _ reply: IMAPError.Reply
    ) -> IMAPError {
        IMAPError(
            .loginDenied, retry: .afterReconfiguration, what: "\(peer) refused the access token for \(user)",
            remedy:
                "check that this user gave the consent, that its scope covers IMAP, and that IMAP is switched on for the mailbox",
            reply: reply)
    }

    /// The error of a BYE before or during the login.
    public func farewellError(peer: String) -> IMAPError? {
        farewell.map {
            IMAPError(
                .bye, retry: .later, what: "\(peer) ended the session before the login",
                remedy: "it is retried automatically",
                reply: IMAPError.Reply($0))
        }
    }

    /// Decides by the codes of RFC 5530, otherwise by the texts of common servers.
    private static func isTemporary(_ status: Status) -> Bool {
        switch status.code?.name {
        case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "PRIVACYREQUIRED", "NOPERM", "WEBALERT":
            return false
        case "UNAVAILABLE", "INUSE", "LIMIT", "THROTTLED", "OVERQUOTA", "SERVERBUG", "CONTACTADMIN": return true
        default: break
        }
        let words = status.text.lowercased()
        func contains(_ any: [String]) -> Bool { any.contains { words.contains($0) } }
        // A text about a wrong password, or about too many attempts, is a refusal of the credential.
        return contains([
            "temporar", "try again", "unavailable", "too many", "exceeded", "internal error", "server error", "throttl",
            "overloaded", "busy",
        ])
            && !contains([
                "password", "credential", "invalid", "incorrect", "authentication failed", "login fail", "failed login",
                "attempt", "locked",
            ])
    }
}
