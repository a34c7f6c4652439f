/// Lookup in the table of named character references, `Resources/named-references.txt`.
///
/// The table stays one sorted text. Only an index of its 2,231 lines is built, on first use.
struct NamedReferences {
    struct Match: Equatable {
        let first: UInt32
        let second: UInt32?
        /// Length of the name in bytes, including its semicolon.
        let length: Int
    }

    private let table: [UInt8]
    /// Offset of each line in the table.
    private let starts: [UInt16]
    /// The first line for each first byte (ASCII) of a name.
    private let firstLines: [Int]
    private static let shared = NamedReferences(PackageResources.named_references_txt)

    /// Returns the longest name of the table at `start`.
    static func longestMatch(_ bytes: borrowing Octets, from start: Int, end: Int) -> Match? {
        // Nearly all references in mail are one of these. The padding of a preview text has hundreds.
        if bytes.matchesExactly("nbsp;", at: start, end: end) { return Match(first: 0xA0, second: nil, length: 5) }
        if bytes.matchesExactly("zwnj;", at: start, end: end) { return Match(first: 0x200C, second: nil, length: 5) }
        if bytes.matchesExactly("amp;", at: start, end: end) { return Match(first: 0x26, second: nil, length: 4) }
        return shared.longestMatch(bytes, from: start, end: end)
    }

    /// - Parameter table: comment lines that begin with `#`, then the names in byte order.
    private init(_ table: [UInt8]) {
        let span = table.span
        var starts: [UInt16] = []
        var firstLines = [Int](repeating: 0, count: 129)
        starts.reserveCapacity(2231)
        var offset = 0
        var letter = 0
        while offset < span.count {
            let end = span.index(of: ASCII.lf, from: offset) ?? span.count
            if span[offset] != UInt8(ascii: "#") {
                while letter <= Int(span[offset]), letter < 128 {
                    firstLines[letter] = starts.count
                    letter += 1
                }
                starts.append(UInt16(offset))
            }
            offset = end + 1
        }
        while letter <= 128 {
            firstLines[letter] = starts.count
            letter += 1
        }
        self.table = table
        self.starts = starts
        self.firstLines = firstLines
    }

    private func longestMatch(_ bytes: borrowing Octets, from start: Int, end: Int) -> Match? {
        guard start < end, bytes[start] < 128 else { return nil }
        // The lines whose names begin with the bytes read so far.
        var low = firstLines[Int(bytes[start])]
        var high = firstLines[Int(bytes[start]) + 1]
        var best: (line: Int, length: Int)?
        var length = 1
        while low < high {
            if byte(low, length) == ASCII.space { best = (low, length) }
            guard start + length < end, bytes[start + length] > ASCII.space else { break }
            let wanted = bytes[start + length]
            low = partition(low, high) { byte($0, length) < wanted }
            high = partition(low, high) { byte($0, length) <= wanted }
            length += 1
        }
        guard let best else { return nil }
        return value(best.line, nameLength: best.length)
    }

    /// Returns the first line of the range for which the predicate is false.
    private func partition(_ low: Int, _ high: Int, _ predicate: (Int) -> Bool) -> Int {
        var low = low
        var high = high
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the byte at an offset in a line. All earlier bytes must belong to the name, which ends with a space.
    private func byte(_ line: Int, _ offset: Int) -> UInt8 {
        table[Int(starts[line]) + offset]
    }

    private func value(_ line: Int, nameLength: Int) -> Match {
        var offset = nameLength + 1
        var scalars: (UInt32, UInt32) = (0, 0)
        while let digit = byte(line, offset).hexValue {
            scalars.0 = scalars.0 << 4 | UInt32(digit)
            offset += 1
        }
        if byte(line, offset) == ASCII.space {
            offset += 1
            while let digit = byte(line, offset).hexValue {
                scalars.1 = scalars.1 << 4 | UInt32(digit)
                offset += 1
            }
        }
        return Match(first: scalars.0, second: scalars.1 == 0 ? nil : scalars.1, length: nameLength)
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func matchesExactly(_ word: StaticString, at start: Int, end: Int) -> Bool {
        guard end - start >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where self[start + offset] != word.utf8Start[offset] { return false }
        return true
    }
}
