import Chronology

/// Checks that the printed balances of one account follow from its movements: the previous balance plus the movements
/// since must equal the next one.
public struct ContinuityCheck: Hashable, Sendable {
    /// The findings, oldest first; empty if the account drifts.
    public private(set) var findings: [ContinuityFinding] = []
    /// The number of windows that were compared.
    public private(set) var windows = 0
    /// True if so many windows disagree that the printed figure is not the balance of the booked movements: an
    /// available balance with holds, or a sweep deposit. Findings would be noise then.
    public private(set) var isDrifting = false

    /// The number of amounts that were held and released again: a hold lowers a printed figure, and books nothing.
    public private(set) var holds = 0

    /// An account drifts if at least this many of its last ``recent`` windows disagree without a known cause.
    static let driftingWindows = 6
    static let recent = 12
    /// Alerts of one day without a time are sorted as their balances prove; the effort grows with the
    /// square of their number.
    static let largestGroup = 60
    /// Two transactions of one amount within this time, in seconds, may be one event.
    static let twinDistance: Int64 = 3 * 86_400
    /// A hold is released within this time, in seconds: fuel within days, hotels within weeks.
    static let holdTime: Int64 = 31 * 86_400

    /// - Parameters:
    ///   - movements: the confirmed movements of one account, in any order.
    ///   - drafts: the account's transactions that wait for review.
    public init(_ movements: [AccountMovement], drafts: [AccountMovement] = []) {
        let ordered = Self.ordered(movements)
        var unexplained: [Bool] = []
        var found: [ContinuityFinding] = []
        var previous: Int?
        for (index, movement) in ordered.enumerated() {
            guard let printed = movement.printed else { continue }
            defer { previous = index }
            guard let before = previous, let start = ordered[before].printed else { continue }
            // A movement of unknown size makes the window incomparable.
            let changes = ordered[(before + 1)...index].map(\.change)
            guard !changes.contains(nil) else { continue }
            windows += 1
            let expected = changes.reduce(start) { $0 &+ ($1 ?? 0) }
            guard expected != printed else {
                unexplained.append(false)
                continue
            }
            let window = Window(rows: ordered, from: before, to: index, gap: printed &- expected)
            let finding = window.finding(drafts: drafts)
            unexplained.append(finding.causes.isEmpty)
            found.append(finding)
        }
        isDrifting = unexplained.suffix(Self.recent).filter { $0 }.count >= Self.driftingWindows
        if !isDrifting { findings = withoutHolds(Self.joined(found)) }
    }

    /// Drops each unexplained gap that a later one of the same amount reverses.
    private mutating func withoutHolds(_ findings: [ContinuityFinding]) -> [ContinuityFinding] {
        var open: [Int64: [Int]] = [:]
        var isHold = Set<Int>()
        for (index, finding) in findings.enumerated() where finding.causes.isEmpty {
            guard finding.gap > 0,
                let first = open[0 &- finding.gap]?.first(where: {
                    finding.end - findings[$0].start <= Self.holdTime
                })
            else {
                if finding.gap < 0 { open[finding.gap, default: []].append(index) }
                continue
            }
            open[0 &- finding.gap]?.removeAll { $0 <= first }
            isHold.formUnion([first, index])
            holds += 1
        }
        return findings.enumerated().filter { !isHold.contains($0.offset) }.map(\.element)
    }

    /// Two neighbouring gaps that cancel are one balance that disagrees with both of its neighbours.
    private static func joined(_ findings: [ContinuityFinding]) -> [ContinuityFinding] {
        var result: [ContinuityFinding] = []
        for finding in findings {
            if var last = result.last, last.to == finding.from, last.gap == 0 &- finding.gap, last.causes.isEmpty {
                let outlier = last.to
                (last.to, last.end) = (finding.to, finding.end)
                last.causes = [.outlier(outlier)]
                result[result.count - 1] = last
            } else {
                result.append(finding)
            }
        }
        return result
    }

