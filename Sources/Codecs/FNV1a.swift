/// The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo). It distinguishes versions of files; it is not a security
/// measure.
public struct FNV1a: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// 16 digits.
    public var hexadecimal: String { Hexadecimal.text(value) }
}
