/// How a password is sent to the server. The connection is always protected by TLS.
public enum LoginMechanism: String, Hashable, Sendable, CaseIterable {
    /// The first that the server offers of SASL PLAIN or LOGIN, the LOGIN command, and a challenge-response mechanism.
    ///
    /// A server that keeps hashed passwords may offer CRAM-MD5 or DIGEST-MD5 although it cannot check them; PLAIN works
    /// with every hash.
    case automatic = "auto"
    /// SASL PLAIN (RFC 4616).
    case plain
    /// The LOGIN command (RFC 9051 section 6.2.3).
    case login
    /// RFC 2195.
    case cramMD5 = "cram-md5"
    /// RFC 2831.
    case digestMD5 = "digest-md5"
}
