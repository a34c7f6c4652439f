internal import GRDB
public import Ledger

/// A profile that a person made through the API or the page: a row of `accounts`.
public struct AccountRow: Hashable, Sendable {
    /// A UUID in lower case.
    public var id: String
    public var name: String
    public var cardLastFour: String?
    /// An address, or a domain, that the bank's alerts come from. Without it no mail is claimed.
    public var senderEmail: String?
    public var senderName: String?
    public var subjectPattern: String?
    public var amountRegex: String?
    public var dateRegex: String?
    public var merchantRegex: String?
    public var accountRegex: String?
    public var timeRegex: String?
    public var sampleEmailBody: String?
    public var isActive: Bool
    public var currencyDefault: Currency
    public var defaultTransactionType: TransactionType
    /// ISO 8601 UTC.
    public var createdAt: String
    public var updatedAt: String

    public init(
        id: String = Store.newID(), name: String, cardLastFour: String? = nil, senderEmail: String? = nil, senderName: String? = nil, subjectPattern: String? = nil,
        amountRegex: String? = nil, dateRegex: String? = nil, merchantRegex: String? = nil, accountRegex: String? = nil, timeRegex: String? = nil,
        sampleEmailBody: String? = nil, isActive: Bool = true, currencyDefault: Currency = .inr, defaultTransactionType: TransactionType = .expense,
        createdAt: String = "", updatedAt: String = ""
    ) {
        self.id = id
        self.name = name
        self.cardLastFour = cardLastFour
        self.senderEmail = senderEmail
        self.senderName = senderName
        self.subjectPattern = subjectPattern
        self.amountRegex = amountRegex
        self.dateRegex = dateRegex
        self.merchantRegex = merchantRegex
        self.accountRegex = accountRegex
        self.timeRegex = timeRegex
        self.sampleEmailBody = sampleEmailBody
        self.isActive = isActive
        self.currencyDefault = currencyDefault
        self.defaultTransactionType = defaultTransactionType
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// What cannot stand in the table, by column. Whether its patterns compile is not looked at here.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        if !Store.isUUID(id) { check.refuse("id", "must be a UUID") }
        check.text("name", name, atMost: TextLimit.name)
        if let digits = cardLastFour, !(1...6).contains(digits.utf8.count) || !digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            check.refuse("card_last_four", "must be digits, usually four")
        }
        check.text("sender_email", senderEmail, atMost: 254)
        if let senderEmail, check.problems.isEmpty, !Self.isAddress(senderEmail) { check.refuse("sender_email", "must be an address such as alerts@bank.example") }
        check.text("sender_name", senderName, atMost: TextLimit.name)
        for (field, pattern) in patterns { check.text(field, pattern, atMost: TextLimit.pattern, lines: true) }
        check.text("sample_email_body", sampleEmailBody, atMost: TextLimit.sample, lines: true, mayBeEmpty: true)
        return check.problems
    }

    /// A word of RFC 5322's `atext` and dots, `@`, and two to eight labels of letters, digits and hyphens.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].count), parts[0].allSatisfy({ ("!"..."~").contains($0) && !"\"(),:;<>[\\]".unicodeScalars.contains($0) }) else {
            return false
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return (2...8).contains(labels.count) && labels.allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy { ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0) || $0 == "-" }
        }
    }

    /// What it says of mails.
    public var profile: AccountProfile {
        AccountProfile(
            id: id, name: name, senderEmail: senderEmail, senderName: senderName, subjectPattern: subjectPattern, amountRegex: amountRegex, dateRegex: dateRegex,
            merchantRegex: merchantRegex, accountRegex: accountRegex, timeRegex: timeRegex, cardLastFour: cardLastFour, currency: currencyDefault,
            type: defaultTransactionType)
    }

    /// Each pattern with its column.
    public var patterns: [(field: String, pattern: String?)] {
        [
            ("subject_pattern", subjectPattern), ("amount_regex", amountRegex), ("date_regex", dateRegex), ("merchant_regex", merchantRegex),
            ("account_regex", accountRegex), ("time_regex", timeRegex),
        ]
    }

    init(_ row: Row) {
        id = row["id"]
        name = row["name"]
        cardLastFour = row["card_last_four"]
        senderEmail = row["sender_email"]
        senderName = row["sender_name"]
        subjectPattern = row["subject_pattern"]
        amountRegex = row["amount_regex"]
        dateRegex = row["date_regex"]
        merchantRegex = row["merchant_regex"]
        accountRegex = row["account_regex"]
        timeRegex = row["time_regex"]
        sampleEmailBody = row["sample_email_body"]
        isActive = row["is_active"]
        currencyDefault = Currency(code: row["currency_default"] as String) ?? .inr
        defaultTransactionType = TransactionType(rawValue: row["default_transaction_type"]) ?? .expense
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
    }
}

extension Store {
    /// A UUID that sorts by the time of its making (RFC 9562, version 7).
    public static func newID() -> String { MailID.make() }

    public static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// More than this are not kept: each is tried on every mail of its sender.
    public static let maximumAccounts = 500

    /// By name.
    public func accounts() throws(StoreError) -> [AccountRow] {
        try read { db in try Row.fetchAll(db, sql: "SELECT * FROM accounts ORDER BY name COLLATE NOCASE, id").map(AccountRow.init) }
    }

