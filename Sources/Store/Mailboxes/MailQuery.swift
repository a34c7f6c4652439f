public import Chronology
internal import GRDB
public import Ledger

/// Conditions for mails; unset ones admit every mail.
public struct MailQuery: Hashable, Sendable {
    public var outcomes: Set<Outcome>?
    public var mailbox: String?
    /// Key of the bank.
    public var bank: String?
    public var template: String?
    /// First and last day of arrival, in the time zone of the ledger.
    public var since: CalendarDate?
    public var until: CalendarDate?
    /// Part of the subject or of the sender's address.
    public var text: String?
    /// Only mails that were recorded before this one: ``MailPage/next``.
    public var before: Int64?
    public var limit: Int

    public init(limit: Int = 100) { self.limit = limit }
}

/// Mails in descending order of their recording.
public struct MailPage: Sendable {
    public var rows: [MailRow]
    /// The value of ``MailQuery/before`` for the next page; `nil` at the end.
    public var next: Int64?
}

extension MailRepository {
    /// One page of mails, newest first. Reads backwards and stops when the page is full; a text or a day that matches
    /// few mails reads all of the outcome.
    public func page(_ query: MailQuery) throws(StoreError) -> MailPage {
        let zone = access.store.zone
        let condition = MailCondition(query, zone)
        return try read { db in
            var page = MailPage(rows: [])
            var last: Int64 = 0
            let limit = max(query.limit, 0)
            try PreparedStatement(
                db,
                """
                SELECT \(MailRow.columns), m.rowid FROM processed_emails m\(condition.index)
                WHERE \(condition.sql) ORDER BY m.rowid DESC LIMIT ?
                """
            ).each {
                for value in condition.values { value.bind(to: &$0) }
                $0.bind(Int64(limit + 1))
            } _: { row in
                if page.rows.count == limit {
                    page.next = last
                    return false
                }
                page.rows.append(MailRow(row))
                last = row.int(MailRow.columnCount)
                return true
            }
            return page
        }
    }
}

/// The terms of a query. The plus keeps an index from ordering the rows otherwise than by their recording.
fileprivate struct MailCondition {
    enum Value {
        case text(String)
        case number(Int64)
        case time(UnixTime)

        func bind(to binder: inout Binder) {
            switch self {
            case .text(let text): binder.bind(text)
            case .number(let number): binder.bind(number)
            case .time(let time): binder.bind(time)
            }
        }
    }

    private(set) var sql = "1"
    private(set) var values: [Value] = []
    private(set) var index = ""

    init(_ query: MailQuery, _ zone: IANATimeZone) {
        if let outcomes = query.outcomes {
            if outcomes.count == 1, let outcome = outcomes.first {
                index = " INDEXED BY processed_emails_newest"
                add("m.status = ?", .text(outcome.rawValue))
            } else {
                let names = outcomes.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
                add("+m.status IN (\(names))")
            }
        }
        if let before = query.before { add("m.rowid < ?", .number(before)) }
        if let mailbox = query.mailbox { add("+m.mailbox = ?", .text(mailbox)) }
        if let bank = query.bank { add("+m.profile = ?", .text(bank)) }
        if let template = query.template { add("+m.template = ?", .text(template)) }
        let arrival = "coalesce(m.received_at, m.sent_at, m.processed_at)"
        if let since = query.since { add("\(arrival) >= ?", .time(zone.instant(since))) }
        if let until = query.until {
            add("\(arrival) < ?", .time(zone.instant(CalendarDate(daysSince1970: until.daysSince1970 + 1))))
        }
        if let text = query.text, !text.isEmpty {
            let pattern = Value.text(QueryCondition.pattern(text))
            add("(m.subject LIKE ? ESCAPE '\\' OR m.from_address LIKE ? ESCAPE '\\')", pattern, pattern)
        }
    }

    private mutating func add(_ term: String, _ more: Value...) {
        sql += " AND " + term
        values += more
    }
}
