import Chronology

/// Assigns transactions to the lines of a statement: equal references first, then equal amounts with the best total of
/// evidence, last equal names with another amount.
///
/// The result does not depend on the order of the transactions. The time is near-linear: candidates are found by
/// reference, by amount or by a word, and a group of mutual candidates is assigned exactly only up to a size.
struct StatementMatcher {
    /// Days that a bank may take to enter a movement: cards post a purchase within a week.
    static let daysBefore = 7
    /// Days that an alert may be dated after its line: a mail of the next morning.
    static let daysAfter = 2
    /// Days in which a reference is the same event: a mandate prints one with each payment.
    static let daysOfReference = 25
    /// Days between a line and a transaction that have only their amount in common.
    private static let daysOfAmount = 3
    /// The exact assignment is cubic in the size of its group.
    private static let largestGroup = 40
    /// Candidates of a line by name: a payee with more of them in a few days is not found by its name.
    private static let mostCandidates = 32
    /// Days in which two transactions of one amount may be one event.
    private static let twinDays = 3

    /// Days between a payment in an app's list and its alert: both have the day of the payment.
    private static let daysOfList = 1

    private let lines: [StatementLine]
    /// True for a list of payments of any account.
    private let isList: Bool
    /// By day, then number.
    private let entries: [LedgerEntry]
    private let texts: StatementTexts
    private var isUsed: [Bool]
    private var isMatched: [Bool]
    private(set) var matches: [Reconciliation.Match] = []

    init(_ lines: [StatementLine], _ entries: [LedgerEntry], isList: Bool = false) {
        self.lines = lines
        self.isList = isList
        self.entries = entries.sorted { ($0.day, $0.id) < ($1.day, $1.id) }
        texts = StatementTexts(lines, self.entries)
        isUsed = Array(repeating: false, count: entries.count)
        isMatched = Array(repeating: false, count: lines.count)
    }

    private mutating func match(_ line: Int, _ entry: Int, _ strength: Reconciliation.Strength) {
        isMatched[line] = true
        isUsed[entry] = true
        let days = days(line, entry)
        var match = Reconciliation.Match(
            line: line, transaction: entries[entry].id, strength: strength, days: abs(days))
        if entries[entry].change != lines[line].change { match.differences.insert(.amount) }
        if !window.contains(days) { match.differences.insert(.date) }
        if isElsewhere(entry) { match.differences.insert(.account) }
        matches.append(match)
    }

    /// Days from the transaction to the line, by the nearer one of the line's two days.
    private func days(_ line: Int, _ entry: Int) -> Int {
        let day = entries[entry].day.daysSince1970
        let entered = lines[line].day.daysSince1970 - day
        guard let value = lines[line].valueDay.map({ $0.daysSince1970 - day }) else { return entered }
        return abs(value) < abs(entered) ? value : entered
    }

    /// Days from a transaction to the line that can be its event.
    private var window: ClosedRange<Int> {
        isList ? -Self.daysOfList...Self.daysOfList : -Self.daysAfter...Self.daysBefore
    }

    private func isElsewhere(_ entry: Int) -> Bool { !isList && entries[entry].isElsewhere }

    // MARK: Booked lines

