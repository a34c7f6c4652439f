import Chronology
import ChronologyFixture
import Foundation
import GRDB
import Ledger
import Processes
import Randomness

@testable import Exports
@testable import Store

/// A ledger in a folder of its own, removed with its value.
final class ExportFixture {
    let folder: String
    let store: Store
    static let clerk = Actor(.page, "asha")

    init() throws {
        folder = NSTemporaryDirectory() + "exports-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db", readOnly: false, now: { 1_767_600_000 })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    func account(
        _ name: String, _ type: UserAccountType = .bank, currency: Currency = .inr, initial: Int64 = 0,
        from day: CalendarDate? = nil
    ) throws -> Int64 {
        var edit = UserAccountEdit()
        (edit.name, edit.type, edit.currency) = ("new", type, currency)
        edit.initialBalance = initial
        edit.initialDate = day.map { .set($0) } ?? .keep
        let id = try store.userAccounts.add(edit, by: Self.clerk).id
        // Names of any text: those of earlier versions and other programs were not checked.
        try sql("UPDATE user_accounts SET name = ? WHERE id = ?", [name.isEmpty ? "Account" : name, id])
        return id
    }

    /// Books a row and sets texts that no surface would accept.
    @discardableResult
    func book(
        _ minor: Int64, _ type: TransactionType = .expense, on day: CalendarDate, in account: Int64? = nil,
        currency: Currency = .inr, _ fill: (inout Texts) -> Void = { _ in }
    ) throws -> Int64 {
        var new = NewTransaction(amount: Money(minorUnits: minor, currency: currency), type: type, date: day)
        new.userAccountID = account
        let id = try store.transactions.add(new, by: Self.clerk).id
        var texts = Texts()
        fill(&texts)
        try sql(
            "UPDATE transactions SET parsed_vendor = ?, category_name = ?, subcategory = ?, notes = ?, reference = ? WHERE id = ?",
            [texts.merchant, texts.category, texts.subcategory, texts.notes, texts.reference, id])
        return id
    }

    struct Texts {
        var merchant: String? = "Shop"
        var category = "Food"
        var subcategory: String?
        var notes: String?
        var reference: String?
    }

    func print(_ balance: Int64, of transaction: Int64, currency: String = "INR") throws {
        try sql(
            "UPDATE transactions SET balance_minor = ?, balance_currency = ? WHERE id = ?",
            [balance, currency, transaction])
    }

    func sql(_ text: String, _ values: [(any DatabaseValueConvertible)?]) throws {
        try store.writeDatabase { try $0.execute(sql: text, arguments: StatementArguments(values)) }
    }

    /// The text of an export, and the session at its end.
    func export(_ request: ExportRequest) throws -> (text: String, session: ExportSession) {
        try store.read { ledger in
            var session = try ExportSession(request, in: ledger)
            var bytes: [UInt8] = []
            while let piece = try session.next(in: ledger) { bytes += piece }
            return (String(decoding: bytes, as: UTF8.self), session)
        }
    }

    func text(_ format: ExportFormat, _ query: TransactionQuery = .confirmed) throws -> String {
        try export(ExportRequest(format, query)).text
    }

