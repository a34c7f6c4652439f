import Chronology
import GRDB
import Ledger

/// The balances of an account's statements at the ends of days, as observations beside the printed balances of alerts.
///
/// A bank may enter a movement days after its alert. An end of a day between the two is left out, because ledger and
/// bank disagree there about a movement that both have.
struct StatementBalances {
    /// The balance at the end of each day.
    private var balances: [CalendarDate: Int64] = [:]
    /// Days from the earlier of a line and its transaction up to the day before the later one.
    private var crossed = Set<CalendarDate>()

    /// The longest delay between a line and its transaction that is considered, in days.
    private static let longestDelay = 31

    /// True if no statement of the account proves a balance.
    var isEmpty: Bool { balances.isEmpty }

    init(of account: UserAccountRow, _ db: Database) throws {
        let statements = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT s.id, s.first_day, s.last_day, s.opening_minor, s.closing_minor
                    FROM statements s JOIN user_accounts a ON a.id = s.user_account_id
                    WHERE coalesce(a.merged_into, a.id) = ?1 AND s.currency = ?2 AND s.proof <> 'none' ORDER BY s.last_day, s.id
                    """), arguments: [account.id, account.currency.code])
        for row in statements {
            let (first, last): (CalendarDate, CalendarDate) = (row[1], row[2])
            if let opening = row[3] as Int64? {
                balances[CalendarDate(daysSince1970: first.daysSince1970 - 1)] = opening
            }
            try readLines(row[0], db)
            if let closing = row[4] as Int64? { balances[last] = closing }
        }
    }

    private mutating func readLines(_ statement: Int64, _ db: Database) throws {
        try PreparedStatement(
            db,
            """
            SELECT l.day, l.balance_minor, t.parsed_date FROM statement_lines l
            LEFT JOIN transactions t ON t.id = l.transaction_id AND \(StatementRow.isLive)
            WHERE l.statement_id = ? ORDER BY l.number
            """
        ).each({ $0.bind(statement) }) { row in
            let day = row.day(0)
            // The last line of a day counts.
            balances[day] = row.optionalInt(1)
            if let booked = row.optionalDay(2), booked != day {
                let (first, last) = (min(booked, day).daysSince1970, max(booked, day).daysSince1970)
                for between in first..<min(last, first + Self.longestDelay) {
                    crossed.insert(CalendarDate(daysSince1970: between))
                }
            }
            return true
        }
    }

    /// Gives each balance to the last booked line of its day, or before it. A balance that an alert printed stays.
    ///
    /// - Parameters:
    ///   - lines: in the order of their instants.
    ///   - end: the last day of the lines; `nil` if none is left out.
    func add(to lines: inout [AccountLine], until end: CalendarDate?) {
        guard !balances.isEmpty else { return }
        let booked = lines.indices.filter { lines[$0].status == .confirmed }.sorted {
            (lines[$0].day, $0) < (lines[$1].day, $1)
        }
        var position = booked.startIndex
        for (day, balance) in balances.sorted(by: { $0.key < $1.key }) {
            // Lines after `end` are left out, so a later balance would not follow from these lines.
            if let end, day > end { break }
            while position < booked.endIndex, lines[booked[position]].day <= day { position += 1 }
            guard position > booked.startIndex, !crossed.contains(day) else { continue }
            let index = booked[position - 1]
            if lines[index].balance == nil { lines[index].balance = balance }
        }
    }
}
