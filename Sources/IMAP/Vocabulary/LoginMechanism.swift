/// Method to send a password to the server. The connection is always protected by TLS.
public enum LoginMechanism: String, Hashable, Sendable, CaseIterable {
    /// SASL PLAIN or LOGIN if the server offers one of them; otherwise a challenge-response mechanism, or the LOGIN
    /// command if the server offers no SASL mechanism.
    ///
    /// A server that keeps hashed passwords may offer CRAM-MD5 or DIGEST-MD5 although it cannot check them; PLAIN works
    /// with every hash.
    case automatic = "auto"
    /// SASL PLAIN (RFC 4616).
    case plain
    /// SASL LOGIN; the LOGIN command (RFC 9051 section 6.2.3) if the server offers no SASL mechanism.
    case login
    /// RFC 2195.
    case cramMD5 = "cram-md5"
    /// RFC 2831.
    case digestMD5 = "digest-md5"
}