    /// Writes an export to a file in the folder.
    func file(_ format: ExportFormat) throws -> String {
        let path = "\(folder)/export.\(format.fileExtension)"
        try text(format).write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

/// Texts that senders and people can write, and that mean something in a format.
let hostileTexts = [
    #"Café "Noir"; DROP|TABLE"#, "line\nbreak\ttab\r\nand", "=SUM(A1)", "-5", "@home", "; comment",
    "two  blanks", "(code) x", "* starred", "! bang", "\u{202E}right to left\u{200F}\u{2066}",
    "{ curly } [2026-13-99] date:x, date2:9", "कैफ़े", "🍵 tea", #"back\slash\"#, "<a>&b</a>]]>",
    "\u{1}bell\u{7}\u{1B}[31m",
    "|",
    "::a::b", "\u{FEFF}mark", "^", "!Account", "N\nT100\n^", "%pragma", "include /etc/passwd", "#tag ^link",
    "\u{FF1D}1+1", "", " ", "\u{2028}separator\u{85}", "https://shop.example/?a=b&c=d", "'quote", "a,b",
    "commodity INR", "=  1", "@@ 5 USD", "[Assets:Other]", "Trailing\\", "Ünïcode Straße", "end ;",
    "accents \"\u{301} ;\u{301} \\\u{301},\u{301}", "\u{301}lead", "tilde |\u{303} x",
]

/// A ledger of random rows that depends on a seed alone, and the balances that its rows add up to.
final class RandomLedger {
    let fixture: ExportFixture
    private(set) var balances: [Key: Int64] = [:]
    /// Second reports of payments, which count nowhere.
    private(set) var replaced: Set<Int64> = []
    private var random: SplitMix64

    /// A balance of an account, or of the rows that name none (`nil`), in a currency.
    struct Key: Hashable {
        var account: Int64?
        var currency: String
    }

    struct Row {
        var id: Int64
        var account: Int64?
        var day: CalendarDate
        var currency: String
        var change: Int64?
    }

    init(seed: UInt64, rows count: Int, currencies: [String] = ["INR", "INR", "USD", "JPY", "KWD"]) throws {
        fixture = try ExportFixture()
        random = SplitMix64(state: seed)
        for code in ["USD", "EUR", "JPY"] {
            guard let base = Currency(code: code),
                let rate = ExchangeRate(
                    day: "2024-12-01", base: base, quote: .inr, billionths: 91_250_000_000, source: .person)
            else { continue }
            try fixture.store.exchangeRates.set(rate, by: .terminal)
        }
        var accounts: [(id: Int64, currency: Currency)] = []
        for type in UserAccountType.allCases + [.bank, .card] {
            let currency = Currency(code: currencies.randomElement(using: &random) ?? "INR")
            let id = try fixture.account(text(), type, currency: currency ?? .inr)
            accounts.append((id, currency ?? .inr))
        }
        var rows: [Row] = []
        for _ in 0..<count { rows.append(try book(accounts.randomElement(using: &random))) }
        try link(&rows)
        for name in ["Food", "House"] { _ = try fixture.store.categories.add(name: name) }
        for _ in 0..<6 { try connect(&rows) }
        try printBalances(rows, accounts)
        for row in rows {
            guard let change = row.change else { continue }
            balances[Key(account: row.account, currency: row.currency), default: 0] += change
        }
    }

    private func text() -> String { hostileTexts.randomElement(using: &random) ?? "" }

    private func book(_ account: (id: Int64, currency: Currency)?) throws -> Row {
        let isForeign = Int.random(in: 0..<8, using: &random) == 0
        let currency = isForeign ? Currency(code: "EUR") ?? .inr : account?.currency ?? .inr
        let amount = Int64.random(in: 1...5_000_000, using: &random)
        let kind = Int.random(in: 0..<10, using: &random)
        let type: TransactionType = kind < 6 ? .expense : kind < 9 ? .income : .transfer
        let day = CalendarDate(daysSince1970: 20_000 + Int.random(in: 0..<60, using: &random))
        let hasAccount = Int.random(in: 0..<12, using: &random) > 0
        let names = (0..<5).map { _ in text() }
        let id = try fixture.book(amount, type, on: day, in: hasAccount ? account?.id : nil, currency: currency) {
            $0 = ExportFixture.Texts(
                merchant: names[0], category: names[1].isEmpty ? "Other" : names[1],
                subcategory: names[2].isEmpty ? nil : names[2], notes: names[3], reference: names[4])
        }
        // A transfer without a payee was received.
        let isReceived = type == .income || type == .transfer && names[0].isEmpty
        let change = isReceived ? amount : -amount
        return Row(
            id: id, account: hasAccount ? account?.id : nil, day: day, currency: currency.code, change: change)
    }

    /// Links pairs of new rows as transfers.
    private func link(_ rows: inout [Row]) throws {
        let inr = rows.filter { $0.account != nil && $0.currency == "INR" }
        guard inr.count > 3 else { return }
        for _ in 0..<10 {
            guard let from = inr.randomElement(using: &random), let to = inr.randomElement(using: &random) else {
                continue
            }
            let amount = Int64.random(in: 1...100_000, using: &random)
            let later = CalendarDate(
                daysSince1970: from.day.daysSince1970 + Int.random(in: 0...3, using: &random))
            let debit = try fixture.book(amount, .expense, on: from.day, in: from.account)
            let credit = try fixture.book(amount, .income, on: later, in: to.account)
            try fixture.store.transfers.link(debit: debit, credit: credit, by: ExportFixture.clerk)
            rows.append(Row(id: debit, account: from.account, day: from.day, currency: "INR", change: -amount))
            rows.append(Row(id: credit, account: to.account, day: later, currency: "INR", change: amount))
        }
    }

    /// Books a split payment, a purchase with its refund, one in instalments, and one that is reported twice.
    private func connect(_ rows: inout [Row]) throws {
        guard let place = rows.filter({ $0.account != nil && $0.currency == "INR" }).randomElement(using: &random)
        else { return }
        func add(_ amount: Int64, _ type: TransactionType = .expense, after days: Int = 0) throws -> Int64 {
            let day = CalendarDate(daysSince1970: place.day.daysSince1970 + days)
            let category = text()
            let id = try fixture.book(amount, type, on: day, in: place.account) {
                $0.category = category.isEmpty ? "Other" : category
            }
            let change = type == .income ? amount : -amount
            rows.append(Row(id: id, account: place.account, day: day, currency: "INR", change: change))
            return id
        }
        let links = fixture.store.eventLinks
        let amount = Int64.random(in: 1000...900_000, using: &random)
        let part = Int64.random(in: 1..<amount, using: &random)
        try fixture.store.transactions.split(
            try add(amount),
            [
                SplitPart(category: "Food", minorUnits: part),
                SplitPart(category: "House", minorUnits: amount - part),
            ], by: ExportFixture.clerk)
        let purchase = try add(amount)
        try links.link(purchase, to: try add(part, .income, after: 5), as: .refund, by: ExportFixture.clerk)
        let spread = try add(amount)
        for month in 1...2 {
            // Half of the price each, with interest.
            let instalment = try add(amount / 2 + part / 7 + 1, after: 30 * month)
            try links.link(spread, to: instalment, as: .instalment, by: ExportFixture.clerk)
        }
        let again = try fixture.book(amount, on: place.day)
        try links.link(try add(amount), to: again, as: .sameEvent, by: ExportFixture.clerk)
        replaced.insert(again)
    }

    /// Prints a balance behind some rows: the true one or, now and then, another.
    private func printBalances(_ rows: [Row], _ accounts: [(id: Int64, currency: Currency)]) throws {
        for (id, currency) in accounts.prefix(5) {
            var balance = Int64.random(in: 0...10_000_000, using: &random)
            balances[Key(account: id, currency: currency.code), default: 0] += balance
            let initial = balance
            let own = rows.filter { $0.account == id && $0.currency == currency.code }
            for row in own.sorted(by: { ($0.day, $0.id) < ($1.day, $1.id) }) {
                balance += row.change ?? 0
                guard row.change != nil, Int.random(in: 0..<3, using: &random) == 0 else { continue }
                let isWrong = Int.random(in: 0..<6, using: &random) == 0
                try fixture.print(isWrong ? balance + 7 : balance, of: row.id, currency: currency.code)
            }
            try fixture.sql(
                "UPDATE user_accounts SET initial_balance_minor = ?, initial_balance_date = '2020-01-01' WHERE id = ?",
                [initial, id])
        }
    }
}

/// A program that reads exports.
enum Reader: String {
    case hledger, ledger
    case beanCheck = "bean-check"
    case beanQuery = "bean-query"
    case ofxdump

    var path: String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + rawValue }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    var isInstalled: Bool { path != nil }

    func run(
        _ arguments: [String], in folder: String
    ) throws -> (output: String, errors: String, status: Int32) {
        let errors = "\(folder)/errors-\(rawValue)"
        let command = #"exec env LC_ALL=C.UTF-8 "$@" 2>"$0""#
        let outcome = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", command, errors, path ?? "/nonexistent"] + arguments,
            inheritsEnvironment: true, seconds: 300, outputBytes: 64 << 20
        ).run()
        let status: Int32 = if case .exit(let status) = outcome.end { status } else { -1 }
        return (
            String(decoding: outcome.output, as: UTF8.self), try String(contentsOfFile: errors, encoding: .utf8), status
        )
    }
}
