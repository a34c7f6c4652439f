/// Looks names of character references up in the standard's table of 2,231 names.
///
/// The table is one sorted text in the program's constants; only the index of its lines is built, once.
struct NamedReferences {
    struct Match {
        let first: UInt32
        let second: UInt32?
        /// Bytes of the name, its semicolon included.
        let length: Int
    }

    /// Where each name begins in the table, and where the names of each first letter (as in ASCII) begin.
    private let starts: [UInt16]
    private let firstLetter: [Int]
    private static let shared = NamedReferences()

    /// The longest name of the table that the bytes from `start` on begin with.
    static func longestMatch(_ bytes: borrowing Octets, from start: Int, end: Int) -> Match? {
        // Nearly all references in mail are one of these; the padding of a preview text has hundreds.
        if bytes.matchesExactly("nbsp;", at: start, end: end) { return Match(first: 0xA0, second: nil, length: 5) }
        if bytes.matchesExactly("zwnj;", at: start, end: end) { return Match(first: 0x200C, second: nil, length: 5) }
        if bytes.matchesExactly("amp;", at: start, end: end) { return Match(first: 0x26, second: nil, length: 4) }
        return shared.longestMatch(bytes, from: start, end: end)
    }

    private init() {
        let table = NamedReferenceTable.lines
        var starts: [UInt16] = []
        var firstLetter = [Int](repeating: 0, count: 129)
        starts.reserveCapacity(2231)
        var offset = 0
        var letter = 0
        while offset < table.utf8CodeUnitCount {
            while letter <= Int(table.utf8Start[offset]), letter < 128 {
                firstLetter[letter] = starts.count
                letter += 1
            }
            starts.append(UInt16(offset))
            while table.utf8Start[offset] != ASCII.lf { offset += 1 }
            offset += 1
        }
        while letter <= 128 {
            firstLetter[letter] = starts.count
            letter += 1
        }
        self.starts = starts
        self.firstLetter = firstLetter
    }

    private func longestMatch(_ bytes: borrowing Octets, from start: Int, end: Int) -> Match? {
        guard start < end, bytes[start] < 128 else { return nil }
        // The lines whose names begin with the bytes read so far.
        var low = firstLetter[Int(bytes[start])]
        var high = firstLetter[Int(bytes[start]) + 1]
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

    /// The first line in the range for which the test no longer holds.
    private func partition(_ low: Int, _ high: Int, _ holds: (Int) -> Bool) -> Int {
        var low = low
        var high = high
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The byte of a line at an offset at which all earlier bytes are bytes of its name; a blank ends the name.
    private func byte(_ line: Int, _ offset: Int) -> UInt8 {
        NamedReferenceTable.lines.utf8Start[Int(starts[line]) + offset]
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