    public func account(_ id: String) throws(StoreError) -> AccountRow? {
        try read { db in try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [id.lowercased()]).map(AccountRow.init) }
    }

    /// Counts up with every change of any account, by whichever process: a look costs microseconds.
    public func accountGeneration() throws(StoreError) -> Int64 {
        try read { db in try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM account_generation")) ?? 0 }
    }

    /// `conflict` where there is one of this id.
    @discardableResult
    public func addAccount(_ new: AccountRow) throws(StoreError) -> AccountRow {
        let time = Instant.text(now())
        var row = new
        row.id = row.id.lowercased()
        (row.createdAt, row.updatedAt) = (time, time)
        let problems = row.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { [row] db in
            if try Row.fetchOne(db, sql: "SELECT 1 FROM accounts WHERE id = ?", arguments: [row.id]) != nil {
                throw StoreError(kind: .conflict, path: path, message: "there is an account of this id", fields: [FieldProblem("id", "is taken")])
            }
            try put(row, db)
            return row
        }
    }

    /// - Parameter expecting: is asked about the row as it stands; false makes it a `conflict`.
    @discardableResult
    public func updateAccount(_ new: AccountRow, expecting: ((AccountRow) -> Bool)? = nil) throws(StoreError) -> AccountRow {
        let time = Instant.text(now())
        let problems = new.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let old = try standing(new.id, db)
            if let expecting, !expecting(old) { throw conflict("account \(old.id) was changed meanwhile") }
            var row = new
            (row.id, row.createdAt, row.updatedAt) = (old.id, old.createdAt, old.updatedAt)
            guard row != old else { return old }
            row.updatedAt = max(time, old.updatedAt)
            try put(row, db)
            return row
        }
    }

    /// What it claimed stays booked.
    public func deleteAccount(_ id: String, expecting: ((AccountRow) -> Bool)? = nil) throws(StoreError) {
        let time = Instant.text(now())
        try write { db in
            let old = try standing(id, db)
            if let expecting, !expecting(old) { throw conflict("account \(old.id) was changed meanwhile") }
            try db.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [old.id])
            try db.execute(
                sql: "INSERT INTO deleted_accounts VALUES (?, ?) ON CONFLICT DO UPDATE SET deleted_at = excluded.deleted_at", arguments: [old.id, time])
        }
    }

    private func standing(_ id: String, _ db: Database) throws -> AccountRow {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [id.lowercased()]) else { throw notFound("account \(id)") }
        return AccountRow(row)
    }

    /// What became of an account that a client sent.
    public enum AccountMerge: String, Hashable, Sendable {
        case created, updated
        /// It is the same here.
        case unchanged
        /// What stands here is newer, and stays.
        case kept
        /// It was deleted here after the client last changed it.
        case deleted
    }

    /// Merges accounts of a client, by id: the one that was changed last wins. All of them, or none.
    ///
    /// A client's clock may be wrong: what claims to come from the future counts as of now.
    /// - Parameter rows: with their own `updatedAt`; of two with one id the last one counts.
    public func syncAccounts(_ rows: [AccountRow]) throws(StoreError) -> [AccountMerge] {
        let time = Instant.text(now())
        let problems = rows.enumerated().flatMap { index, row in row.problems.map { FieldProblem("\(index).\($0.field)", $0.detail) } }
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            var results: [AccountMerge] = []
            for row in rows {
                var new = row
                new.id = row.id.lowercased()
                new.updatedAt = min(row.updatedAt.isEmpty ? time : row.updatedAt, time)
                let old = try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [new.id]).map(AccountRow.init)
                new.createdAt = old?.createdAt ?? (row.createdAt.isEmpty ? new.updatedAt : min(row.createdAt, time))
                if let old {
                    var same = new
                    same.updatedAt = old.updatedAt
                    if same == old { results.append(.unchanged); continue }
                    guard new.updatedAt > old.updatedAt else { results.append(.kept); continue }
                } else if let gone = try String.fetchOne(db, sql: "SELECT deleted_at FROM deleted_accounts WHERE id = ?", arguments: [new.id]), gone >= new.updatedAt {
                    results.append(.deleted)
                    continue
                }
                try put(new, db)
                results.append(old == nil ? .created : .updated)
            }
            return results
        }
    }

    private func put(_ row: AccountRow, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO accounts (id, name, card_last_four, sender_email, sender_name, subject_pattern, amount_regex, date_regex, merchant_regex,
                  account_regex, time_regex, sample_email_body, is_active, currency_default, default_transaction_type, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, card_last_four = excluded.card_last_four, sender_email = excluded.sender_email,
                  sender_name = excluded.sender_name, subject_pattern = excluded.subject_pattern, amount_regex = excluded.amount_regex,
                  date_regex = excluded.date_regex, merchant_regex = excluded.merchant_regex, account_regex = excluded.account_regex,
                  time_regex = excluded.time_regex, sample_email_body = excluded.sample_email_body, is_active = excluded.is_active,
                  currency_default = excluded.currency_default, default_transaction_type = excluded.default_transaction_type, updated_at = excluded.updated_at
                """,
            arguments: [
                row.id, row.name, row.cardLastFour, row.senderEmail, row.senderName, row.subjectPattern, row.amountRegex, row.dateRegex, row.merchantRegex,
                row.accountRegex, row.timeRegex, row.sampleEmailBody, row.isActive, row.currencyDefault.code, row.defaultTransactionType.rawValue, row.createdAt,
                row.updatedAt,
            ])
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM accounts") ?? 0 <= Self.maximumAccounts else {
            throw conflict("there are \(Self.maximumAccounts) accounts already: delete one first")
        }
    }
}
