import Glibc

/// The `style` attributes of one document that were read last: mail repeats the same few in all its cells.
struct InlineStyleCache {
    private struct Slot {
        let range: Range<Int>
        let style: InlineStyle
    }

    /// One slot for each value of ``slot(_:)``, the newest attribute in it.
    private var slots = [Slot?](repeating: nil, count: size)
    private static let size = 64

    /// Returns what `InlineStyle(_:_:)` reads from this range of the document.
    mutating func style(_ html: borrowing Octets, _ range: Range<Int>) -> InlineStyle {
        let slot = Self.slot(html.extracting(range))
        if let known = slots[slot], Self.areEqual(html, known.range, range) { return known.style }
        let style = InlineStyle(html, range)
        slots[slot] = Slot(range: range, style: style)
        return style
    }

    private static func areEqual(_ html: borrowing Octets, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        return html.withUnsafeBufferPointer { html in
            guard let base = html.baseAddress else { return true }
            return memcmp(base + one.lowerBound, base + other.lowerBound, one.count) == 0
        }
    }

    /// FNV-1a over words of eight bytes; a rest that fills none does not count.
    private static func slot(_ value: borrowing Octets) -> Int {
        value.withUnsafeBytes { bytes in
            var hash = HTMLElement.hashSeed ^ UInt64(bytes.count)
            var at = 0
            while at + 8 <= bytes.count {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x0000_0100_0000_01b3
                at += 8
            }
            return Int(truncatingIfNeeded: hash >> 40) & (size - 1)
        }
    }
}
