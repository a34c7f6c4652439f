public import Chronology

/// Assigns transactions to the dues that they settle. A transaction settles at most one due.
///
/// First, the decisions of people count. Then transactions of equal amount are assigned in the order of the due days,
/// and last the debits of the same payee with another amount. A due that a person declared paid is settled with or
/// without a transaction; one that fits is still assigned to it, so that it settles no other due.
public struct DueSettlement {
    /// Days before an announced debit in which it can come.
    private static let daysBefore = 1
    /// Days that a bill can be paid late; the next bill of the account ends them.
    private static let lateDays = 60

    private let today: CalendarDate
    private var items: [DueItem]
    private var used: Set<Int64> = []
    /// By day, then number.
    private let movements: [DueMovement]
    /// First day on which the next bill of the same account can be paid, by the index of the item.
    private var nextBill: [Int: CalendarDate] = [:]

    public static func settle(_ dues: [Due], _ movements: [DueMovement], on today: CalendarDate) -> [DueItem] {
        var work = DueSettlement(dues, movements, today)
        work.assignLinked()
        for index in work.items.indices { work.assignEqual(index) }
        for index in work.items.indices { work.assignDiffering(index) }
        work.findPayers()
        for index in work.items.indices where work.items[index].due.isDeclaredSettled {
            work.items[index].state = .settled
        }
        return work.items
    }

    private init(_ dues: [Due], _ movements: [DueMovement], _ today: CalendarDate) {
        self.today = today
        self.movements = movements.sorted { ($0.day, $0.id) < ($1.day, $1.id) }
        items = dues.sorted { ($0.day, $0.id) < ($1.day, $1.id) }.map {
            DueItem(due: $0, payments: [], state: .upcoming, payer: $0.kind == .bill ? nil : $0.account)
        }
        var next: [Int64: CalendarDate] = [:]
        for index in items.indices.reversed() where items[index].due.kind == .bill {
            guard let account = items[index].due.account else { continue }
            nextBill[index] = next[account]
            next[account] = items[index].due.since
        }
    }

    // MARK: Assignment

    private mutating func assign(_ movement: DueMovement, to index: Int, byPerson: Bool = false) {
        used.insert(movement.id)
        if let other = movement.counterpart { used.insert(other) }
        items[index].payments.append(
            .init(transaction: movement.id, amount: movement.amount, day: movement.day, byPerson: byPerson))
        guard items[index].due.kind == .bill else { return }
        let payer = movement.isIncome ? movement.counterpartAccount : movement.account
        items[index].payer = payer ?? items[index].payer
    }

    private mutating func assignLinked() {
        for index in items.indices where !items[index].due.linked.isEmpty {
            let due = items[index].due
            for movement in movements
            where due.linked.contains(movement.id) && !used.contains(movement.id)
                && movement.amount.currency == due.amount.currency
            {
                assign(movement, to: index, byPerson: true)
            }
        }
    }

    private func candidates(_ due: Due, _ first: CalendarDate, _ last: CalendarDate) -> [DueMovement] {
        // The movements are sorted by day.
        var (low, high) = (0, movements.count)
        while low < high {
            let middle = (low + high) / 2
            if movements[middle].day < first { low = middle + 1 } else { high = middle }
        }
        return movements[low...].prefix { $0.day <= last }.filter {
            !used.contains($0.id) && !due.refused.contains($0.id) && $0.amount.currency == due.amount.currency
        }
    }

    private mutating func assignEqual(_ index: Int) {
        let due = items[index].due
        if due.kind == .bill {
            assignBill(index)
        } else if due.isPosted {
            if let posted = movements.first(where: { $0.postedKey == due.id }) { assign(posted, to: index) }
            items[index].state = items[index].payments.isEmpty ? due.day > today ? .upcoming : .due : .settled
        } else {
            if items[index].payments.isEmpty,
                let found = window(of: due).first(where: { Self.isEqual($0, due) && Self.fits($0, due) })
            {
                assign(found, to: index)
            }
            if !items[index].payments.isEmpty {
                let isEqual = items[index].payments.allSatisfy(\.byPerson) || items[index].paid == due.amount.minorUnits
                items[index].state = isEqual || due.band > 0 ? .settled : .differs
            } else {
                let isLate = today.daysSince1970 > due.day.daysSince1970 + due.grace
                items[index].state = due.day > today ? .upcoming : isLate ? .missed : .due
            }
        }
    }