    /// Orders by time. Movements whose order is unknown (the same instant, or a day on which an alert printed no time)
    /// follow in the order in which each printed balance follows from the one before.
    public static func ordered(_ movements: [AccountMovement]) -> [AccountMovement] {
        let timeless = Set(movements.lazy.filter { !$0.hasTime }.map(\.day))
        let sorted = movements.sorted { ($0.day, $0.instant, $0.id) < ($1.day, $1.instant, $1.id) }
        var result: [AccountMovement] = []
        result.reserveCapacity(sorted.count)
        var balance: Int64?
        var start = 0
        while start < sorted.count {
            let first = sorted[start]
            let isTimeless = timeless.contains(first.day)
            var end = start + 1
            while end < sorted.count, sorted[end].day == first.day, isTimeless || sorted[end].instant == first.instant {
                end += 1
            }
            var group = Array(sorted[start..<end])
            if group.count > 1, group.count <= largestGroup { group = chained(group, from: balance) }
            for movement in group {
                balance = movement.printed ?? movement.change.flatMap { change in balance.map { $0 &+ change } }
            }
            result += group
            start = end
        }
        return result
    }

    /// Puts next the movement whose printed balance follows from the balance so far; otherwise the first of the rest.
    /// One that equals a movement before it is that event booked twice, and follows it.
    private static func chained(_ group: [AccountMovement], from start: Int64?) -> [AccountMovement] {
        var rest = group
        var balance = start
        var result: [AccountMovement] = []
        while !rest.isEmpty {
            let next =
                rest.firstIndex { row in
                    guard let balance, let printed = row.printed, let change = row.change else { return false }
                    return printed == balance &+ change
                } ?? (balance == nil ? head(of: rest) : nil) ?? 0
            let row = rest.remove(at: next)
            if let twin = twin(of: row, in: result, from: balance) {
                result.insert(row, at: twin + 1)
                continue
            }
            balance = row.printed ?? row.change.flatMap { change in balance.map { $0 &+ change } }
            result.append(row)
        }
        return result
    }

    /// The movement that prints the same change and balance, if the balance so far does not lead to this one.
    private static func twin(of row: AccountMovement, in placed: [AccountMovement], from balance: Int64?) -> Int? {
        guard let printed = row.printed, let change = row.change, balance.map({ $0 &+ change }) != printed else {
            return nil
        }
        return placed.lastIndex { $0.printed == printed && $0.change == change }
    }

    /// The first movement of a chain: no other movement of the group ends with the balance that it begins with.
    private static func head(of group: [AccountMovement]) -> Int? {
        let printed = Set(group.compactMap(\.printed))
        return group.firstIndex { row in
            guard let end = row.printed, let change = row.change else { return false }
            return !printed.contains(end &- change)
        }
    }
}

/// A window with a gap, and the search for its causes.
fileprivate struct Window {
    let rows: [AccountMovement]
    let from: Int
    let to: Int
    let gap: Int64

    func finding(drafts: [AccountMovement]) -> ContinuityFinding {
        let (start, end) = (rows[from], rows[to])
        let inside = rows[(from + 1)...to]
        var causes = drafts.filter {
            $0.change == gap && $0.instant >= start.instant && $0.instant <= end.instant
        }.map { ContinuityFinding.Cause.draft($0.id) }
        causes += inside.filter { row in row.change.map { gap == 0 &- 2 &* $0 } ?? false }.map {
            .wrongDirection($0.id)
        }
        causes += inside.filter { $0.change == 0 &- gap }.compactMap(twin)
        return ContinuityFinding(
            from: start.id, to: end.id, start: start.instant, end: end.instant, gap: gap, causes: causes)
    }

    /// Another transaction of the same amount near a row that the balance does not contain. The row that ends the
    /// window printed the balance, so it did happen, unless its twin is in the window too.
    private func twin(of row: AccountMovement) -> ContinuityFinding.Cause? {
        let other = rows[max(0, from - 20)...min(rows.count - 1, to + 20)].first {
            $0.id != row.id && $0.change == row.change
                && abs($0.instant.seconds - row.instant.seconds) <= ContinuityCheck.twinDistance
        }
        guard let other else { return nil }
        return .booked(min(row.id, other.id), again: max(row.id, other.id))
    }
}
