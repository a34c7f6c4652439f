import Codecs
import Crypto
import FoundationEssentials
import OAuth

@testable import Access

/// Reads the input as what proves somebody or is kept sealed: the data, the key, the signature and the client data of
/// an authenticator (WebAuthn), a sealed secret and the plain text in one, a token, a hash of a passphrase, the answer
/// of a token endpoint.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    readPasskey(bytes)
    readSealed(bytes, text)
    for kind in [Credential.Kind.token, .session] {
        if let credential = Credential(text, kind) { precondition(credential.text == text) }
    }
    if let hash = PassphraseHash(text) { precondition(PassphraseHash(hash.text) == hash) }
    if let code = PairingCode(text) { precondition(PairingCode(code.grouped)?.text == code.text) }
    readAnswer(bytes)
    return 0
}

fileprivate func readPasskey(_ bytes: [UInt8]) {
    if let data = try? AuthenticatorData(bytes) {
        precondition(data.rpIDHash.count == 32)
        if let attested = data.attested {
            precondition((1...1023).contains(attested.id.count))
            precondition(PasskeyKey(attested.key.bytes)?.bytes == attested.key.bytes)
        }
    }
    if let key = PasskeyKey(bytes) { precondition(!key.isValid(signature: bytes, of: bytes)) }
    // Nobody signed any of it.
    for key in keys { precondition(!key.isValid(signature: bytes, of: bytes)) }
    guard let party else { preconditionFailure("no site") }
    if let client = try? ClientData(bytes, .login, for: party) { precondition(client.digest.count == 32) }
    let registration = try? PasskeyRegistration(
        clientData: bytes, authenticatorData: bytes, for: party, accept: { _ in true })
    precondition(registration == nil)
}

fileprivate func readSealed(_ bytes: [UInt8], _ text: String) {
    guard let key = unsealing else { preconditionFailure("no key") }
    // Nobody sealed it.
    if let sealed = SealedSecret(text) { precondition(key.open(sealed, for: server) == nil) }
    if let other = SealingKey(text) { _ = other.seal([1], for: server) }
    _ = UnsealingKey(bytes)
    // Whoever has the public key can seal any plain text, of any length. Seldom, because it is slow; the first byte is
    // that of the length.
    guard bytes.first ?? 16 < 16 else { return }
    guard let sealed = seal(bytes, for: key) else { preconditionFailure("not sealed") }
    guard let secret = key.open(sealed, for: server) else { return }
    precondition(secret.count <= bytes.count - 2 && bytes.dropFirst(2).starts(with: secret))
}

/// Seals without the length and the padding.
fileprivate func seal(_ bytes: [UInt8], for key: UnsealingKey) -> SealedSecret? {
    guard let encoded = Base64.standard.decode(key.sealingKey.text.utf8),
        let recipient = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: encoded),
        var sender = try? HPKE.Sender(
            recipientKey: recipient, ciphersuite: SealedSecret.suite, info: SealedSecret.purpose),
        let sealed = try? sender.seal(bytes, authenticating: SealedSecret.authenticated(server))
    else { return nil }
    return SealedSecret(Array(sender.encapsulatedKey) + Array(sealed))
}

fileprivate func readAnswer(_ bytes: [UInt8]) {
    for status in [200, 400, 503] {
        do throws(OAuthError) {
            let answer = try TokenAnswer(status: status, body: bytes, to: request)
            precondition(status == 200 && answer.lifetime >= 0)
        } catch {
            // One line of a log.
            let text = "\(error)"
            precondition(!text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 })
            precondition(!text.contains("refresh-secret"))
        }
    }
}

fileprivate let server = ["imap.example", "993", "a@mail.example"]
fileprivate let unsealing = UnsealingKey(Array("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=".utf8))
fileprivate let party = RelyingParty(host: "localhost", authority: "localhost:8443", isTLS: true)
fileprivate let keys: [PasskeyKey] = {
    let p256 = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
    let ed25519 = Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
    return [
        PasskeyKey([0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + p256[..<32] + [0x22, 0x58, 0x20] + p256[32...]),
        PasskeyKey([0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 0x20] + ed25519),
    ].compactMap(\.self)
}()
fileprivate let request: TokenRequest = {
    guard let token = Token("refresh-secret") else { fatalError("no token") }
    return TokenRequest(refreshing: token, server: .gmail, client: Client(id: "client", secret: nil))
}()
