/// A set of UIDs as ascending runs that neither overlap nor touch.
///
/// Its size in memory depends on the number of runs, not of UIDs: `1:4294967295` is one run.
public struct UIDSet: Hashable, Sendable {
    struct Run: Hashable, Sendable {
        var first: UInt32
        var last: UInt32
    }

    private(set) var runs: [Run] = []

    public init() {}

    public init(_ uid: UID) { runs = [Run(first: uid.rawValue, last: uid.rawValue)] }

    public init(_ range: ClosedRange<UID>) {
        runs = [Run(first: range.lowerBound.rawValue, last: range.upperBound.rawValue)]
    }

    /// Accepts any order and repetitions.
    public init(_ uids: some Sequence<UID>) { self.init(numbers: uids.map(\.rawValue)) }

    /// Ignores zeros, which are not UIDs.
    init(numbers: [UInt32]) {
        var numbers = numbers
        if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) { numbers.sort() }
        for number in numbers where number > 0 { append(number, number) }
    }

    /// Accepts any order and overlaps.
    init(runs unordered: [Run]) {
        for run in unordered.sorted(by: { $0.first < $1.first }) { append(run.first, run.last) }
    }

    /// `first` is not below the first number of the last run, and `first <= last`.
    private mutating func append(_ first: UInt32, _ last: UInt32) {
        if let tail = runs.last, first <= tail.last || first - 1 == tail.last {
            if last > tail.last { runs[runs.count - 1].last = last }
        } else {
            runs.append(Run(first: first, last: last))
        }
    }

    public var isEmpty: Bool { runs.isEmpty }

    public var count: Int { runs.reduce(0) { $0 + Int($1.last - $1.first) + 1 } }

    public var first: UID? { runs.first.map { UID(unchecked: $0.first) } }

    public var last: UID? { runs.last.map { UID(unchecked: $0.last) } }

    public func contains(_ uid: UID) -> Bool {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < uid.rawValue { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].first <= uid.rawValue
    }

    public mutating func insert(_ uid: UID) {
        if let last = runs.last, uid.rawValue < last.first {
            formUnion(UIDSet(uid))
        } else {
            append(uid.rawValue, uid.rawValue)
        }
    }

    public mutating func formUnion(_ other: UIDSet) {
        if other.isEmpty { return }
        if isEmpty { self = other } else { self = UIDSet(runs: runs + other.runs) }
    }

    public func union(_ other: UIDSet) -> UIDSet {
        var result = self
        result.formUnion(other)
        return result
    }

    public func intersection(_ other: UIDSet) -> UIDSet {
        var result = UIDSet()
        var (i, j) = (0, 0)
        while i < runs.count, j < other.runs.count {
            let (a, b) = (runs[i], other.runs[j])
            let (first, last) = (Swift.max(a.first, b.first), Swift.min(a.last, b.last))
            if first <= last { result.append(first, last) }
            if a.last < b.last { i += 1 } else { j += 1 }
        }
        return result
    }

    public func subtracting(_ other: UIDSet) -> UIDSet {
        var result = UIDSet()
        var j = 0
        for run in runs {
            var first = run.first
            while j < other.runs.count, other.runs[j].last < first { j += 1 }
            var k = j
            var open = true
            while k < other.runs.count, other.runs[k].first <= run.last {
                let hole = other.runs[k]
                if hole.first > first { result.append(first, hole.first - 1) }
                if hole.last >= run.last {
                    open = false
                    break
                }
                first = hole.last + 1
                k += 1
            }
            if open { result.append(first, run.last) }
        }
        return result
    }
}

extension UIDSet: Sequence {
    /// Ascending.
    public struct Iterator: IteratorProtocol {
        let runs: [Run]
        var run = 0
        var offset: UInt32 = 0

        public mutating func next() -> UID? {
            guard run < runs.count else { return nil }
            let current = runs[run]
            let value = current.first + offset
            if value == current.last {
                run += 1
                offset = 0
            } else {
                offset += 1
            }
            return UID(unchecked: value)
        }
    }

    public func makeIterator() -> Iterator { Iterator(runs: runs) }

    public var underestimatedCount: Int { runs.count }
}
