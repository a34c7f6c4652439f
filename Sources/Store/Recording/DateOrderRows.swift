internal import GRDB
public import Ledger

extension MailRepository {
    /// What the recorded mails of a bank prove about the order of its dates.
    public func dateOrders(of profile: String) throws(StoreError) -> DateOrderCounts {
        try read { try DateOrderRows.counts(profile, in: $0) }
    }
}

extension Store {
    /// The decision as it would be recorded now: with its day in the order that recorded mails of the bank prove.
    public func dated(_ decision: Decision) throws(StoreError) -> Decision {
        guard decision.dates.other != nil, let profile = decision.profile else { return decision }
        return decision.dated(by: try mails.dateOrders(of: profile))
    }
}

/// The counts of a batch: each mail is dated by the mails before it.
struct DateOrderRows {
    private let db: Database
    private var known: [String: DateOrderCounts] = [:]
    private var added: [String: DateOrderCounts] = [:]

    init(_ db: Database) { self.db = db }

    fileprivate static func counts(_ profile: String, in db: Database) throws -> DateOrderCounts {
        var counts = DateOrderCounts()
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT date_order, mails FROM date_order_counts WHERE profile = ?"),
            arguments: [profile])
        while let row = try rows.next() {
            switch DateOrder(rawValue: row[0]) {
            case .dayFirst: counts.dayFirst = row[1]
            case .monthFirst: counts.monthFirst = row[1]
            case .yearFirst, nil: break
            }
        }
        return counts
    }

    /// The entry with its day in the order that the mails before it prove.
    mutating func dated(_ entry: MailEntry) throws -> MailEntry {
        guard entry.decision.dates.other != nil, let profile = entry.decision.profile else { return entry }
        if known[profile] == nil { known[profile] = try Self.counts(profile, in: db) }
        var counts = known[profile] ?? DateOrderCounts()
        if let more = added[profile] {
            counts.dayFirst += more.dayFirst
            counts.monthFirst += more.monthFirst
        }
        var entry = entry
        entry.decision = entry.decision.dated(by: counts)
        return entry
    }

    /// Counts a new mail. One that is not authentic proves nothing, and a copy proves nothing more.
    mutating func add(_ entry: MailEntry, _ verdict: EntryVerdict) {
        let decision = entry.decision
        guard !decision.dates.proven.isEmpty, decision.source?.isAuthentic == true, !verdict.isSameMail,
            let profile = decision.profile
        else { return }
        added[profile, default: DateOrderCounts()].add(decision.dates.proven)
    }

    func flush() throws {
        for (profile, counts) in added {
            for order in [DateOrder.dayFirst, .monthFirst] where counts[order] > 0 {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO date_order_counts (profile, date_order, mails) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET mails = mails + excluded.mails
                        """
                ).execute(arguments: [profile, order.rawValue, counts[order]])
            }
        }
    }
}
