import Chronology
import ChronologyFixture
import Testing

@testable import Ledger

/// Which payments settle which dues, and the states that follow.
@Suite struct DueSettlementTests {
    static let today: CalendarDate = "2026-03-01"
    static let (bank, card): (Int64, Int64) = (1, 2)

    static func money(_ minor: Int64) -> Money { Money(minorUnits: minor, currency: .inr) }

    static func bill(
        _ minor: Int64, due day: CalendarDate, since: CalendarDate, minimum: Int64? = nil, id: Int = 1
    ) -> Due {
        var due = Due(.bill, id: "notice:\(id)", payee: "hdfc", amount: money(minor), since: since, day: day)
        (due.account, due.digits, due.minimum) = (card, "4321", minimum.map(money))
        return due
    }

    static func mandate(_ minor: Int64, _ payee: String, on day: CalendarDate, id: Int = 1) -> Due {
        var due = Due(.mandate, id: "notice:\(id)", payee: payee, amount: money(minor), since: day, day: day)
        due.account = bank
        return due
    }

    /// What a person declared paid is settled; a payment that fits is still its own and settles no other due.
    @Test(arguments: [true, false]) func aDeclaredDueIsSettled(hasPayment: Bool) {
        var bill = Self.bill(250_000, due: "2026-02-10", since: "2026-01-22")
        var debit = Self.mandate(64_900, "Netflix", on: "2026-02-12", id: 2)
        (bill.isDeclaredSettled, debit.isDeclaredSettled) = (true, true)
        let movements = hasPayment ? [Self.debit(64_900, "NETFLIX", on: "2026-02-12", id: 9)] : []
        let items = DueSettlement.settle(
            [bill, debit, Self.mandate(64_900, "Netflix", on: "2026-02-13", id: 3)], movements, on: Self.today)
        #expect(items.map(\.state) == [.settled, .settled, .missed])
        #expect(items.map(\.rest.minorUnits) == [0, 0, 64_900])
        #expect(items.map(\.payments.count) == [0, hasPayment ? 1 : 0, 0])
    }

    static func received(_ minor: Int64, on day: CalendarDate, id: Int64) -> DueMovement {
        var movement = DueMovement(id: id, account: card, isIncome: true, amount: money(minor), day: day, payee: "")
        movement.isTransfer = true
        return movement
    }

    static func debit(
        _ minor: Int64, _ payee: String, on day: CalendarDate, id: Int64, account: Int64? = bank,
        channel: Channel? = nil
    ) -> DueMovement {
        var movement = DueMovement(
            id: id, account: account, isIncome: false, amount: money(minor), day: day, payee: payee)
        movement.channel = channel
        return movement
    }

    static func states(_ dues: [Due], _ movements: [DueMovement], on day: CalendarDate = today) -> [DueItem.State] {
        DueSettlement.settle(dues, movements, on: day).map(\.state)
    }

    @Test(
        arguments: [
            ("2026-02-10", [], .upcoming), ("2026-02-20", [], .due), ("2026-02-21", [], .overdue),
            ("2026-02-19", [30_000], .partlySettled), ("2026-02-21", [30_000], .partlySettled),
            ("2026-02-21", [4_999], .overdue), ("2026-02-21", [60_000, 40_000], .settled),
            ("2026-02-21", [100_000], .settled), ("2026-02-21", [120_000], .settled),
        ] as [(CalendarDate, [Int64], DueItem.State)])
    func billsAreSettledWholeOrInPart(day: CalendarDate, paid: [Int64], state: DueItem.State) {
        let bill = Self.bill(100_000, due: "2026-02-20", since: "2026-02-01", minimum: 5_000)
        let movements = paid.enumerated().map { Self.received($1, on: "2026-02-15", id: Int64($0 + 1)) }
        let items = DueSettlement.settle([bill], movements, on: day)
        #expect(items.map(\.state) == [state])
        #expect(items[0].payments.map(\.transaction) == movements.map(\.id))
    }

