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
    /// Two transactions of one amount within this time, in seconds, may be one event.
    static let twinDistance: Int64 = 3 * 86_400

    /// - Parameters:
    ///   - movements: the confirmed movements of one account, in any order.
    ///   - drafts: the account's transactions that wait for review.
    public init(_ movements: [AccountMovement], drafts: [AccountMovement] = []) {
        let ordered = MovementOrder.sorted(movements)
        let printing = ordered.indices.filter { ordered[$0].printed != nil }
        // The windows that disagree, and the number of each among all.
        var open: [BalanceWindow] = []
        var numbers: [Int] = []
        for (from, to) in zip(printing, printing.dropFirst()) {
            guard let window = BalanceWindow(ordered, from: from, to: to) else { continue }
            if window.gap != 0 {
                open.append(window)
                numbers.append(windows)
            }
            windows += 1
        }
        guard let first = printing.first, !open.isEmpty else { return }
        BalanceWindow.settle(
            &open, timeless: MovementOrder.daysWithoutTimes(movements), first: ordered[first])
        var found: [ContinuityFinding] = []
        var unexplained = 0
        for (window, number) in zip(open, numbers) where window.gap != 0 {
            let finding = window.finding(in: ordered, drafts: drafts)
            if finding.causes.isEmpty, number >= windows - Self.recent { unexplained += 1 }
            found.append(finding)
        }
        isDrifting = unexplained >= Self.driftingWindows
        guard !isDrifting else { return }
        let held = HeldAmounts(Self.joined(found))
        (findings, holds) = (held.findings, held.count)
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
}

extension BalanceWindow {
    /// The finding of the window, with what explains it.
    ///
    /// - Parameter rows: all movements in order.
    fileprivate func finding(in rows: [AccountMovement], drafts: [AccountMovement]) -> ContinuityFinding {
        var causes = drafts.filter {
            $0.change == gap && $0.instant >= start.instant && $0.instant <= end.instant
        }.map { ContinuityFinding.Cause.draft($0.id) }
        causes += movements.filter { row in row.change.map { gap == 0 &- 2 &* $0 } ?? false }.map {
            .wrongDirection($0.id)
        }
        for row in movements where row.change == 0 &- gap {
            if let cause = twin(of: row, in: rows), !causes.contains(cause) { causes.append(cause) }
        }
        return ContinuityFinding(
            from: start.id, to: end.id, start: start.instant, end: end.instant, gap: gap, causes: causes)
    }

    /// The number of movements on each side of a window in which the twin of one is looked for.
    private static let twinReach = 20

    /// Another transaction of the same amount near a row that the balance does not contain. The row that ends the
    /// window printed the balance, so it did happen, unless its twin is in the window too.
    private func twin(of row: AccountMovement, in rows: [AccountMovement]) -> ContinuityFinding.Cause? {
        let near = max(0, from - Self.twinReach)...min(rows.count - 1, from + movements.count + Self.twinReach)
        let other = rows[near].first {
            $0.id != row.id && $0.change == row.change
                && abs($0.instant.seconds - row.instant.seconds) <= ContinuityCheck.twinDistance
        }
        guard let other else { return nil }
        return .booked(min(row.id, other.id), again: max(row.id, other.id))
    }
}
