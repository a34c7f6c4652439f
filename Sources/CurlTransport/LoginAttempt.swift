import IMAP

/// One way to log in, in the words of CURLOPT_LOGIN_OPTIONS.
///
/// Left to itself, libcurl takes the strongest mechanism that the server offers, and does not try another if that is
/// refused.
enum LoginAttempt: String {
    case plain = "AUTH=PLAIN"
    case cleartextSASL = "AUTH=PLAIN;AUTH=LOGIN"
    /// The LOGIN command.
    case command = "AUTH=+LOGIN"
    case cramMD5 = "AUTH=CRAM-MD5"
    case digestMD5 = "AUTH=DIGEST-MD5"
    case challenge = "AUTH=SCRAM-SHA-256;AUTH=SCRAM-SHA-1;AUTH=DIGEST-MD5;AUTH=CRAM-MD5"
    case token = "AUTH=OAUTHBEARER;AUTH=XOAUTH2"

    /// The attempts for a credential, in order; see ``goesOn(after:)``.
    static func all(for credential: Credential) -> [LoginAttempt] {
        guard case .password = credential.secret else { return [.token] }
        return switch credential.mechanism {
        case .automatic: [.cleartextSASL, .command, .challenge]
        case .plain: [.plain]
        case .login: [.command]
        case .cramMD5: [.cramMD5]
        case .digestMD5: [.digestMD5]
        }
    }

    /// The next attempt may succeed after this error.
    ///
    /// Each attempt that is refused counts as a wrong password at some servers. The LOGIN command is refused by servers
    /// that offer it but accept challenge-response mechanisms only.
    func goesOn(after error: IMAPError) -> Bool {
        error.kind == .noLoginMethod || (self == .command && error.kind == .loginDenied)
    }
}
