import Chronology
import ChronologyFixture
import Ledger

@testable import Store

/// A year of alerts with a known truth: three accounts that each write in a way of their own, and faults in their
/// mails.
///
/// - a savings account that prints times and a reference, and its balance in nine alerts of ten;
/// - a card that prints what is left of its limit, from which fuel and hotels hold amounts for some days;
/// - a second bank that prints no times.
struct SyntheticYear {
    static let days = 365
    static let first: CalendarDate = "2025-01-01"
    static let zone = IANATimeZone.kolkata

    enum Fault: String, CaseIterable {
        /// The mail never came.
        case lost
        /// The bank sent it twice.
        case repeated
        /// Another channel reported the event with a reference of its own.
        case twoChannels
        /// It was read in the wrong direction.
        case reversed
    }

    struct Event {
        var account: Account
        var seconds: Int64
        /// In paise, negative for an outflow.
        var change: Int64
        var merchant: String?
        var type: TransactionType
        var mayFail = true
        var printed: Int64?
        var fault: Fault?

        var instant: UnixTime { UnixTime(SyntheticYear.first) + seconds - 19_800 }
        var day: CalendarDate { CalendarDate(daysSince1970: SyntheticYear.first.daysSince1970 + Int(seconds / 86_400)) }
    }

    enum Account: Int, CaseIterable {
        case savings, card, second

        var bank: String { ["hdfc", "icici", "sbi"][rawValue] }
        var digits: String { ["4321", "6021", "7788"][rawValue] }
        var channel: Channel { [.upi, .card, .neft][rawValue] }
    }

    /// What differs between two years.
    struct Parameters {
        var seed: UInt64
        /// Payments of each account besides the recurring ones.
        var events = [2_500, 1_200, 1_000]
        /// By chance, one alert in `silent` prints no balance, and one purchase in `held` is held, for at most
        /// `holdDays` days.
        var silent = 10
        var held = 60
        var holdDays = 8
        var faults = [(Fault.lost, 60), (.repeated, 30), (.twoChannels, 12), (.reversed, 15)]

        static let years = [
            Parameters(seed: 1), Parameters(seed: 2),
            // Chosen before its figures were seen, and not tuned on.
            Parameters(
                seed: 20_261_126, events: [2_900, 900, 1_300], silent: 6, held: 40, holdDays: 12,
                faults: [(.lost, 80), (.repeated, 45), (.twoChannels, 18), (.reversed, 20)]),
        ]
    }

    let parameters: Parameters
    private var random: UInt64
    private(set) var events: [Event] = []
    private(set) var recurring: Set<String> = []
    private(set) var bills: [(notice: MailEntry, expected: DueItem.State)] = []
    private(set) var holds = 0
    private var uid: UInt32 = 0

    init(_ parameters: Parameters) {
        self.parameters = parameters
        random = parameters.seed
        addRecurring()
        addBills()
        for account in Account.allCases { addOthers(account) }
        events.sort { ($0.seconds, $0.account.rawValue) < ($1.seconds, $1.account.rawValue) }
        for account in Account.allCases { printBalances(account) }
        plant()
    }

    mutating func next(_ bound: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % bound
    }

    // MARK: Events

    private mutating func add(
        _ account: Account, day: Int, _ change: Int64, _ merchant: String?, type: TransactionType? = nil,
        mayFail: Bool = true
    ) {
        guard (0..<Self.days).contains(day) else { return }
        events.append(
            Event(
                account: account, seconds: Int64(day * 86_400 + 25_000 + next(50_000)), change: change,
                merchant: merchant, type: type ?? (change < 0 ? .expense : .income), mayFail: mayFail))
    }

    /// 24 payments that come again; one mail in thirty does not.
    private mutating func addRecurring() {
        for index in 0..<14 {
            let name = "Subscription \(Self.letters(index)) Ltd"
            recurring.insert(name)
            let (price, day, account) = (9_900 + next(90_000), next(28), index % 2 == 0 ? Account.savings : .card)
            for month in 0..<12 where next(30) > 0 {
                let raised = index % 4 == 0 && month > 6 ? price * 6 / 5 : price
                add(account, day: month * 365 / 12 + day + next(2), -Int64(raised), name)
            }
        }
        for (name, interval, minor) in [("Milk Dairy", 7, 45_000), ("Cook", 14, 120_000), ("Laundry", 7, 38_000)] {
            recurring.insert(name)
            let start = next(5)
            for day in stride(from: start, to: Self.days, by: interval) where next(30) > 0 {
                add(.savings, day: day, -Int64(minor), name)
            }
        }
        for name in ["Electricity Board", "Broadband Postpaid", "Piped Gas", "Water Works"] {
            recurring.insert(name)
            for month in 0..<12 where next(30) > 0 {
                add(.savings, day: month * 365 / 12 + 9 + next(3), -Int64(100_000 + next(14_000)), name)
            }
        }
        for (name, minor) in [("Acme Payroll", 9_000_000), ("Rent Of The Flat", 1_500_000)] {
            recurring.insert(name)
            for month in 0..<12 { add(.second, day: month * 365 / 12 + 1, Int64(minor), name) }
        }
        recurring.insert("Society Maintenance")
        for quarter in 0..<4 { add(.second, day: quarter * 91 + 4, -1_200_000, "Society Maintenance") }
    }

