import CSodium
import Codecs

/// The public key to which passwords are sealed, so that only workers with the private key can read them.
public struct BoxPublicKey: Hashable, Sendable {
    let bytes: [UInt8]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads ``text``; `nil` for anything else.
    public init?(_ text: String) {
        guard let bytes = Base64.standard.decode(text.utf8), bytes.count == crypto_box_publickeybytes() else {
            return nil
        }
        self.bytes = bytes
    }

    public var text: String { Base64.standard.encode(bytes) }

    /// A sealed box of libsodium (crypto_box_seal: X25519, XSalsa20, Poly1305).
    ///
    /// - Returns: `nil` for a key that is no point of the curve.
    func seal(_ message: [UInt8]) -> [UInt8]? {
        guard BoxPrivateKey.isReady else { return nil }
        var box = [UInt8](repeating: 0, count: message.count + crypto_box_sealbytes())
        guard crypto_box_seal(&box, message, UInt64(message.count), bytes) == 0 else { return nil }
        return box
    }
}

/// The private key that opens what is sealed to its ``publicKey``.
public struct BoxPrivateKey: Sendable {
    /// Chooses the implementations for this processor, once for the process.
    fileprivate static let isReady = sodium_init() >= 0

    private let bytes: [UInt8]
    public let publicKey: BoxPublicKey

    /// A new random key.
    ///
    /// - Throws: if the system gives no random numbers.
    public init() throws(FleetError) {
        guard Self.isReady else { throw FleetError("libsodium cannot be used: the system gives no random numbers") }
        var (open, secret) = (
            [UInt8](repeating: 0, count: crypto_box_publickeybytes()),
            [UInt8](repeating: 0, count: crypto_box_secretkeybytes())
        )
        crypto_box_keypair(&open, &secret)
        (bytes, publicKey) = (secret, BoxPublicKey(open))
    }

    /// Reads ``text``; `nil` for anything else.
    init?(_ text: [UInt8]) {
        guard Self.isReady, let bytes = Base64.standard.decode(text), bytes.count == crypto_box_secretkeybytes()
        else { return nil }
        var open = [UInt8](repeating: 0, count: crypto_box_publickeybytes())
        guard crypto_scalarmult_base(&open, bytes) == 0 else { return nil }
        (self.bytes, publicKey) = (bytes, BoxPublicKey(open))
    }

    /// Secret, for a file.
    public var text: [UInt8] { Array(Base64.standard.encode(bytes).utf8) }

    /// - Returns: `nil` if the box was sealed to another key, or was changed.
    func open(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= crypto_box_sealbytes() else { return nil }
        var message = [UInt8](repeating: 0, count: box.count - crypto_box_sealbytes())
        guard crypto_box_seal_open(&message, box, UInt64(box.count), publicKey.bytes, bytes) == 0 else { return nil }
        return message
    }
}
