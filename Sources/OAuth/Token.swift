import Codecs
import Crypto

/// A secret of OAuth 2.0: an access token, a refresh token, a code or a client secret. Descriptions and mirrors hide
/// it.
public struct Token: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Visible ASCII.
    public let value: String

    /// Longer texts are rejected. The longest tokens observed have about 2.5 kB.
    static let maximumBytes = 16384

    /// `nil` if the text holds anything but visible ASCII (RFC 6749 appendix A), which neither a header nor a SASL
    /// message can carry.
    public init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        value = String(text)
    }

    /// SHA-256 in hexadecimal: identifies tokens without storing them.
    public var digest: String {
        Hexadecimal.text(SHA256.hash(data: Array(value.utf8)))
    }

    public var description: String { "<secret>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
