import Codecs
import Crypto
import Randomness

/// Eight digits that a person copies from the terminal to a device; valid once, for ``lifetime``, and for a few
/// attempts.
public struct PairingCode: Sendable {
    /// Seconds.
    public static let lifetime: Int64 = 300
    public static let tries = 5
    private static let digits = 8

    public let text: String

    public static func random() -> PairingCode {
        var random = SystemRandomNumberGenerator()
        return PairingCode(
            unchecked: String((0..<digits).map { _ in Character("\(Int.random(in: 0...9, using: &random))") }))
    }

    private init(unchecked text: String) { self.text = text }

    /// Ignores blanks and hyphens between the digits. `nil` if the text is not eight digits.
    public init?(_ text: String) {
        let plain = text.filter { $0 != " " && $0 != "-" }
        guard plain.utf8.count == Self.digits, plain.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.text = plain
    }

    /// The code as displayed: 1234 5678.
    public var grouped: String { text.prefix(4) + " " + text.suffix(4) }

    /// The address that opens the app with the code.
    ///
    /// - Parameters:
    ///   - address: of the server, without a path.
    ///   - certificate: SHA-256 of its certificate in hexadecimal; `nil` without TLS.
    public func link(to address: String, certificate: String?) -> String {
        "spendwise://pair?url=\(PercentEncoding.encode(address))&code=\(text)"
            + (certificate.map { "&sha256=\($0)" } ?? "")
    }

    /// SHA-256 with the offer's own salt, in hexadecimal. A reader of the database can try all codes at once; the short
    /// lifetime and the single use limit the damage.
    public func digest(salt: String) -> String { Hexadecimal.text(SHA256.hash(data: Array((salt + text).utf8))) }

    public func matches(digest: String, salt: String) -> Bool { ConstantTime.areEqual(self.digest(salt: salt), digest) }

    public static func randomSalt() -> String { Hexadecimal.text(RandomBytes.make(16)) }
}
