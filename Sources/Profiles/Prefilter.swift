import PCRE2

/// Tells in one pass over a text which of a bank's patterns could match it at all, and where in it a match can begin.
///
/// What each pattern requires comes from `PatternNeeds`; a pattern that requires nothing is run on the whole text. (PCRE2 takes two letters
/// outside ASCII, U+017F and U+212A, for s and k: a text that is written with these is not filtered right, and then only reaches the review queue.)
struct Prefilter: Sendable {
    private let finder: WordFinder
    private let requirements: [Requirement]

    init(_ literals: [RequiredLiterals]) {
        finder = WordFinder(literals.reduce(into: []) { $0.formUnion($1.words) })
        let numbers = Dictionary(uniqueKeysWithValues: zip(finder.words, 0...))
        requirements = literals.map { Requirement($0, numbers) }
    }

    func look(at text: [UInt8]) -> Verdict { Verdict(text: text, found: finder.find(in: text), requirements: requirements) }

    /// What the words of one text allow.
    struct Verdict {
        let text: [UInt8]
        fileprivate let found: WordPlaces
        fileprivate let requirements: [Requirement]

        /// False: the pattern of that number cannot match the text.
        func allows(_ pattern: Int) -> Bool { requirements[pattern].isMet(by: found) }

        /// Runs the pattern, which must be allowed, where a match can begin.
        func match(_ pattern: TextPattern, with matcher: Matcher) throws(MatchError) -> Bool {
            let result: Result<Bool, MatchError> = text.withUnsafeBufferPointer { text in
                do throws(MatchError) {
                    guard let starts = requirements[pattern.number].starts(in: text, found) else { return .success(try matcher.firstMatch(of: pattern.pattern, in: text)) }
                    return .success(try matcher.firstMatch(of: pattern.pattern, in: text, startingIn: starts))
                } catch { return .failure(error) }
            }
            return try result.get()
        }
    }
}

/// `RequiredLiterals` with words as numbers of the finder.
private indirect enum Requirement: Sendable {
    case nothing
    case word(Int, Extent)
    case all([Requirement])
    case any([Requirement])

    init(_ literals: RequiredLiterals, _ numbers: [String: Int]) {
        switch literals {
        case .nothing: self = .nothing
        case .word(let word, let extent): self = numbers[word].map { .word($0, extent) } ?? .nothing
        case .all(let list): self = .all(list.map { Requirement($0, numbers) })
        case .any(let list): self = .any(list.map { Requirement($0, numbers) })
        }
    }

    func isMet(by found: borrowing WordPlaces) -> Bool {
        switch self {
        case .nothing: return true
        case .word(let number, _): return found.contains(number)
        case .all(let list):
            for item in list where !item.isMet(by: found) { return false }
            return true
        case .any(let list):
            for item in list where item.isMet(by: found) { return true }
            return false
        }
    }

    /// A word that stands more often than this in a text says too little of where a match begins.
    private static let mostPlaces = 32

    /// Where a match can begin, in ascending order; `nil`: anywhere. Only for what is met.
    func starts(in text: UnsafeBufferPointer<UInt8>, _ found: borrowing WordPlaces) -> [ClosedRange<Int>]? {
        switch self {
        case .nothing: return nil
        case .word(let number, let extent):
            var ranges: [ClosedRange<Int>] = []
            var place = found.last(number)
            while let here = place {
                if ranges.count == Self.mostPlaces { return nil }
                ranges.append(extent.start(before: here.start, in: text)...here.start)
                place = found.place(before: here, of: number)
            }
            return Self.merged(ranges, of: text.count)
        case .all(let list):
            var common: [ClosedRange<Int>]?
            for item in list {
                guard let ranges = item.starts(in: text, found) else { continue }
                common = common.map { Self.intersection($0, ranges) } ?? ranges
            }
            return common
        case .any(let list):
            var ranges: [ClosedRange<Int>] = []
            for item in list where item.isMet(by: found) {
                guard let more = item.starts(in: text, found) else { return nil }
                ranges += more
            }
            return Self.merged(ranges, of: text.count)
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
