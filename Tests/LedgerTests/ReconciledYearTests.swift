import Chronology
import Testing

@testable import Ledger

/// A year of one account with losses and faults planted: the truth is known for each line.
@Suite struct ReconciledYearTests {
    /// SplitMix64, so that a year is the same in each run.
    struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// A statement, the ledger, and what belongs together.
    struct Year {
        var statement = BankStatement(currency: .inr)
        var entries: [LedgerEntry] = []
        /// The transaction of each line; `nil` if its alert was lost.
        var truth: [Int64?] = []
        var doubles: Set<Int64> = []
        var forged: Set<Int64> = []
    }

    static let payees = [
        ("Swiggy", "SWIGGY BANGALORE"), ("Blue Heron Cafe", "BLUE HERON CAFE"), ("Metro Card", "METRO RAIL"),
        ("Green Grocer", "GREEN GROCER PUNE"), ("Amazon", "AMAZON PAY INDIA"), ("Bundl Tech", "PYU SWG"),
        ("Indian Oil", "INDIAN OIL 4411"), ("Rohan Mehta", "ROHAN MEHTA"), ("Netflix", "NETFLIX COM"),
        ("", "BANK CHARGES"),
    ]

    /// Five events a day, amounts mostly round and so often equal; of a hundred alerts about four are lost, one is
    /// booked twice, one announces a lower amount, and one row is forged.
    static func year(seed: UInt64) throws -> Year {
        var random = SeededGenerator(state: seed)
        var year = Year()
        let first = 20_454
        year.statement.period = DaySpan(days: 365, through: CalendarDate(daysSince1970: first + 364))
        var drawn: [(line: StatementLine, id: Int64?)] = []
        for number in 0..<1825 {
            let id = Int64(number + 1)
            let day = first + number / 5
            let payee = try #require(payees.randomElement(using: &random))
            let isRound = Int.random(in: 0..<10, using: &random) < 7
            let amount =
                isRound
                ? Int64.random(in: 1...40, using: &random) * 5000 : Int64.random(in: 1000...500_000, using: &random)
            let reference = Int.random(in: 0..<10, using: &random) < 4 ? String(512_000_000_000 + number * 7919) : nil
            let posted = min(day + (reference == nil ? Int.random(in: 0...3, using: &random) : 0), first + 364)
            let change = Int.random(in: 0..<12, using: &random) == 0 ? amount : -amount
            let text = reference.map { "UPI/\($0)/\(payee.1)" } ?? "POS 4411 \(payee.1)"
            let line = StatementLine(
                row: 0, day: CalendarDate(daysSince1970: posted), change: change, text: text)
            var entry = LedgerEntry(
                id: id, day: CalendarDate(daysSince1970: day), change: change, payee: payee.0, reference: reference)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<4:
                drawn.append((line, nil))
                continue
            case 4:
                entry.id = id + 10_000
                year.doubles.insert(entry.id)
                year.entries.append(entry)
                entry.id = id
            case 5:
                entry.change = change - change / 50
            case 6:
                var forged = entry
                forged.id = id + 20_000
                forged.reference = nil
                forged.payee = "Lottery Prize"
                forged.change = -Int64.random(in: 600_001...900_000, using: &random)
                year.forged.insert(forged.id)
                year.entries.append(forged)
            default: break
            }
            year.entries.append(entry)
            drawn.append((line, id))
        }
        drawn.shuffle(using: &random)
        for (index, row) in drawn.sorted(by: { $0.line.day < $1.line.day }).enumerated() {
            var line = row.line
            line.row = index + 1
            year.statement.lines.append(line)
            year.truth.append(row.id)
        }
        year.entries.shuffle(using: &random)
        return year
    }

    /// Lines by what became of them.
    struct Count: CustomStringConvertible {
        var right = 0
        /// A line has another transaction than its own.
        var wrong = 0
        /// A line without an alert has a transaction.
        var invented = 0
        /// A line with an alert has none.
        var left = 0
        var lost = 0
        var description: String { "right \(right), wrong \(wrong), invented \(invented), left \(left), lost \(lost)" }
    }

    static func count(_ year: Year, _ result: Reconciliation) -> Count {
        var found: [Int: Int64] = [:]
        for match in result.matches { found[match.line] = match.transaction }
        var count = Count()
        for (line, truth) in year.truth.enumerated() {
            // Of an event that is booked twice, either row is right.
            let match = found[line].map { year.doubles.contains($0) ? $0 - 10_000 : $0 }
            switch (match, truth) {
            case (nil, nil): count.lost += 1
            case (nil, _): count.left += 1
            case (_, nil): count.invented += 1
            case (let a, let b): if a == b { count.right += 1 } else { count.wrong += 1 }
            }
        }
        return count
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func plantedLossesAreFound(seed: UInt64) throws {
        let year = try Self.year(seed: seed)
        let result = Reconciliation(year.statement, with: year.entries)
        let count = Self.count(year, result)
        print("reconciled year \(seed): \(count) of \(year.truth.count) lines")
        let lines = year.truth.count
        let alerted = count.right + count.wrong + count.left
        #expect(count.right * 1000 >= alerted * 985, "\(count)")
        #expect((count.wrong + count.invented) * 1000 <= lines * 12, "\(count)")
        #expect(count.left * 1000 <= lines * 5, "\(count)")
        let missing = Dictionary(uniqueKeysWithValues: result.onlyInLedger.map { ($0.transaction, $0.cause) })
        #expect(year.forged.allSatisfy { missing[$0] != nil })
    }
}
