/// The site that a passkey belongs to (Web Authentication Level 2, section 4).
public struct RelyingParty: Hashable, Sendable {
    /// The RP ID: a host name.
    public let id: String
    /// Scheme, host and port of the site's pages, as the browser reports them.
    public let origin: String

    /// - Parameters:
    ///   - host: the host of `authority` in lower case, without port.
    ///   - authority: the Host header of the request.
    /// - Returns: `nil` where browsers have no passkeys: an IP address cannot be an RP ID, and without TLS only
    ///   `localhost` is a secure context.
    public init?(host: String, authority: String, isTLS: Bool) {
        guard Self.isName(host), isTLS || host == "localhost" || host.hasSuffix(".localhost") else { return nil }
        id = host
        origin = (isTLS ? "https://" : "http://") + authority.lowercased()
    }

    /// True for a host name. A host whose last label begins with a digit is an IPv4 address or as good as one.
    private static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        return host.utf8.count <= 253 && labels.last?.first.map(isLetter) ?? false
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
            }
    }
}
