import Codecs
import Crypto
import Randomness

/// Proof that the program that redeems a code is the one that requested it (PKCE, RFC 7636, method S256).
public struct ProofKey: Sendable {
    /// 32 random octets in base64url: 43 characters (RFC 7636 section 4.1).
    public let verifier: Token
    /// Value for the authorization endpoint: SHA-256 of the verifier in base64url (section 4.2).
    public var challenge: String { Self.challenge(for: verifier) }

    public init() { verifier = Self.random() }

    init(verifier: Token) { self.verifier = verifier }

    /// `nil` for anything but 43 to 128 unreserved characters (section 4.1).
    init?(given verifier: Token) {
        let isUnreserved = verifier.value.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte)
        }
        guard isUnreserved, (43...128).contains(verifier.value.utf8.count) else { return nil }
        self.verifier = verifier
    }

    public static func challenge(for verifier: Token) -> String {
        Base64.urlSafe.encode(Array(SHA256.hash(data: Array(verifier.value.utf8))))
    }

    /// 256 random bits.
    static func random() -> Token {
        // Base64url is visible ASCII, so the initialiser never fails here.
        Token(Base64.urlSafe.encode(RandomBytes.make(32))) ?? random()
    }
}
