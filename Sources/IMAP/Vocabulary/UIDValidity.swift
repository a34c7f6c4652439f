/// The numbering of a folder that its UIDs belong to; never 0. When it changes, earlier UIDs are void (RFC 9051 section
/// 2.3.1.1).
public struct UIDValidity: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    /// `nil` for 0.
    public init?(_ value: UInt32) {
        guard value > 0 else { return nil }
        rawValue = value
    }

    /// `nil` for 0 and for values over 32 bits.
    public init?(exactly value: some BinaryInteger) {
        guard let value = UInt32(exactly: value), value > 0 else { return nil }
        rawValue = value
    }

    public var description: String { String(rawValue) }
}
