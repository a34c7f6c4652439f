import PCRE2

/// What each of many patterns or templates requires, with words as numbers of a vocabulary: trees, written one after the other into one array, since every mail
/// asks for all of them.
///
/// A node is its kind, how many elements it takes, and then a word's number and reach in characters and lines, or its parts.
struct RequirementCode: Sendable {
    private enum Kind { static let nothing: Int32 = 0, word: Int32 = 1, all: Int32 = 2, any: Int32 = 3 }

    private var code: [Int32] = []
    /// Where each one's tree begins.
    private var roots: [Int32] = []

    init(_ literals: [RequiredLiterals], words: Vocabulary) {
        for pattern in literals {
            roots.append(Int32(truncatingIfNeeded: code.count))
            write(pattern, words)
        }
    }

    private mutating func write(_ literals: RequiredLiterals, _ words: Vocabulary) {
        let start = code.count
        switch literals {
        case .nothing: code += [Kind.nothing, 0]
        case .word(let word, let reach):
            if let number = words.number(word) {
                code += [Kind.word, 0, Int32(truncatingIfNeeded: number), Int32(clamping: reach.characters), Int32(clamping: reach.lines)]
            } else {
                code += [Kind.nothing, 0]
            }
        case .all(let list):
            code += [Kind.all, 0]
            for item in list { write(item, words) }
        case .any(let list):
            code += [Kind.any, 0]
            for item in list { write(item, words) }
        }
        code[start + 1] = Int32(truncatingIfNeeded: code.count - start)
    }

    var count: Int { roots.count }

    func isMet(_ pattern: Int, by found: borrowing WordPlaces) -> Bool {
        code.withUnsafeBufferPointer { Self.isMet($0, Int(roots[pattern]), found) }
    }

    private static func isMet(_ code: UnsafeBufferPointer<Int32>, _ node: Int, _ found: borrowing WordPlaces) -> Bool {
        let end = node + Int(code[node + 1])
        switch code[node] {
        case Kind.word: return found.contains(Int(code[node + 2]))
        case Kind.all:
            var part = node + 2
            while part < end {
                if !isMet(code, part, found) { return false }
                part += Int(code[part + 1])
            }
            return true
        case Kind.any:
            var part = node + 2
            while part < end {
                if isMet(code, part, found) { return true }
                part += Int(code[part + 1])
            }
            return false
        default: return true
        }
    }

    /// Where a match can begin, in ascending order; `nil`: anywhere. Only for what is met.
    func starts(_ pattern: Int, in text: UnsafeBufferPointer<UInt8>, _ found: borrowing WordPlaces) -> [ClosedRange<Int>]? {
        code.withUnsafeBufferPointer { Self.starts($0, Int(roots[pattern]), text, found) }
    }

    /// A word that stands more often than this in a text says too little of where a match begins.
    private static let mostPlaces = 32

    private static func starts(_ code: UnsafeBufferPointer<Int32>, _ node: Int, _ text: UnsafeBufferPointer<UInt8>, _ found: borrowing WordPlaces) -> [ClosedRange<Int>]? {
        let end = node + Int(code[node + 1])
        switch code[node] {
        case Kind.word:
            func bound(_ value: Int32) -> Int { value == .max ? .max : Int(value) }
            let reach = Extent(characters: bound(code[node + 3]), lines: bound(code[node + 4]))
            var ranges: [ClosedRange<Int>] = []
            var place = found.last(Int(code[node + 2]))
            while let here = place {
                if ranges.count == mostPlaces { return nil }
                ranges.append(reach.start(before: here.start, in: text)...here.start)
                place = found.before(here)
            }
            return merged(ranges, of: text.count)
        case Kind.all:
            var common: [ClosedRange<Int>]?
            var part = node + 2
            while part < end {
                if let ranges = starts(code, part, text, found) { common = common.map { intersection($0, ranges) } ?? ranges }
                part += Int(code[part + 1])
            }
            return common
        case Kind.any:
            var ranges: [ClosedRange<Int>] = []
            var part = node + 2
            while part < end {
                if isMet(code, part, found) {
                    guard let more = starts(code, part, text, found) else { return nil }
                    ranges += more
                }
                part += Int(code[part + 1])
            }
            return merged(ranges, of: text.count)
        default: return nil
        }
    }

    private static func intersection(_ a: [ClosedRange<Int>], _ b: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            let (lower, upper) = (max(a[i].lowerBound, b[j].lowerBound), min(a[i].upperBound, b[j].upperBound))
            if lower <= upper { result.append(lower...upper) }
            if a[i].upperBound < b[j].upperBound { i += 1 } else { j += 1 }
        }
        return result
    }

    /// Sorted, apart from each other; `nil` where they leave little out.
    private static func merged(_ ranges: [ClosedRange<Int>], of count: Int) -> [ClosedRange<Int>]? {
        var result: [ClosedRange<Int>] = []
        var size = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                if range.upperBound > last.upperBound {
                    size += range.upperBound - last.upperBound
                    result[result.count - 1] = last.lowerBound...range.upperBound
                }
            } else {
                result.append(range)
                size += range.count
            }
        }
        return size > count - count / 4 ? nil : result
    }
}
