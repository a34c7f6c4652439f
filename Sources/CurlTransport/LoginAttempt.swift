import IMAP

/// One login method, as a value of CURLOPT_LOGIN_OPTIONS.
///
/// By default libcurl uses the strongest mechanism that the server offers, and tries no other if that one is refused.
enum LoginAttempt: String {
    case plain = "AUTH=PLAIN"
    case login = "AUTH=LOGIN"
    case cleartextSASL = "AUTH=PLAIN;AUTH=LOGIN"
    case cramMD5 = "AUTH=CRAM-MD5"
    case digestMD5 = "AUTH=DIGEST-MD5"
    /// libcurl's own choice: a challenge-response mechanism, or the LOGIN command if the server offers no SASL
    /// mechanism that libcurl knows. libcurl 7.88 has no option that demands the LOGIN command.
    case any = "AUTH=*"
    case token = "AUTH=OAUTHBEARER;AUTH=XOAUTH2"

    /// The attempts for a credential, in order; see ``goesOn(after:)``.
    static func all(for credential: Credential) -> [LoginAttempt] {
        guard case .password = credential.secret else { return [.token] }
        return switch credential.mechanism {
        case .automatic: [.cleartextSASL, .any]
        case .plain: [.plain]
        case .login: [.login, .any]
        case .cramMD5: [.cramMD5]
        case .digestMD5: [.digestMD5]
        }
    }

    /// The next attempt may succeed after this error. A refused password is not tried again: some servers count it as
    /// one more wrong password.
    func goesOn(after error: IMAPError) -> Bool { error.kind == .noLoginMethod }
}