    @Test func eachPaymentSettlesTheBillOfItsMonth() {
        let bills = [
            Self.bill(50_000, due: "2026-01-20", since: "2026-01-02", id: 1),
            Self.bill(70_000, due: "2026-02-20", since: "2026-02-02", id: 2),
        ]
        let before = Self.received(50_000, on: "2026-01-01", id: 1)
        let late = Self.received(50_000, on: "2026-01-25", id: 2)
        let second = Self.received(70_000, on: "2026-02-19", id: 3)
        #expect(Self.states(bills, [before, late, second]) == [.settled, .settled], "late, but before the next bill")
        #expect(Self.states(bills, [before, second]) == [.carried, .settled], "the second bill contains the first")
        #expect(Self.states([bills[0]], [before]) == [.overdue], "a payment before the bill is not one of it")
    }

    /// Without an alert of the card, only the bank's debit shows the payment.
    @Test(
        arguments: [
            ("CRED Club", 100_000, true), ("CRED Club", 90_000, false), ("HDFC Card XX4321", 40_000, true),
            ("HDFC Card XX9999", 100_000, false), ("Big Bazaar", 100_000, false), ("Credit Card", 5_000, true),
        ] as [(String, Int64, Bool)])
    func debitsThatNameTheCardSettleIt(payee: String, minor: Int64, settles: Bool) {
        let bill = Self.bill(100_000, due: "2026-02-20", since: "2026-02-01", minimum: 5_000)
        let items = DueSettlement.settle([bill], [Self.debit(minor, payee, on: "2026-02-10", id: 9)], on: Self.today)
        #expect(items[0].payments.map(\.transaction) == (settles ? [9] : []))
    }

    @Test func bothSidesOfATransferCountOnceAndNameThePayer() {
        let bill = Self.bill(100_000, due: "2026-02-20", since: "2026-02-01")
        var received = Self.received(100_000, on: "2026-02-10", id: 2)
        (received.counterpart, received.counterpartAccount) = (1, Self.bank)
        let paid = Self.debit(100_000, "Credit Card", on: "2026-02-10", id: 1)
        let next = Self.bill(20_000, due: "2026-03-20", since: "2026-03-01", id: 2)
        var items = DueSettlement.settle([bill, next], [paid, received], on: Self.today)
        #expect(items.map(\.state) == [.settled, .upcoming] && items[0].paid == 100_000)
        #expect(items.map(\.payer) == [Self.bank, Self.bank], "the account that paid the last bill")
        items.compare(with: [Self.bank: Self.money(19_999)])
        #expect(items.map(\.suffices) == [nil, false])
        items.compare(with: [Self.bank: Self.money(20_000)])
        #expect(items[1].suffices == true)
    }

    @Test func mandatesAreSettledByTheirDebits() {
        let due = Self.mandate(64_900, "Netflix", on: "2026-02-25")
        func state(_ movements: [DueMovement], on day: CalendarDate = Self.today) -> DueItem.State? {
            Self.states([due], movements, on: day).first
        }
        #expect(state([Self.debit(64_900, "NETFLIX.COM", on: "2026-02-25", id: 1)]) == .settled)
        #expect(state([Self.debit(64_900, "SI HUB", on: "2026-02-26", id: 1, channel: .mandate)]) == .settled)
        #expect(state([Self.debit(64_900, "Big Bazaar", on: "2026-02-25", id: 1)]) == .missed, "another payee")
        #expect(state([Self.debit(64_900, "Netflix", on: "2026-02-25", id: 1, account: 7)]) == .missed)
        #expect(state([Self.debit(79_900, "Netflix", on: "2026-02-25", id: 1)]) == .differs)
        #expect(state([Self.debit(64_900, "Netflix", on: "2026-02-10", id: 1)]) == .missed, "an earlier month")
        #expect(state([], on: "2026-02-24") == .upcoming)
        #expect(state([], on: "2026-02-28") == .due, "a debit may come days later")
        #expect(state([]) == .missed)
    }

