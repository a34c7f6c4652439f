/// Says which numbering of a folder its UIDs belong to; never 0. When it changes, every UID known before means nothing
/// (RFC 9051 section 2.3.1.1).
public struct UIDValidity: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    /// Refuses 0.
    public init?(_ value: UInt32) {
        guard value > 0 else { return nil }
        rawValue = value
    }

    /// Refuses 0 and whatever does not fit into 32 bits.
    public init?(exactly value: some BinaryInteger) {
        guard let value = UInt32(exactly: value), value > 0 else { return nil }
        rawValue = value
    }

    public var description: String { String(rawValue) }
}
