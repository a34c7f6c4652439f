import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped one (RFC 4291, section 2.5.5.2) is the IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16, in the order of the network.
    public let bytes: [UInt8]

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    /// The longest spelling, without its terminator (RFC 4291, section 2.2).
    private static let maximumLength = Int(INET6_ADDRSTRLEN) - 1

    init(bytes: [UInt8]) { self.bytes = bytes.starts(with: Self.mapped) ? Array(bytes[12...]) : bytes }

    /// - Parameter text: `192.0.2.1` or `2001:db8::1`, without brackets, zone and port.
    public init?(_ text: some StringProtocol) {
        // A NUL would end the text for C.
        guard text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.init(bytes: Array(bytes[..<4]))
        } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// An address, or all addresses that begin with the same bits: `192.0.2.7`, `10.0.0.0/8`, `fd00::/8`.
public struct IPNetwork: Hashable, Sendable {
    /// As written; bits after the prefix may be set.
    public let address: IPAddress
    /// Number of bits.
    public let prefix: Int

    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let bits = address.bytes.count * 8
        var prefix = bits
        if parts.count == 2 {
            // The prefix of an IPv4-mapped network would count other bits.
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= bits,
                bits == 128 || !parts[0].utf8.contains(UInt8(ascii: ":"))
            else { return nil }
            prefix = number
        }
        (self.address, self.prefix) = (address, prefix)
    }

    /// The address with all bits after the prefix cleared.
    public var first: IPAddress {
        IPAddress(bytes: address.bytes.enumerated().map { index, byte in byte & mask(index) })
    }

    public func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count
            && address.bytes.indices.allSatisfy { (address.bytes[$0] ^ other.bytes[$0]) & mask($0) == 0 }
    }

    private func mask(_ index: Int) -> UInt8 { ~UInt8(truncatingIfNeeded: 0xFF >> max(0, prefix - index * 8)) }
}