    @Test func equalAmountsComeBeforeOthersOfThePayee() {
        let dues = [
            Self.mandate(10_000, "Google", on: "2026-02-10", id: 1),
            Self.mandate(20_000, "Google", on: "2026-02-11", id: 2),
        ]
        let items = DueSettlement.settle(
            dues,
            [
                Self.debit(20_000, "Google", on: "2026-02-10", id: 1),
                Self.debit(10_000, "Google", on: "2026-02-11", id: 2),
            ],
            on: Self.today)
        #expect(items.map(\.state) == [.settled, .settled] && items.map { $0.payments[0].transaction } == [2, 1])
    }

    @Test func whatAPersonDecidedComesFirst() {
        var due = Self.mandate(64_900, "Netflix", on: "2026-02-25")
        let debit = Self.debit(64_900, "Netflix", on: "2026-02-25", id: 1)
        due.refused = [1]
        #expect(Self.states([due], [debit]) == [.missed])
        (due.refused, due.linked) = ([], [2])
        let items = DueSettlement.settle(
            [due], [debit, Self.debit(70_000, "Somebody", on: "2026-01-01", id: 2)], on: Self.today)
        #expect(
            items[0].state == .settled && items[0].payments.map(\.transaction) == [2] && items[0].payments[0].byPerson)
    }
}

/// Regular payments in a synthetic year with known truth.
@Suite struct RecurringDetectionTests {
    private struct Year {
        var random: UInt64
        var movements: [DueMovement] = []

        mutating func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }

