import Codecs
import Crypto

/// What a browser states about a ceremony (Web Authentication Level 2, section 5.8.1).
struct ClientData {
    enum Ceremony: String {
        case registration = "webauthn.create"
        case login = "webauthn.get"
    }

    let challenge: [UInt8]
    /// SHA-256 of the text, which the authenticator signs.
    let digest: [UInt8]

    /// - Throws: also if the answer is of another ceremony, or for a page of another site or inside one.
    init(_ text: [UInt8], _ ceremony: Ceremony, for party: RelyingParty) throws(PasskeyError) {
        guard let json = try? JSON(parsing: text), case .string(let type)? = json["type"],
            case .string(let challenge)? = json["challenge"], case .string(let origin)? = json["origin"],
            let challenge = Base64.urlSafe.decode(challenge.utf8)
        else { throw .malformed }
        guard type == ceremony.rawValue else { throw .otherCeremony }
        guard origin == party.origin else { throw .otherOrigin }
        if case .bool(true)? = json["crossOrigin"] { throw .otherOrigin }
        self.challenge = challenge
        digest = Array(SHA256.hash(data: text))
    }
}

extension AuthenticatorData {
    /// Checks what registrations and logins share. A passkey replaces the passphrase, so its holder must be verified.
    fileprivate func check(for party: RelyingParty) throws(PasskeyError) {
        guard rpIDHash == Array(SHA256.hash(data: Array(party.id.utf8))) else { throw .otherOrigin }
        guard isUserPresent, isUserVerified else { throw .notVerified }
    }
}

/// The answer to `navigator.credentials.create`, checked (Web Authentication Level 2, section 7.1).
///
/// No attestation is requested: which maker an authenticator has changes nothing here.
public struct PasskeyRegistration: Sendable {
    /// The credential ID in base64url.
    public let id: String
    public let key: PasskeyKey
    public let signCount: UInt32

    /// - Parameter accept: returns true if the challenge is valid, and marks it as used.
    public init(
        clientData: [UInt8], authenticatorData: [UInt8], for party: RelyingParty, accept: ([UInt8]) -> Bool
    ) throws(PasskeyError) {
        let client = try ClientData(clientData, .registration, for: party)
        let data = try AuthenticatorData(authenticatorData)
        try data.check(for: party)
        guard let attested = data.attested else { throw .malformed }
        guard accept(client.challenge) else { throw .unknownChallenge }
        id = Base64.urlSafe.encode(attested.id)
        key = attested.key
        signCount = data.signCount
    }
}

/// The answer to `navigator.credentials.get`, to be checked with the key of the passkey that it names.
public struct PasskeyAssertion: Sendable {
    /// The credential ID in base64url.
    public let id: String
    private let clientData: [UInt8]
    private let authenticatorData: [UInt8]
    private let signature: [UInt8]

    public init(id: String, clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8]) {
        self.id = id
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
    }

    /// Checks the answer (Web Authentication Level 2, section 7.2). The caller compares the counter with the stored
    /// one.
    ///
    /// - Parameter accept: returns true if the challenge is valid, and marks it as used. It is called last, so that
    ///   only answers with a right signature need a mark.
    /// - Returns: the signature counter.
    public func verify(
        with key: PasskeyKey, for party: RelyingParty, accept: ([UInt8]) -> Bool
    ) throws(PasskeyError) -> UInt32 {
        let client = try ClientData(clientData, .login, for: party)
        let data = try AuthenticatorData(authenticatorData)
        try data.check(for: party)
        guard key.isValid(signature: signature, of: authenticatorData + client.digest) else { throw .wrongSignature }
        guard accept(client.challenge) else { throw .unknownChallenge }
        return data.signCount
    }
}
