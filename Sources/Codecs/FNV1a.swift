/// The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo). It distinguishes versions of files; it is not a security
/// measure.
public struct FNV1a: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { value = Self.step(value, byte) }
    }

    /// Combines the digests of every fourth byte, from each of the first four; a rest of at most three bytes belongs to
    /// the first. A step of FNV-1a waits for the one before it, so that four at a time are faster. The digest is
    /// another than that of ``combine(_:)``.
    public mutating func combine(interleaved bytes: [UInt8]) {
        var (first, second, third, fourth) = (FNV1a().value, FNV1a().value, FNV1a().value, FNV1a().value)
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index + 4 <= bytes.count {
                first = Self.step(first, bytes[index])
                second = Self.step(second, bytes[index + 1])
                third = Self.step(third, bytes[index + 2])
                fourth = Self.step(fourth, bytes[index + 3])
                index += 4
            }
            while index < bytes.count {
                first = Self.step(first, bytes[index])
                index += 1
            }
        }
        for digest in [first, second, third, fourth, UInt64(bytes.count)] {
            withUnsafeBytes(of: digest.littleEndian) { for byte in $0 { value = Self.step(value, byte) } }
        }
    }

    private static func step(_ value: UInt64, _ byte: UInt8) -> UInt64 { (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// 16 digits.
    public var hexadecimal: String { Hexadecimal.text(value) }
}