    /// A bill of the card each month, paid whole, in two parts, late, in part or not at all.
    private mutating func addBills() {
        for month in 0..<12 {
            let start = month * 365 / 12 + 1
            let amount = Int64(1_000_000 + next(4_000_000))
            let payments: [(day: Int, minor: Int64)]
            let state: DueItem.State
            switch month == 11 ? 9 : next(10) {
            case 0: (payments, state) = ([], .carried)
            case 1: (payments, state) = ([(start + 9, amount / 2)], .carried)
            case 2, 3: (payments, state) = ([(start + 4, amount / 3), (start + 16, amount - amount / 3)], .settled)
            case 4: (payments, state) = ([(start + 22, amount)], .settled)
            default: (payments, state) = ([(start + 3 + next(12), amount)], .settled)
            }
            for payment in payments {
                add(.savings, day: payment.day, -payment.minor, "CRED Club", mayFail: false)
                add(.card, day: payment.day, payment.minor, nil, type: .transfer, mayFail: false)
            }
            var decision = Decision(
                .ignored, by: Decision.Source(profile: "icici", template: "icici/statement", isAuthentic: true))
            var notice = BankNotice(.bill)
            let first = Self.first.daysSince1970
            (notice.amount, notice.minimum) = (rupees(amount), rupees(amount / 20))
            (notice.account, notice.date) = (Account.card.digits, CalendarDate(daysSince1970: first + start + 18))
            decision.notice = notice
            uid += 1
            let sent = UnixTime(Self.first) + Int64(start) * 86_400
            bills.append((mail(uid, decision, sent: sent), state))
        }
    }

    private mutating func addOthers(_ account: Account) {
        for _ in 0..<parameters.events[account.rawValue] {
            let shop = "Shop \(Self.letters(min(next(120), next(120)))) Stores"
            let isIncome = account != .card && next(14) == 0
            let minor = Int64(2_000 + next(300_000))
            add(account, day: next(Self.days), isIncome ? minor * 12 : -minor, isIncome ? "Transfer From Kin" : shop)
        }
    }

    private static func letters(_ index: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
        return "\(alphabet[index % 26].uppercased())\(alphabet[index / 26])\(alphabet[(index * 7) % 26])"
    }

    // MARK: What the alerts print

    private mutating func printBalances(_ account: Account) {
        var figure: Int64 = account == .card ? 50_000_000 : 20_000_000
        var held: [(until: Int64, minor: Int64)] = []
        for index in events.indices where events[index].account == account {
            figure += events[index].change
            let now = events[index].seconds
            held.removeAll { $0.until <= now }
            if account == .card, next(parameters.held) == 0 {
                let days = 2 + next(parameters.holdDays - 2)
                held.append((now + Int64(86_400 * days), Int64(200_000 + next(3_000_000))))
                holds += 1
            }
            let prints = next(parameters.silent) > 0
            events[index].printed = prints ? figure - held.reduce(0) { $0 + $1.minor } : nil
        }
    }

    // MARK: Faults

    private mutating func plant() {
        for (fault, count) in parameters.faults {
            var rest = count
            while rest > 0 {
                let index = next(events.count)
                // A second channel reports UPI payments; a wrong direction is one of a payment.
                guard events[index].mayFail, events[index].fault == nil,
                    !recurring.contains(events[index].merchant ?? ""),
                    fault != .twoChannels || events[index].account == .savings,
                    fault != .reversed || events[index].change < 0
                else { continue }
                events[index].fault = fault
                rest -= 1
            }
        }
    }

    // MARK: Mails

    /// The mails in the order of their arrival: up to a few hours late, so that neighbours change places.
    mutating func mails() -> [MailEntry] {
        var mails: [(at: Int64, mail: MailEntry)] = bills.map {
            (($0.notice.sentAt ?? .epoch) - UnixTime(Self.first), $0.notice)
        }
        for index in events.indices {
            let event = events[index]
            guard event.fault != .lost else { continue }
            mails.append((event.seconds + Int64(next(9_000)), alert(event, "R\(index)")))
            if event.fault == .repeated { mails.append((event.seconds + 9_500, alert(event, "R\(index)"))) }
            if event.fault == .twoChannels { mails.append((event.seconds + 60, alert(event, "IMPS\(index)", .imps))) }
        }
        return mails.sorted { $0.at < $1.at }.map(\.mail)
    }

    private mutating func alert(_ event: Event, _ reference: String, _ channel: Channel? = nil) -> MailEntry {
        let minor = abs(event.change)
        var draft = TransactionDraft(
            amount: rupees(minor), type: event.fault == .reversed ? .income : event.type,
            channel: channel ?? event.account.channel, date: event.day, occurredAt: event.instant)
        (draft.merchant, draft.account, draft.reference) = (event.merchant, event.account.digits, reference)
        let seconds = Int(event.seconds % 86_400)
        if event.account == .second {
            draft.occurredAt = Self.zone.instant(event.day, .noon)
        } else {
            draft.time = TimeOfDay(hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60)
        }
        if let printed = event.printed {
            if event.account == .card { draft.limit = rupees(printed) } else { draft.balance = rupees(printed) }
        }
        uid += 1
        return mail(uid, decision(.recorded, draft, bank: event.account.bank), sent: event.instant)
    }
}
