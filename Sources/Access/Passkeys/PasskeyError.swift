/// Why the answer of an authenticator was refused. The words hold nothing of the answer.
public enum PasskeyError: String, Error, Sendable {
    case malformed = "the answer is malformed"
    case otherCeremony = "the answer is of another ceremony"
    case unknownChallenge = "the challenge is expired, used or of another purpose"
    case otherOrigin = "the answer is for another site"
    case notVerified = "the authenticator did not verify its user"
    case unsupportedKey = "the key is neither ES256 nor EdDSA"
    case unknownPasskey = "the passkey is unknown or was removed"
    case wrongSignature = "the signature is wrong"
    /// A counter that does not grow indicates a copied authenticator (section 6.1.1).
    case counter = "the signature counter did not grow"
}
