import Access
import Chronology
import Ledger
import Review
import Store

/// Texts about accounts.
enum AccountText {
    static func types(chosen: UserAccountType) -> [SelectChoice] {
        UserAccountType.allCases.map {
            SelectChoice($0.rawValue, title($0), isChosen: $0 == chosen)
        }
    }

    static func title(_ type: UserAccountType) -> String {
        switch type {
        case .bank: PageText.of("account.type-bank")
        case .card: PageText.of("account.type-card")
        case .wallet: PageText.of("account.type-wallet")
        case .cash: PageText.of("account.type-cash")
        case .investment: PageText.of("account.type-investment")
        case .loan: PageText.of("account.type-loan")
        }
    }

    static func about(_ row: UserAccountRow) -> String {
        let others = row.numbers.map(\.digits).filter { $0 != row.lastFour }
        return
            ([title(row.type)]
            + (others.isEmpty ? [] : [PageText.of("account.also", ["numbers": others.joined(separator: ", ")])]))
            .joined(separator: " · ")
    }

    /// The balance as text; for a card its debt, or its available limit if the credit limit is not known.
    static func balance(_ position: AccountPosition, of row: UserAccountRow) -> String {
        if !row.hasBalance, let available = position.available {
            return PageText.of("account.available", ["amount": MoneyText.text(available)])
        }
        return MoneyText.text(position.balance)
    }

    static func basis(_ position: AccountPosition, _ zone: IANATimeZone) -> String {
        let foreign = position.foreign.map { MoneyText.text($0) }.joined(separator: ", ")
        let more = foreign.isEmpty ? "" : PageText.of("account.not-included", ["amounts": foreign])
        switch position.basis {
        case .printed(_, let instant):
            return PageText.of("account.printed", ["at": DayText.instant(instant, zone)])
                + (position.movements > 0
                    ? PageText.of(
                        "account.since-printed", ["movements": PageText.count(position.movements, "movement")]) : "")
                + more
        case .initial:
            return PageText.of("account.since-initial", ["movements": PageText.count(position.movements, "movement")])
                + more
        }
    }
}

/// The page of one account.
struct AccountView: Sendable {
    struct Finding: Sendable {
        var sentence: String
        var window: String
        var fromPath: String
        var toPath: String
        var causes: [Cause]
    }

    struct Cause: Sendable {
        var sentence: String
        var path: String
        /// The draft that closes the gap if it is accepted.
        var draft: String?
    }

    /// A withdrawal that is not in a cash account.
    struct Withdrawal: Sendable {
        var transaction: String
        var path: String
        var text: String
    }

    struct Number: Sendable {
        var profile: String
        var digits: String
        var seen: String
        var maySplit: Bool
    }

    var id: String
    var name: String
    /// True if only the reader of the page sees the account.
    var isPrivate = false
    /// True if the page offers to make it private, or to share it.
    var mayChangePrivacy = false
    var about: String
    var balance: String
    var basis: String
    var isNew: Bool
    var isDrifting: Bool
    var findings: [Finding]
    /// A sentence about the balances that agree; `nil` with findings.
    var checked: String?
    var numbers: [Number]
    var others: [SelectChoice]
    /// Of a cash account.
    var withdrawals: [Withdrawal]
    var transactions: String
    var typeChoices: [SelectChoice]
    var initial: String
    var initialDate: String
    var limit: String
    var isActive: Bool
    var currency: String

    init(_ id: Int64, in ledger: Snapshot) throws {
        let row = try AccountsPage.row(id, ledger)
        let position = try ledger.userAccounts.position(id)
        self.id = "\(id)"
        name = row.name
        about = AccountText.about(row)
        balance = AccountText.balance(position, of: row)
        basis = AccountText.basis(position, ledger.timeZone)
        isNew = row.isNew
        let since = CalendarDate(daysSince1970: ledger.today.daysSince1970 - AccountsPage.days)
        let check = try ledger.userAccounts.continuity(id, since: since)
        isDrifting = check.isDrifting
        let mails = try ledger.userAccounts.noticeMails(of: check.findings)
        findings = check.findings.reversed().map { Finding($0, row.currency, mails, ledger.timeZone) }
        checked =
            check.findings.isEmpty && !check.isDrifting && check.windows > 0
            ? PageText.of("account.all-follow", ["balances": PageText.count(check.windows, "printed-balance")])
            : nil
        numbers = row.numbers.map { number in
            Number(
                profile: number.profile, digits: number.digits,
                seen: [number.firstSeen, number.lastSeen].compactMap { $0.map(DayText.text) }.joined(
                    separator: PageText.of("account.seen-to")),
                maySplit: row.numbers.count > 1)
        }
        others = try ledger.userAccounts.all().filter { $0.id != id && $0.currency == row.currency }.map {
            SelectChoice("\($0.id)", $0.name, isChosen: false)
        }
        withdrawals =
            row.type != .cash
            ? []
            : try ledger.userAccounts.openWithdrawals(for: id).map {
                Withdrawal(
                    transaction: "\($0.id)", path: "/app/transactions/\($0.id)",
                    text: [MoneyText.text($0.amount), DayText.text($0.date), $0.account ?? ""].joined(separator: " · "))
            }
        transactions = "/app/transactions?" + FormFields.encoded([("user_account", "\(id)")])
        typeChoices = AccountText.types(chosen: row.type)
        initial = row.initialBalance.decimal
        initialDate = row.initialDate?.description ?? ""
        limit = row.creditLimit?.decimal ?? ""
        isActive = row.isActive
        currency = row.currency.code
    }
}

extension AccountView.Finding {
    /// - Parameter mails: the mails of notices.
    init(_ finding: ContinuityFinding, _ currency: Currency, _ mails: [Int64: String], _ zone: IANATimeZone) {
        func path(_ id: Int64) -> String {
            switch AccountMovement.evidence(id) {
            case .transaction(let id): "/app/transactions/\(id)"
            case .notice(let id): mails[id].map { "/app/mails/\($0)" } ?? "/app/mails"
            }
        }

        sentence = finding.sentence(in: currency, money: MoneyText.text)
        window =
            PageText.of(
                "account.between",
                ["start": DayText.instant(finding.start, zone), "end": DayText.instant(finding.end, zone)])
        fromPath = path(finding.from)
        toPath = path(finding.to)
        causes = finding.causes.map { cause in
            switch cause {
            case .draft(let id):
                AccountView.Cause(sentence: cause.sentence, path: "/app/review/\(id)", draft: "\(id)")
            case .wrongDirection(let id), .outlier(let id), .booked(_, again: let id):
                AccountView.Cause(sentence: cause.sentence, path: path(id))
            }
        }
    }
}

extension AccountView {
    /// In a household of one, nothing is private.
    mutating func readPrivacy(of id: Int64, for identity: Identity, in ledger: Snapshot) throws {
        let row = try AccountsPage.row(id, ledger)
        isPrivate = row.owner != nil
        guard let user = identity.user else { return }
        mayChangePrivacy =
            try row.owner == user
            || row.owner == nil && identity.role == .owner && ledger.access.users().count > 1
    }
}
