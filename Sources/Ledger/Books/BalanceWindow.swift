import Chronology

/// A window between two printed balances, with the movements behind the first up to and with the second.
struct BalanceWindow {
    var start: AccountMovement
    var end: AccountMovement
    /// The place of the first movement among all in order.
    var from: Int
    var movements: [AccountMovement]
    /// The printed balance at the end less the expected one.
    var gap: Int64

    /// - Returns: `nil` without a printed balance at both ends, or if a movement is of unknown size: the window is
    ///   incomparable.
    init?(_ rows: [AccountMovement], from: Int, to: Int) {
        guard let before = rows[from].printed, let after = rows[to].printed else { return nil }
        var expected = before
        for row in rows[(from + 1)...to] {
            guard let change = row.change else { return nil }
            expected = expected &+ change
        }
        (start, end, self.from, gap) = (rows[from], rows[to], from, after &- expected)
        movements = gap == 0 ? [] : Array(rows[(from + 1)...to])
    }

    /// Takes movements away, or with `adding` receives them.
    fileprivate mutating func move(_ moved: [AccountMovement], adding: Bool) {
        let sum = moved.reduce(0) { $0 &+ ($1.change ?? 0) }
        let ids = Set(moved.map(\.id))
        gap = adding ? gap &- sum : gap &+ sum
        if adding { movements += moved } else { movements.removeAll { ids.contains($0.id) } }
    }
}

extension BalanceWindow {
    /// Moves movements whose place within their day is unknown into the window of the day where they close a gap.
    ///
    /// - Parameters:
    ///   - timeless: the days on which the order is unknown.
    ///   - first: the movement of the first printed balance; nothing before it is checked.
    static func settle(_ windows: inout [BalanceWindow], timeless: Set<CalendarDate>, first: AccountMovement?) {
        guard !timeless.isEmpty else { return }
        for index in windows.indices where windows[index].gap != 0 {
            if let first, let moved = windows[index].movable(timeless, to: first.day...first.day, sum: { 0 &- $0.gap })
            {
                windows[index].move(moved, adding: false)
            }
            // A gap lies within days, so its neighbours are the windows next to it.
            for other in max(0, index - reach)..<min(windows.count, index + reach + 1)
            where other != index && windows[index].gap != 0 && windows[other].gap != 0 {
                exchange(&windows, index, other, timeless)
            }
        }
    }

    /// The number of windows with gaps on each side that are tried.
    private static let reach = 4

    private static func exchange(
        _ windows: inout [BalanceWindow], _ source: Int, _ target: Int, _ timeless: Set<CalendarDate>
    ) {
        let (gap, days) = (windows[target].gap, windows[target].start.day...windows[target].end.day)
        guard
            let moved = windows[source].movable(timeless, to: days, sum: { 0 &- $0.gap })
                ?? windows[source].movable(timeless, to: days, sum: { _ in gap })
        else { return }
        windows[source].move(moved, adding: false)
        windows[target].move(moved, adding: true)
    }

    /// A smallest set of movements with a sum that may be on other days of the same order.
    private func movable(
        _ timeless: Set<CalendarDate>, to days: ClosedRange<CalendarDate>, sum: (BalanceWindow) -> Int64
    ) -> [AccountMovement]? {
        let silent = movements.filter { $0.printed == nil && timeless.contains($0.day) && days.contains($0.day) }
        guard let found = AmountSubset.indices(of: silent.compactMap(\.change), sum: sum(self)), !found.isEmpty else {
            return nil
        }
        return found.map { silent[$0] }
    }
}