        mutating func add(_ payee: String, _ minor: Int64, _ day: Int, income: Bool = false, account: Int64 = 1) {
            movements.append(
                DueMovement(
                    id: Int64(movements.count + 1), account: account, isIncome: income,
                    amount: DueSettlementTests.money(minor), day: CalendarDate(daysSince1970: day), payee: payee))
        }
    }

    static let end: CalendarDate = "2026-12-31"

    /// 21 regular payments and 3,000 others; one mail in 25 of the regular ones is lost.
    private static func year(seed: UInt64) -> (year: Year, planted: Set<String>) {
        var year = Year(random: seed)
        var planted: Set<String> = []
        let first = CalendarDate(year: 2026, month: 1, day: 1)?.daysSince1970 ?? 0
        for index in 0..<12 {
            let payee = "Subscription \(UnicodeScalar(UInt8(65 + index))) Ltd"
            planted.insert(payee)
            let (price, ofMonth) = (Int64(9_900 + year.next(90_000)), 1 + year.next(28))
            for month in 1...12 where year.next(25) > 0 {
                let day = CalendarDate(year: 2026, month: month, day: ofMonth)?.daysSince1970 ?? first
                // Every third one raises its price in July.
                year.add(payee, index % 3 == 0 && month > 6 ? price * 6 / 5 : price, day + year.next(3))
            }
        }
        for (payee, days, minor) in [("Milk Dairy", 7, 45_000), ("Maid", 14, 120_000), ("House Cleaning", 7, 80_000)] {
            planted.insert(payee)
            for day in stride(from: first + year.next(5), to: first + 364, by: days) where year.next(25) > 0 {
                year.add(payee, Int64(minor), day)
            }
        }
        for payee in ["Electricity Board", "Airtel Postpaid", "Piped Gas"] {
            planted.insert(payee)
            for month in 1...12 where year.next(25) > 0 {
                let day = CalendarDate(year: 2026, month: month, day: 10)?.daysSince1970 ?? first
                year.add(payee, Int64(100_000 + year.next(14_000)), day + year.next(4))
            }
        }
        for month in 1...12 { year.add("Acme Payroll", 9_000_000, first + (month - 1) * 30 + month / 2, income: true) }
        for month in [1, 4, 7, 10] { year.add("Society Maintenance", 1_200_000, first + (month - 1) * 30 + 4) }
        for day in [first + 5, first + 5 + 182] { year.add("School Fees Trust", 4_500_000, day) }
        planted.formUnion(["Acme Payroll", "Society Maintenance"])
        let shops = (0..<120).map {
            "Shop \(UnicodeScalar(UInt8(65 + $0 % 26)))\(UnicodeScalar(UInt8(97 + $0 / 26))) Stores"
        }
        for _ in 0..<3_000 {
            // A few shops have most of the payments.
            let shop = shops[min(year.next(120), year.next(120))]
            year.add(shop, Int64(2_000 + year.next(300_000)), first + year.next(365))
        }
        return (year, planted)
    }

    @Test func plantedPaymentsAreFound() {
        var (planted, found, wrong) = (0, 0, 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            let (year, truth) = Self.year(seed: seed)
            let names = Set(RecurringDetection.find(year.movements, on: Self.end).map(\.payee))
            planted += truth.count
            found += names.intersection(truth).count
            wrong += names.subtracting(truth).count
        }
        print("recurring: \(found) of \(planted) found, \(wrong) false")
        #expect(found * 100 >= planted * 95, "\(found) of \(planted)")
        #expect(wrong * 20 <= planted, "\(wrong) false")
    }

    @Test func priceChangesAreEvidence() throws {
        var year = Year(random: 1)
        for (month, minor) in [49_900, 49_900, 49_900, 64_900, 64_900].enumerated() {
            year.add("Netflix", Int64(minor), 20_454 + month * 30)
        }
        let last = try #require(year.movements.last)
        let found = try #require(RecurringDetection.find(year.movements, on: last.day).first)
        #expect(found.priceChanges.map(\.before.minorUnits) == [49_900] && found.amount.minorUnits == 64_900)
        #expect(found.band == 0 && found.payments.count == 5 && found.next > last.day)
        let past = CalendarDate(daysSince1970: last.day.daysSince1970 + 100)
        #expect(RecurringDetection.find(year.movements, on: past).isEmpty, "it ended")
    }

    @Test func aSubscriptionIsFoundAmongOtherPayments() {
        var year = Year(random: 3)
        for month in 0..<6 { year.add("Amazon", 29_900, 20_454 + month * 30) }
        for index in 0..<40 { year.add("Amazon", Int64(40_000 + year.next(900_000)), 20_454 + (index * 37) % 170) }
        let found = RecurringDetection.find(year.movements, on: CalendarDate(daysSince1970: 20_454 + 160))
        #expect(found.contains { $0.amount.minorUnits == 29_900 && $0.rule.frequency == .monthly })
    }

    /// Bills of a year of three cards, paid whole, in parts, late, or not at all.
    @Test func billsOfAYearAreSettledRight() {
        var year = Year(random: 11)
        var (dues, expected): ([Due], [String: DueItem.State]) = ([], [:])
        for card in 2...4 as ClosedRange<Int64> {
            for month in 1...11 {
                let first = CalendarDate(year: 2026, month: month, day: 2) ?? Self.end
                let amount = Int64(100_000 + year.next(4_000_000))
                let id = "notice:\(card)-\(month)"
                var due = Due(
                    .bill, id: id, payee: "bank", amount: DueSettlementTests.money(amount), since: first,
                    day: CalendarDate(daysSince1970: first.daysSince1970 + 18))
                (due.account, due.minimum) = (card, DueSettlementTests.money(amount / 20))
                dues.append(due)
                let start = first.daysSince1970
                func pay(_ minor: Int64, _ day: Int) {
                    year.add("", minor, day, income: true, account: card)
                    year.movements[year.movements.count - 1].isTransfer = true
                }
                switch year.next(10) {
                case 0: expected[id] = .carried
                case 1:
                    pay(amount / 2, start + 10)
                    expected[id] = .carried
                case 2...3:
                    pay(amount / 3, start + 4)
                    pay(amount - amount / 3, start + 17)
                    expected[id] = .settled
                case 4:
                    pay(amount, start + 22)
                    expected[id] = .settled
                default:
                    pay(amount, start + year.next(18))
                    expected[id] = .settled
                }
                // A shop's refund is not a payment.
                year.add("Big Bazaar", amount, start + 3, income: true, account: card)
            }
        }
        let items = DueSettlement.settle(dues, year.movements, on: "2026-11-03")
        // The last bill of a card has no next one: it is only just issued.
        let judged = items.filter { $0.due.day < "2026-11-01" }
        let right = judged.count { expected[$0.due.id] == $0.state }
        print("bills: \(right) of \(judged.count) right")
        #expect(right == judged.count && judged.count == 30)
    }
}
