import Codecs
import Randomness

/// The user handle of the passkeys of a ledger: random, because authenticators may show it (Web Authentication Level 2,
/// section 14.6.1).
public enum PasskeyUserHandle {
    private static let length = 16

    /// A new one, in base64url.
    public static func random() -> String { Base64.urlSafe.encode(RandomBytes.make(length)) }
}
