/// Cleans the server's text for an error or a log: printable ASCII, one line, at most ``WireLimits/serverText`` bytes.
public enum ServerText {
    public static func clean(_ text: some StringProtocol) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            if out.utf8.count == WireLimits.serverText {
                out += "..."
                break
            }
            out.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
        }
        return out
    }
}

extension Status {
    /// The error of a NO or BAD. `doing` completes "the server refused …".
    func error(refusing doing: String, peer: String, scope: IMAPError.Scope) -> IMAPError {
        let name = code?.name
        // Exchange accepts the login of any user, and then answers every command so if the password was wrong or
        // another user consented.
        if outcome == .bad, text.lowercased().contains("authenticated but not connected") {
            return IMAPError(
                .loginUnavailable, retry: .later, what: "\(peer) opens no mailbox to this login",
                remedy:
                    "check user and password or consent; Exchange also sends this for too many connections",
                reply: IMAPError.Reply(text: ServerText.clean(text)))
        }
        let retry: IMAPError.Retry
        let remedy: String
        switch name {
        case "NONEXISTENT", "TRYCREATE":
            (retry, remedy) = (.afterReconfiguration, "check the folder's name in the configuration")
        case "NOPERM", "AUTHORIZATIONFAILED", "PRIVACYREQUIRED", "EXPIRED", "AUTHENTICATIONFAILED":
            (retry, remedy) = (.afterReconfiguration, "check the account's rights on the server")
        case nil where scope == .folder && Self.namesMissingFolder(text):
            (retry, remedy) = (.afterReconfiguration, "check the folder's name in the configuration")
        default:
            (retry, remedy) = (
                .later, outcome == .bad ? "the server's log may have details" : "it is retried automatically"
            )
        }
        return IMAPError(
            outcome == .bad ? .rejected : .refused, scope: scope, retry: retry, what: "\(peer) refused \(doing)",
            remedy: remedy,
            reply: IMAPError.Reply(self))
    }

    /// Dovecot and older servers send no code for a missing folder.
    private static func namesMissingFolder(_ text: String) -> Bool {
        let words = text.lowercased()
        return ["doesn't exist", "does not exist", "no such", "unknown mailbox", "not found"].contains {
            words.contains($0)
        }
    }

    /// True for codes about the server or the account, not about one message (RFC 5530, and those of large providers).
    var concernsEverything: Bool {
        switch code?.name {
        case "UNAVAILABLE", "INUSE", "LIMIT", "THROTTLED", "OVERQUOTA", "CONTACTADMIN", "NOPERM",
            "AUTHENTICATIONFAILED",
            "AUTHORIZATIONFAILED", "EXPIRED", "PRIVACYREQUIRED", "CLOSED", "NONEXISTENT":
            true
        default: false
        }
    }
}
