public import Chronology
internal import GRDB
public import Ledger

/// Filters of an export of transactions. Deleted ones are never included.
public struct TransactionFilter: Hashable, Sendable {
    /// The first and the last day, both included.
    public var since: CalendarDate?
    public var until: CalendarDate?
    /// `nil` means every status.
    public var statuses: Set<TransactionStatus>?
    public var newestFirst: Bool
    /// Only transactions booked after the one with this number.
    public var after: Int64
    /// Only transactions with this tag, in any case of letters.
    public var tag: String?

    public init(
        since: CalendarDate? = nil, until: CalendarDate? = nil, statuses: Set<TransactionStatus>? = nil,
        newestFirst: Bool = false,
        after: Int64 = 0
    ) {
        self.since = since
        self.until = until
        self.statuses = statuses
        self.newestFirst = newestFirst
        self.after = after
    }
}

extension TransactionRepository {
    /// Calls `body` for each transaction, by day and then in the order of booking. Memory does not grow with their
    /// number.
    /// - Parameter body: returns false to end; must not call this store.
    public func each(
        _ filter: TransactionFilter = TransactionFilter(), _ body: (TransactionRow) -> Bool
    ) throws(StoreError) {
        let order = filter.newestFirst ? "DESC" : "ASC"
        let statuses = Self.list(filter.statuses)
        try read { db in
            let statement = try PreparedStatement(
                db,
                """
                SELECT \(TransactionRow.columns) FROM transactions
                WHERE parsed_date BETWEEN ? AND ? AND status IN (\(statuses)) AND id > ? AND deleted_at IS NULL AND \(Self.tagTerm) ORDER BY parsed_date \(order), id \(order)
                """)
            try statement.each {
                $0.bind(filter.since?.description ?? "0000")
                $0.bind(filter.until?.description ?? "9999")
                $0.bind(filter.after)
                $0.bind(filter.tag)
                $0.bind(filter.tag)
            } _: {
                body(TransactionRow($0))
            }
        }
    }

    /// The number of transactions of a filter.
    public func count(_ filter: TransactionFilter = TransactionFilter()) throws(StoreError) -> Int {
        try read { db in
            let statement = try PreparedStatement(
                db,
                """
                SELECT count(*) FROM transactions
                WHERE parsed_date BETWEEN ? AND ? AND status IN (\(Self.list(filter.statuses))) AND id > ? AND deleted_at IS NULL AND \(Self.tagTerm)
                """)
            let count = try statement.first({
                $0.bind(filter.since?.description ?? "0000")
                $0.bind(filter.until?.description ?? "9999")
                $0.bind(filter.after)
                $0.bind(filter.tag)
                $0.bind(filter.tag)
            }) { $0.int(0) }
            return Int(count ?? 0)
        }
    }

    /// Term of the filter by tag, with the tag as two parameters; NULL selects every row.
    private static var tagTerm: String { "(? IS NULL OR id IN (SELECT transaction_id FROM tags WHERE name = ?))" }

    /// The statuses as a list of SQL; `nil` is every status.
    private static func list(_ statuses: Set<TransactionStatus>?) -> String {
        (statuses ?? Set(TransactionStatus.allCases)).map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    }

    /// One transaction, even if it was rejected; `nil` if it does not exist or was deleted.
    public func find(_ id: Int64) throws(StoreError) -> TransactionRow? {
        try read { db in
            try PreparedStatement(
                db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ? AND deleted_at IS NULL"
            )
            .first({ $0.bind(id) }, TransactionRow.init)
        }
    }
}

extension TransactionRepository {
    /// The transaction of a mail; `nil` if there is none or it was deleted.
    public func find(ofMail id: String) throws(StoreError) -> TransactionRow? {
        try read { db in
            try PreparedStatement(
                db,
                "SELECT \(TransactionRow.columns) FROM transactions WHERE source_email_id = ? AND deleted_at IS NULL"
            ).first({ $0.bind(id) }, TransactionRow.init)
        }
    }
}

/// Origin of a transaction's category. Only a person changes a person's choice.
public enum CategoryChoice: String, Hashable, Sendable, CaseIterable {
    case mapping, transfer, person
}

