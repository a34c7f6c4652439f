import Glibc

/// Identifiers of mail rows: UUID version 7 (RFC 9562, section 5.7), so that new rows stand at the end of the index.
enum MailID {
    static func make() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
        var generator = SystemRandomNumberGenerator()
        let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        let low = 1 << 63 | generator.next() & (1 << 62 - 1)
        return String(unsafeUninitializedCapacity: 36) { bytes in
            var at = 0
            for word in [high, low] {
                for nibble in stride(from: UInt64(60), through: 0, by: -4) {
                    if at == 8 || at == 13 || at == 18 || at == 23 {
                        bytes[at] = UInt8(ascii: "-")
                        at += 1
                    }
                    bytes[at] = digit(UInt8(word >> nibble & 15))
                    at += 1
                }
            }
            return at
        }
    }

    /// A hexadecimal digit.
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