    /// Pairs the lines with the transactions that they booked, whatever a person changed in them since.
    mutating func match(booked: [Int: Int64]) {
        guard !booked.isEmpty else { return }
        let indices = Dictionary(entries.indices.map { (entries[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        for line in lines.indices {
            guard let entry = booked[line].flatMap({ indices[$0] }), !isUsed[entry] else { continue }
            match(line, entry, .booked)
        }
    }

    // MARK: References

    mutating func matchReferences() {
        var byReference: [String: [Int]] = [:]
        for index in entries.indices {
            guard let reference = texts.reference(ofEntry: index) else { continue }
            byReference[reference, default: []].append(index)
        }
        // A mandate's reference returns with each payment, so the equal amounts are assigned before the others.
        for isEqual in [true, false] {
            for line in lines.indices where !isMatched[line] {
                var found: [Int] = []
                let first = lines[line].day.daysSince1970 - Self.daysOfReference
                for list in texts.references(ofLine: line).compactMap({ byReference[$0] }) {
                    let low = list.partitioningIndex { entries[$0].day.daysSince1970 >= first }
                    for entry in list[low...].prefix(Self.mostCandidates) where !isUsed[entry] {
                        let (a, b) = (entries[entry].change, lines[line].change)
                        if isEqual ? a == b : (a < 0) == (b < 0) { found.append(entry) }
                    }
                }
                let best = found.min {
                    (rank($0), abs(days(line, $0)), $0) < (rank($1), abs(days(line, $1)), $1)
                }
                if let best { match(line, best, .reference) }
            }
        }
    }

    private func rank(_ entry: Int) -> Int { isElsewhere(entry) ? 1 : 0 }

    // MARK: Amounts

    /// A line and a transaction that can be one event, with the weight of its evidence.
    private struct Candidate {
        var line: Int
        var entry: Int
        var weight: Int
        var strength: Reconciliation.Strength
    }

    mutating func matchAmounts() {
        var byAmount: [Int64: (lines: [Int], entries: [Int])] = [:]
        for line in lines.indices where !isMatched[line] {
            byAmount[lines[line].change, default: ([], [])].lines.append(line)
        }
        for entry in entries.indices where !isUsed[entry] {
            byAmount[entries[entry].change]?.entries.append(entry)
        }
        for amount in byAmount.keys.sorted() {
            guard let group = byAmount[amount], !group.entries.isEmpty else { continue }
            let ordered = group.lines.sorted { (lines[$0].day, $0) < (lines[$1].day, $1) }
            if max(ordered.count, group.entries.count) <= Self.largestGroup {
                assign(ordered, group.entries)
            } else {
                sweep(ordered, group.entries, named: true)
                sweep(ordered, group.entries, named: false)
            }
        }
    }

    private func candidate(_ line: Int, _ entry: Int) -> Candidate? {
        let days = days(line, entry)
        guard window.contains(days), !texts.referencesDisagree(line, entry) else { return nil }
        let isNamed = texts.isSame(line, entry)
        guard isNamed || !isElsewhere(entry) && abs(days) <= Self.daysOfAmount else { return nil }
        // Two matches by amount weigh more than one by name; a day weighs less than a name.
        let weight = (isNamed ? 1600 : 1000) - 40 * abs(days) - 500 * rank(entry)
        return Candidate(line: line, entry: entry, weight: weight, strength: isNamed ? .name : .amount)
    }

    private mutating func assign(_ lines: [Int], _ entries: [Int]) {
        let table = lines.map { line in entries.map { candidate(line, $0) } }
        let chosen = Assignment.best(table.map { $0.map { $0?.weight ?? 0 } })
        for (row, column) in chosen.enumerated() {
            guard let column, let found = table[row][column] else { continue }
            match(found.line, found.entry, found.strength)
        }
    }

    /// Assigns each line the earliest free candidate: with sorted days this leaves the fewest lines over.
    private mutating func sweep(_ lines: [Int], _ entries: [Int], named: Bool) {
        var start = 0
        for line in lines where !isMatched[line] {
            while start < entries.count,
                isUsed[entries[start]] || self.days(line, entries[start]) > 2 * Self.daysBefore
            { start += 1 }
            for entry in entries[start...].prefix(Self.mostCandidates) where !isUsed[entry] {
                guard let found = candidate(line, entry), !named || found.strength == .name else { continue }
                match(line, entry, found.strength)
                break
            }
        }
    }

    // MARK: Names

    /// Assigns rest to rest if the names agree and the amounts are near: a tip, a surcharge, a final rate.
    mutating func matchNames() {
        var byWord: [String: [Int]] = [:]
        for entry in entries.indices where !isUsed[entry] && !entries[entry].isElsewhere {
            for word in texts.words(ofEntry: entry) { byWord[word, default: []].append(entry) }
        }
        guard !byWord.isEmpty else { return }
        var pairs: [(difference: UInt64, days: Int, line: Int, entry: Int)] = []
        for line in lines.indices where !isMatched[line] {
            var seen = Set<Int>()
            for word in texts.words(ofLine: line) {
                guard let list = byWord[word] else { continue }
                let first = lines[line].day.daysSince1970 - 2 * Self.daysBefore
                let low = list.partitioningIndex { entries[$0].day.daysSince1970 >= first }
                for entry in list[low...].prefix(Self.mostCandidates) where seen.insert(entry).inserted {
                    guard (-Self.daysAfter...Self.daysBefore).contains(days(line, entry)),
                        isNear(entries[entry].change, lines[line].change), !texts.referencesDisagree(line, entry)
                    else { continue }
                    let difference = (entries[entry].change &- lines[line].change).magnitude
                    pairs.append((difference, abs(days(line, entry)), line, entry))
                }
            }
        }
        pairs.sort { ($0.difference, $0.days, $0.line, $0.entry) < ($1.difference, $1.days, $1.line, $1.entry) }
        for pair in pairs where !isMatched[pair.line] && !isUsed[pair.entry] { match(pair.line, pair.entry, .name) }
    }

    /// True if the direction is the same and neither amount is more than a fifth above the other.
    private func isNear(_ a: Int64, _ b: Int64) -> Bool {
        guard (a < 0) == (b < 0) else { return false }
        let (low, high) = (min(a.magnitude, b.magnitude), max(a.magnitude, b.magnitude))
        return high - low <= low / 5
    }

    // MARK: Rest

    func missing(in period: DaySpan) -> [Reconciliation.Missing] {
        var usedDays: [Int64: [Int]] = [:]
        for entry in entries.indices where isUsed[entry] {
            usedDays[entries[entry].change, default: []].append(entries[entry].day.daysSince1970)
        }
        return entries.indices.compactMap { index in
            let entry = entries[index]
            guard !isUsed[index], !entry.isElsewhere, period.contains(entry.day) else { return nil }
            let day = entry.day.daysSince1970
            let near = usedDays[entry.change] ?? []
            let low = near.partitioningIndex { $0 >= day - Self.twinDays }
            if low < near.count, near[low] <= day + Self.twinDays {
                return .init(transaction: entry.id, cause: .double)
            }
            let isPending = period.last.daysSince1970 - day < Self.daysBefore
            return .init(transaction: entry.id, cause: isPending ? .pending : .wrongAccountOrForged)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies a condition that holds for a suffix of the collection.
    fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