/// A row of the ledger for display and export.
public struct TransactionRow: Hashable, Sendable {
    public var id: Int64
    /// `processed_emails.id` of the mail that made it.
    public var mailID: String?
    public var ledger: String
    public var category: String
    public var subcategory: String?
    public var amount: Money
    public var accountName: String?
    /// Last digits as printed.
    public var accountDigits: String?
    /// `Auto`, `Manual`, `Import` or `SMS`.
    public var recorder: String
    /// `yyyy-mm-dd` and `HH:mm:ss` in the bank's time zone.
    public var date: CalendarDate
    public var time: TimeOfDay?
    public var vendor: String?
    public var notes: String?
    public var type: TransactionType
    public var status: TransactionStatus
    public var confidence: Double?
    public var channel: Channel?
    public var reference: String?
    public var vpa: String?
    public var balance: Money?
    public var limit: Money?
    /// Key of the bank, such as `hdfc`.
    public var profile: String?
    public var occurredAt: UnixTime
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
    /// Incremented by every change.
    public var revision: Int64
    /// Transaction that may be the same event.
    public var duplicateOf: Int64?
    /// JSON; see the column of this name.
    public var provenance: String?
    /// `accounts.id`, if an account template read it or a client named one.
    public var accountID: String?
    public var idempotencyKey: String?
    /// Time of a person's last change.
    public var editedAt: UnixTime?
    /// Reason of the category, as of the time when it was chosen; `nil` if there is none.
    public var categoryWhy: String?
    /// `nil` for an uncategorized transaction.
    public var categoryBy: CategoryChoice?
    /// Four digits of ISO 18245.
    public var mcc: String?
    /// `user_accounts.id`: the user's account whose digits the alert prints, or that a person named.
    public var userAccountID: Int64?
    /// In order of their names.
    public var tags: [String] = []
    /// `payees.id`.
    public var payeeID: Int64?
    /// Name of the payee; the printed text stays in `vendor`.
    public var payee: String?
    /// True if it is split over several categories, see ``TransactionRepository/parts(of:)``.
    public var isSplit = false

    static let columns = """
        id, source_email_id, ledger, category_name, subcategory, amount_minor, currency, account_name, account_digits, recorder, parsed_date, \
        parsed_time, parsed_vendor, notes, transaction_type, status, confidence_score, channel, reference, vpa, balance_minor, balance_currency, \
        limit_minor, limit_currency, profile, occurred_at, created_at, updated_at, revision, duplicate_of, provenance, \
        account_id, idempotency_key, user_edited_at, \
        category_why, category_by, mcc, user_account_id, \
        (SELECT group_concat(name, char(31)) FROM tags WHERE transaction_id = id), \
        payee_id, (SELECT p.name FROM payees p WHERE p.id = payee_id), \
        EXISTS (SELECT 1 FROM split_transactions s WHERE s.transaction_id = id)
        """

    /// Without the provenance, which is half of a row and which no list shows.
    static let listColumns = columns.replacing("provenance", with: "NULL")

    /// The number of columns; further columns of a query begin at this index.
    static let columnCount: CInt = 42
}

extension TransactionRow {
    init(_ row: Columns) {
        id = row.int(0)
        mailID = row.optionalText(1)
        ledger = row.text(2)
        category = row.text(3)
        subcategory = row.optionalText(4)
        amount = Money(minorUnits: row.int(5), currency: Currency(code: row.text(6)) ?? .inr)
        accountName = row.optionalText(7)
        accountDigits = row.optionalText(8)
        recorder = row.text(9)
        date = row.day(10)
        time = row.optionalTime(11)
        vendor = row.optionalText(12)
        notes = row.optionalText(13)
        // CHECK constraints restrict these columns to the enums.
        type = TransactionType(rawValue: row.text(14)) ?? .expense
        status = TransactionStatus(rawValue: row.text(15)) ?? .needsReview
        confidence = row.optionalDouble(16)
        channel = row.optionalText(17).flatMap(Channel.init)
        reference = row.optionalText(18)
        vpa = row.optionalText(19)
        balance = row.money(20)
        limit = row.money(22)
        profile = row.optionalText(24)
        occurredAt = row.instant(25)
        createdAt = row.instant(26)
        updatedAt = row.instant(27)
        revision = row.int(28)
        duplicateOf = row.optionalInt(29)
        provenance = row.optionalText(30)
        accountID = row.optionalText(31)
        idempotencyKey = row.optionalText(32)
        editedAt = row.optionalInstant(33)
        categoryWhy = row.optionalText(34)
        categoryBy = row.optionalText(35).flatMap(CategoryChoice.init)
        mcc = row.optionalText(36)
        userAccountID = row.optionalInt(37)
        tags = row.optionalText(38)?.split(separator: "\u{1F}").map(String.init) ?? []
        payeeID = row.optionalInt(39)
        payee = row.optionalText(40)
        isSplit = row.int(41) != 0
    }
}

extension TransactionRow {
    /// Account in words: its name, which already ends with the digits for a mail's account, otherwise followed by the
    /// digits.
    public var account: String? {
        guard let name = accountName else { return accountDigits }
        guard let digits = accountDigits, !name.hasSuffix(digits) else { return name }
        return "\(name) \(digits)"
    }
}

extension Columns {
    /// Minor units and, in the next column, their currency.
    func money(_ index: CInt) -> Money? {
        guard let units = optionalInt(index), let currency = Currency(code: text(index + 1)) else { return nil }
        return Money(minorUnits: units, currency: currency)
    }
}
