/// The number of a message in a folder, never 0, and never assigned twice under one ``UIDValidity`` (RFC 9051 section
/// 2.3.1.1).
public struct UID: Hashable, Comparable, Sendable, CustomStringConvertible {
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

    init(unchecked value: UInt32) { rawValue = value }

    public static let min = UID(unchecked: 1)
    public static let max = UID(unchecked: .max)

    /// The next higher UID; the highest one is its own successor.
    public var next: UID { rawValue == .max ? self : UID(unchecked: rawValue + 1) }

    public var description: String { String(rawValue) }

    public static func < (a: UID, b: UID) -> Bool { a.rawValue < b.rawValue }
}
