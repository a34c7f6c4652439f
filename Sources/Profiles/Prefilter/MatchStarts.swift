/// The places in a text at which a match of a pattern can begin, computed from the places of the words that it
/// requires.
///
/// A word that lies at most 27 characters behind the start of a match, and occurs at byte 100 of an ASCII text, allows
/// starts in 73...100. All of several requirements allow the intersection of their ranges, any of them the union.
///
/// Ranges are byte offsets with inclusive upper bounds. A list of ranges is in descending order and disjoint. The lists
/// of all nodes under way lie on one stack, ``ranges``, so that nothing is allocated: a function that pushes a list for
/// a node leaves the lists below it unchanged, and `base` is the index at which its own list begins.
struct MatchStarts {
    typealias Range = (lower: Int, upper: Int)

    private(set) var ranges: [Range] = []

    /// A word that occurs more often than this in a text narrows the search too little.
    private static let mostPlaces = 32
    /// Maximum number of lines counted back; beyond it, positions are tried in vain rather than lines counted.
    private static let mostLines = 8

    static let empty = MatchStarts(capacity: 0)

    init(capacity: Int) { ranges.reserveCapacity(capacity) }

    /// Finds the starts; false means anywhere, an empty list nowhere.
    mutating func find(
        _ requirement: RequirementCode, in text: UnsafeBufferPointer<UInt8>, _ found: borrowing WordPlaces
    ) -> Bool {
        ranges.removeAll(keepingCapacity: true)
        return requirement.code.withUnsafeBufferPointer { push($0, 0, text, found) }
    }

    /// Pushes the list of a node: an empty one means that no match can begin anywhere.
    ///
    /// - Returns: false, with nothing pushed, if a match can begin anywhere.
    private mutating func push(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ found: borrowing WordPlaces
    ) -> Bool {
        switch code[node] {
        case RequirementCode.Kind.word: pushWord(code, node, text, found)
        case RequirementCode.Kind.behind: pushBehind(code, node, text, found)
        case RequirementCode.Kind.all: pushAll(code, node, text, found)
        case RequirementCode.Kind.any: pushAny(code, node, text, found)
        default: false
        }
    }

    /// One range for each occurrence of the word, the last one first.
    private mutating func pushWord(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ found: borrowing WordPlaces
    ) -> Bool {
        let base = ranges.count
        var place = found.last(Int(code[node + 2]))
        var count = 0
        while let here = place {
            count += 1
            if count > Self.mostPlaces {
                ranges.removeLast(ranges.count - base)
                return false
            }
            let lower = Self.start(
                before: here.start, characters: code[node + 3], lines: code[node + 4], text, found.continuations)
            append((lower, here.start), above: base)
            place = found.before(here)
        }
        return true
    }

    /// The ranges of the part, each extended downwards by the extent before it.
    private mutating func pushBehind(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ found: borrowing WordPlaces
    ) -> Bool {
        let base = ranges.count
        guard push(code, node + 4, text, found) else { return false }
        let count = ranges.count
        var kept = base
        for index in base..<count {
            let range = ranges[index]
            let lower = Self.start(
                before: range.lower, characters: code[node + 2], lines: code[node + 3], text, found.continuations)
            if kept > base, ranges[kept - 1].lower <= range.upper + 1 {
                ranges[kept - 1].lower = min(ranges[kept - 1].lower, lower)
            } else {
                ranges[kept] = (lower, range.upper)
                kept += 1
            }
        }
        ranges.removeLast(count - kept)
        return true
    }

    /// The intersection of the parts; a part that allows every start is left out.
    private mutating func pushAll(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ found: borrowing WordPlaces
    ) -> Bool {
        let base = ranges.count
        let end = node + Int(code[node + 1])
        var isBound = false
        var part = node + 2
        while part < end {
            let middle = ranges.count
            if push(code, part, text, found) {
                if isBound { intersect(base, middle) }
                isBound = true
                if ranges.count == base { return true }
            }
            part += Int(code[part + 1])
        }
        return isBound
    }

    /// The union of the parts; one part that allows every start decides.
    private mutating func pushAny(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ found: borrowing WordPlaces
    ) -> Bool {
        let base = ranges.count
        let end = node + Int(code[node + 1])
        var part = node + 2
        while part < end {
            guard push(code, part, text, found) else {
                ranges.removeLast(ranges.count - base)
                return false
            }
            part += Int(code[part + 1])
        }
        unite(base)
        return true
    }

    /// Appends ranges that arrive in descending order of both bounds.
    private mutating func append(_ range: Range, above base: Int) {
        if ranges.count > base, ranges[ranges.count - 1].lower <= range.upper + 1 {
            ranges[ranges.count - 1].lower = min(ranges[ranges.count - 1].lower, range.lower)
        } else {
            ranges.append(range)
        }
    }

    /// Intersects the two topmost lists; the upper one begins at `middle`.
    private mutating func intersect(_ base: Int, _ middle: Int) {
        let end = ranges.count
        var (i, j) = (base, middle)
        while i < middle, j < end {
            let (a, b) = (ranges[i], ranges[j])
            let (lower, upper) = (max(a.lower, b.lower), min(a.upper, b.upper))
            if lower <= upper { ranges.append((lower, upper)) }
            if a.lower > b.lower { i += 1 } else { j += 1 }
        }
        ranges.removeSubrange(base..<end)
    }

    /// Merges several lists into one.
    private mutating func unite(_ base: Int) {
        let count = ranges.count
        guard count > base + 1 else { return }
        for index in (base + 1)..<count {
            let range = ranges[index]
            var at = index
            while at > base, ranges[at - 1].upper < range.upper {
                ranges[at] = ranges[at - 1]
                at -= 1
            }
            ranges[at] = range
        }
        var kept = base + 1
        for index in (base + 1)..<count {
            let range = ranges[index]
            if ranges[kept - 1].lower <= range.upper + 1 {
                ranges[kept - 1].lower = min(ranges[kept - 1].lower, range.lower)
            } else {
                ranges[kept] = range
                kept += 1
            }
        }
        ranges.removeLast(count - kept)
    }

    /// The earliest byte at which a text of at most `characters` and `lines` can begin that ends at `offset`.
    ///
    /// The result may be earlier: then positions are tried in vain. Characters are not counted: `continuations`, the
    /// number of UTF-8 continuation bytes in the whole text, is the maximum difference between bytes and characters.
    private static func start(
        before offset: Int, characters: Int32, lines: Int32, _ text: UnsafeBufferPointer<UInt8>, _ continuations: Int
    ) -> Int {
        if characters == 0 { return offset }
        var lower = characters == .max ? 0 : max(0, offset - Int(characters) - continuations)
        if lines < characters, lines <= mostLines {
            var left = lines
            var at = offset
            while at > lower {
                if text[at - 1] == 0x0A {
                    if left == 0 { break }
                    left -= 1
                }
                at -= 1
            }
            lower = at
        }
        while lower > 0, lower < text.count, text[lower] & 0xC0 == 0x80 { lower -= 1 }
        return lower
    }
}
