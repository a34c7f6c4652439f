import Chronology

/// The order of the movements of one account.
///
/// Movements follow by time. Those whose order is unknown (the same instant, or a day on which an alert printed no
/// time) follow so that each printed balance is that before it and the movements between them.
public enum MovementOrder {
    /// The effort grows with the square of their number.
    static let largestGroup = 60

    public static func sorted(_ movements: [AccountMovement]) -> [AccountMovement] {
        let timeless = daysWithoutTimes(movements)
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
            if group.count > 1, group.count <= largestGroup {
                var chain = MovementChain(group, from: balance)
                group = chain.ordered()
            }
            for movement in group { balance = movement.balance(after: balance) }
            result += group
            start = end
        }
        return result
    }

    /// The days on which the order of the movements is unknown.
    static func daysWithoutTimes(_ movements: [AccountMovement]) -> Set<CalendarDate> {
        Set(movements.lazy.filter { !$0.hasTime }.map(\.day))
    }
}

extension AccountMovement {
    /// The printed balance, or that which follows from the one before.
    fileprivate func balance(after before: Int64?) -> Int64? {
        if let printed { return printed }
        guard let change, let before else { return nil }
        return before &+ change
    }

    /// The balance that the printed one implies before the movement.
    fileprivate var begin: Int64? {
        guard let printed, let change else { return nil }
        return printed &- change
    }
}

/// Movements of unknown order, as a chain of printed balances.
fileprivate struct MovementChain {
    /// The movements that are not placed yet: those that print a balance, and the others.
    private var printing: [AccountMovement]
    private var silent: [AccountMovement]
    private var balance: Int64?
    private var placed: [AccountMovement] = []

    init(_ group: [AccountMovement], from balance: Int64?) {
        printing = group.filter { $0.printed != nil }
        silent = group.filter { $0.printed == nil }
        self.balance = balance
    }

    mutating func ordered() -> [AccountMovement] {
        while !printing.isEmpty {
            if let next = following() {
                place(silent: next.silent)
                place(next.index)
            } else {
                // What changed the balance by an unknown amount explains why none follows.
                place(silent: silent.indices.filter { silent[$0].change == nil })
                place(head() ?? 0)
            }
        }
        return placed + silent
    }

    /// The movement whose balance follows from the balance so far with the fewest silent movements between, and these.
    private func following() -> (index: Int, silent: [Int])? {
        guard let balance else { return nil }
        var best: (index: Int, silent: [Int])?
        for index in printing.indices {
            guard let between = silentMovements(from: balance, to: printing[index]),
                between.count < best?.silent.count ?? .max
            else { continue }
            best = (index, between)
            if between.isEmpty { break }
        }
        return best
    }

    /// The first movement to which no other one leads.
    private func head() -> Int? {
        printing.indices.first { index in
            !printing.indices.contains { other in
                other != index
                    && printing[other].printed.flatMap { silentMovements(from: $0, to: printing[index]) } != nil
            }
        }
    }

    private func silentMovements(from balance: Int64, to movement: AccountMovement) -> [Int]? {
        guard let begin = movement.begin else { return nil }
        let known = silent.indices.filter { silent[$0].change != nil }
        return AmountSubset.indices(of: known.compactMap { silent[$0].change }, sum: begin &- balance)?.map {
            known[$0]
        }
    }

    private mutating func place(silent indices: [Int]) {
        for index in indices {
            balance = silent[index].balance(after: balance)
            placed.append(silent[index])
        }
        for index in indices.reversed() { silent.remove(at: index) }
    }

    /// One that equals a movement before it is that event booked twice, and follows it.
    private mutating func place(_ index: Int) {
        let movement = printing.remove(at: index)
        if let twin = twin(of: movement) {
            placed.insert(movement, at: twin + 1)
        } else {
            balance = movement.printed
            placed.append(movement)
        }
    }

    /// The movement that prints the same change and balance, if the balance so far does not lead to this one.
    private func twin(of movement: AccountMovement) -> Int? {
        guard let begin = movement.begin, balance != begin else { return nil }
        return placed.lastIndex { $0.printed == movement.printed && $0.change == movement.change }
    }
}
