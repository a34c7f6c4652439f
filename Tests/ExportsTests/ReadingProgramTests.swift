import Chronology
import Foundation
import Ledger
import Store
import Testing

@testable import Exports

/// Exports of random ledgers, read by the programs that they are made for: accepted, and with equal balances.
@Suite struct ReadingProgramTests {
    static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

    @Test(.enabled(if: Reader.hledger.isInstalled, "hledger is not installed"), arguments: seeds)
    func hledgerAcceptsTheJournal(seed: UInt64) throws {
        let random = try RandomLedger(seed: seed, rows: 250)
        let file = try random.fixture.file(.hledger)
        let folder = random.fixture.folder
        let check = try Reader.hledger.run(["-f", file, "check", "--strict", "ordereddates"], in: folder)
        #expect(check.status == 0, "\(check.errors.prefix(2000))")
        let balances = try Reader.hledger.run(
            ["-f", file, "balance", "--flat", "--no-total", "--layout", "bare", "-O", "csv"], in: folder)
        #expect(balances.status == 0, "\(balances.errors.prefix(2000))")
        var found: [String: [String: Int64]] = [:]
        for line in balances.output.split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\",\"").map { String($0.replacing("\"", with: "")) }
            guard cells.count == 3 else { continue }
            found[cells[0], default: [:]][cells[1]] = Self.thousandths(cells[2])
        }
        try expectBalances(of: random, Path.worded, found)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(" = "), "some balances are asserted")
    }

    /// The program that can tell imports an export, and nothing of the same one again.
    @Test(.enabled(if: Reader.hledger.isInstalled, "hledger is not installed"))
    func hledgerImportsAnExportOnce() throws {
        let fixture = try RandomLedger(seed: 7, rows: 60).fixture
        let export = try fixture.file(.hledger)
        let main = fixture.folder + "/main.journal"
        try Data().write(to: URL(filePath: main))
        let first = try Reader.hledger.run(["-f", main, "import", export], in: fixture.folder)
        #expect(first.status == 0 && first.output.contains("imported"), "\(first.output)\(first.errors.prefix(2000))")
        let imported = try Data(contentsOf: URL(filePath: main))
        let again = try Reader.hledger.run(["-f", main, "import", export], in: fixture.folder)
        #expect(again.status == 0 && again.output.contains("no new transactions"), "\(again.output)")
        #expect(try !imported.isEmpty && Data(contentsOf: URL(filePath: main)) == imported)
    }

    @Test(.enabled(if: Reader.ledger.isInstalled, "ledger is not installed"), arguments: seeds)
    func ledgerAcceptsTheJournal(seed: UInt64) throws {
        let random = try RandomLedger(seed: seed, rows: 250)
        let file = try random.fixture.file(.ledger)
        let result = try Reader.ledger.run(
            [
                "--init-file", "/dev/null", "-f", file, "balance", "--flat", "--no-total", "--balance-format",
                "%(account)\t%(join(scrub(display_total)))\n",
            ], in: random.fixture.folder)
        #expect(result.status == 0, "\(result.errors.prefix(2000))")
        var found: [String: [String: Int64]] = [:]
        for line in result.output.split(separator: "\n") {
            let cells = line.split(separator: "\t")
            guard cells.count == 2 else { continue }
            for amount in cells[1].replacing("\\n", with: "\n").split(separator: "\n") {
                let words = amount.split(separator: " ")
                guard words.count == 2 else { continue }
                found[String(cells[0]), default: [:]][String(words[0])] = Self.thousandths(String(words[1]))
            }
        }
        try expectBalances(of: random, Path.worded, found)
    }

    @Test(
        .enabled(if: Reader.beanCheck.isInstalled && Reader.beanQuery.isInstalled, "beancount is not installed"),
        arguments: seeds)
    func beancountAcceptsTheFile(seed: UInt64) throws {
        let random = try RandomLedger(seed: seed, rows: 250)
        let file = try random.fixture.file(.beancount)
        let check = try Reader.beanCheck.run([file], in: random.fixture.folder)
        #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors.prefix(2000))")
        let result = try Reader.beanQuery.run(
            ["-f", "csv", file, "SELECT account, currency, sum(number * 1000) GROUP BY account, currency"],
            in: random.fixture.folder)
        #expect(result.status == 0, "\(result.errors.prefix(2000))")
        var found: [String: [String: Int64]] = [:]
        for line in result.output.split(whereSeparator: \.isNewline).dropFirst() {
            let cells = line.split(separator: ",").map { $0.split(separator: " ").joined() }
            if cells.count == 3 { found[cells[0], default: [:]][cells[1]] = Self.thousandths(cells[2]) / 1000 }
        }
        try expectBalances(of: random, Path.dashed, found)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(" balance "), "some balances are asserted")
    }

    @Test(.enabled(if: Reader.ofxdump.isInstalled, "ofxdump is not installed"), arguments: seeds)
    func libofxReadsTheStatements(seed: UInt64) throws {
        // ofxdump prints two decimals.
        let random = try RandomLedger(seed: seed, rows: 250, currencies: ["INR", "USD", "JPY"])
        let file = try random.fixture.file(.ofx)
        let result = try Reader.ofxdump.run([file], in: random.fixture.folder)
        #expect(result.status == 0, "\(result.errors.prefix(2000))")
        var (amounts, ids): ([Int64], [String]) = ([], [])
        for line in result.output.split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1).map { $0.split(separator: " ").joined(separator: " ") }
            guard words.count == 2 else { continue }
            if words[0] == "Total money amount" { amounts.append(Self.thousandths(words[1])) }
            if words[0] == "Financial institution's ID for this transaction" { ids.append(words[1]) }
        }
        let rows = try Self.rows(random.fixture).filter { !random.replaced.contains($0.id) }
        #expect(
            amounts.count == rows.count && Set(ids).count == ids.count && ids.count == amounts.count
        )
        let expected = try random.fixture.store.read { ledger in
            let transfers = try ledger.transfers.linked(of: rows.map(\.id))
            return rows.map { row in
                let flow = EntryMaker.flow(of: row, transfers[row.id])
                return Self.thousandths(row.amount.decimal) * (flow == .credit ? 1 : -1)
            }
        }
        #expect(amounts.sorted() == expected.sorted())
    }

    private static func rows(_ fixture: ExportFixture) throws -> [TransactionRow] {
        var rows: [TransactionRow] = []
        try fixture.store.transactions.each {
            rows.append($0)
            return true
        }
        return rows
    }

    /// A printed number in thousandths; programs print more or fewer decimals than the currency has.
    private static func thousandths(_ text: String) -> Int64 {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = (parts.count > 1 ? String(parts[1]) : "") + "000"
        let value = (Int64(parts.first ?? "0") ?? 0) * 1000 + (Int64(fraction.prefix(3)) ?? 0)
        return isNegative ? -value : value
    }

    /// Compares the balances of the accounts with the sums of the rows, to the minor unit.
    private func expectBalances(
        of random: RandomLedger, _ name: @escaping (String) -> String, _ found: [String: [String: Int64]]
    ) throws {
        let accounts = ExportAccount.all(try random.fixture.store.userAccounts.all())
        for (key, balance) in random.balances {
            guard let id = key.account, let account = accounts[id], let currency = Currency(code: key.currency) else {
                continue
            }
            let path = Path.make(.account(account), name)
            let printed = found[path]?[key.currency] ?? 0
            let expected = Self.thousandths(Money(minorUnits: balance, currency: currency).decimal)
            #expect(printed == expected, "\(path) \(key.currency)")
        }
        let unnamed = random.balances.filter { $0.key.account == nil }
        for (key, balance) in unnamed {
            guard let currency = Currency(code: key.currency) else { continue }
            let account = ExportAccount(unassigned: currency)
            let printed = found[Path.make(.account(account), name)]?[key.currency] ?? 0
            #expect(
                printed == Self.thousandths(Money(minorUnits: balance, currency: currency).decimal))
        }
    }
}
