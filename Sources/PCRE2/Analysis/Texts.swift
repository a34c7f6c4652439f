import Glibc

/// A list of short texts in one allocation: the analysis of a pattern combines thousands of them.
struct Texts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// End of each text in `bytes`.
    private var ends: [Int] = []

    /// The empty text only.
    static let empty = Texts([[]])

    init() {}
    init(_ texts: [[UInt8]]) { for text in texts { append(text[...]) } }

    var count: Int { ends.count }
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
    func length(_ index: Int) -> Int { ends[index] - (index == 0 ? 0 : ends[index - 1]) }

    var longest: Int { ends.indices.reduce(0) { max($0, length($1)) } }
    private var isOfOneLength: Bool { ends.indices.allSatisfy { length($0) == length(0) } }

    mutating func append(_ text: ArraySlice<UInt8>) {
        bytes += text
        ends.append(bytes.count)
    }

    mutating func append(contentsOf other: Texts) {
        let start = bytes.count
        bytes += other.bytes
        for end in other.ends { ends.append(start + end) }
    }

    /// Replaces the texts by all combinations with `next`.
    mutating func follow(with next: Texts) {
        if count == 1, next.count == 1 {
            bytes += next.bytes
            ends[0] = bytes.count
            return
        }
        var result = Texts()
        result.bytes.reserveCapacity(bytes.count * next.count + next.bytes.count * count)
        result.ends.reserveCapacity(count * next.count)
        for first in ends.indices {
            for second in next.ends.indices {
                result.bytes += self[first]
                result.append(next[second])
            }
        }
        // If all texts of one operand have one length, the combinations are distinct.
        self = isOfOneLength || next.isOfOneLength ? result : result.unique()
    }

    /// Last bytes of each text.
    func suffixes(_ length: Int) -> Texts {
        var result = Texts()
        for index in ends.indices { result.append(self[index].suffix(length)) }
        return result.unique()
    }

    /// Distinct texts, in the order of their first occurrence.
    func unique() -> Texts {
        if count < 2 { return self }
        var result = Texts()
        let size = 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount)
        withUnsafeTemporaryAllocation(of: Int.self, capacity: size) { table in
            table.initialize(repeating: -1)
            for index in ends.indices {
                let text = self[index]
                var slot = Int(truncatingIfNeeded: Self.hash(text)) & (size - 1)
                while table[slot] >= 0, result[table[slot]] != text { slot = (slot + 1) & (size - 1) }
                guard table[slot] < 0 else { continue }
                table[slot] = result.count
                result.append(text)
            }
        }
        return result
    }

    /// FNV-1a with folded high bits.
    private static func hash(_ text: ArraySlice<UInt8>) -> UInt64 {
        let hash = text.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return hash ^ hash &>> 32
    }

    /// Offset of the first occurrence of the text at `index` in the other.
    func offset(of index: Int, in other: Int) -> Int? {
        let (from, to) = (ends[index] - length(index), ends[other] - length(other))
        let (count, last) = (length(index), length(other) - length(index))
        return bytes.withUnsafeBytes { bytes in
            guard last >= 0, let base = bytes.baseAddress else { return nil }
            return (0...last).first { memcmp(base + to + $0, base + from, count) == 0 }
        }
    }
}