    private mutating func assignDiffering(_ index: Int) {
        let due = items[index].due
        guard due.kind != .bill, !due.isPosted, items[index].payments.isEmpty else { return }
        let found = window(of: due).first { movement in
            guard movement.isIncome == due.isIncome else { return false }
            let isNamed = PayeeText.isSame(movement.payee, due.payee) || Self.hasReference(movement, due)
            // A recurring payee may also sell other things.
            let (a, b) = (movement.amount.minorUnits, due.amount.minorUnits)
            return isNamed && Self.isOf(due.account, movement) && (due.kind == .mandate || a / 2 <= b && b / 2 <= a)
        }
        guard let found else { return }
        assign(found, to: index)
        items[index].state = .differs
    }

    private func window(of due: Due) -> [DueMovement] {
        let before = due.kind == .mandate ? Self.daysBefore : due.grace
        return candidates(
            due, CalendarDate(daysSince1970: due.day.daysSince1970 - before),
            CalendarDate(daysSince1970: due.day.daysSince1970 + due.grace))
    }

    // MARK: Comparison

    private static func isOf(_ account: Int64?, _ movement: DueMovement) -> Bool {
        account == nil || movement.account == nil || account == movement.account
    }

    private static func hasReference(_ movement: DueMovement, _ due: Due) -> Bool {
        guard let a = due.reference, let b = movement.reference, !a.isEmpty else { return false }
        return a.uppercased() == b.uppercased()
    }

    private static func isEqual(_ movement: DueMovement, _ due: Due) -> Bool {
        guard due.band > 0 else { return movement.amount == due.amount }
        let (a, b) = (movement.amount.minorUnits, due.amount.minorUnits)
        return abs(a &- b) <= b / 100 &* due.band &+ b % 100 &* due.band / 100
    }

    private static func fits(_ movement: DueMovement, _ due: Due) -> Bool {
        guard movement.isIncome == due.isIncome, isOf(due.account, movement) else { return false }
        if PayeeText.isSame(movement.payee, due.payee) || hasReference(movement, due) { return true }
        return due.kind == .mandate && (movement.channel == .mandate || due.payee.isEmpty)
    }

    // MARK: Bills

    private mutating func assignBill(_ index: Int) {
        let due = items[index].due
        let late = CalendarDate(daysSince1970: due.day.daysSince1970 + Self.lateDays)
        let next = nextBill[index]
        let last = next.map { min(CalendarDate(daysSince1970: $0.daysSince1970 - 1), late) } ?? late
        let all = candidates(due, due.since, last)
        let received = all.filter { $0.isIncome && due.account != nil && $0.account == due.account && $0.isTransfer }
        // Without an alert of the card: a debit elsewhere that names the card, or a card bill of exactly this sum.
        let paid = all.filter { !$0.isIncome && $0.account != due.account && Self.pays($0, due) }
        for movement in received.isEmpty ? paid : received where items[index].paid < due.amount.minorUnits {
            assign(movement, to: index)
        }
        items[index].state = state(ofBill: due, paid: items[index].paid, next: next)
    }

    private func state(ofBill due: Due, paid sum: Int64, next: CalendarDate?) -> DueItem.State {
        if sum >= due.amount.minorUnits { return .settled }
        if let next, next <= today { return .carried }
        guard due.hasDay else { return sum > 0 ? .partlySettled : .due }
        let isCovered = sum > 0 && due.minimum.map { sum >= $0.minorUnits } ?? false
        if due.day < today, !isCovered { return .overdue }
        return sum > 0 ? .partlySettled : due.day == today ? .due : .upcoming
    }

    private static func pays(_ movement: DueMovement, _ due: Due) -> Bool {
        if let digits = due.digits, let named = TransferLeg.account(in: movement.payee) {
            return named.hasSuffix(digits.suffix(4))
        }
        let isSum = movement.amount == due.amount || movement.amount == due.minimum
        return isSum && (TransferLeg.namesCard(movement.payee) || PayeeText.isSame(movement.payee, due.payee))
    }

    /// The account that paid the last bill of a card pays the next one.
    private mutating func findPayers() {
        var payers: [Int64: Int64] = [:]
        for index in items.indices where items[index].due.kind == .bill {
            guard let account = items[index].due.account else { continue }
            if let payer = items[index].payer { payers[account] = payer } else { items[index].payer = payers[account] }
        }
    }
}

extension [DueItem] {
    /// Sets ``DueItem/suffices`` of the open dues from the balances of the accounts that pay them, in the order of the
    /// days. Expected income does not count.
    public mutating func compare(with balances: [Int64: Money]) {
        var left = balances
        for index in indices where self[index].state.isOpen && !self[index].due.isIncome {
            guard let payer = self[index].payer, let balance = left[payer],
                balance.currency == self[index].due.amount.currency
            else { continue }
            let rest = balance.minorUnits &- self[index].rest.minorUnits
            self[index].suffices = rest >= 0
            left[payer]?.minorUnits = rest
        }
    }
}
