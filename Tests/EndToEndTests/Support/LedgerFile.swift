import Foundation
import GRDB
import Zstandard

/// Access to the database by SQL, as another program has it.
struct LedgerFile {
    let path: String

    /// Returns each row as the text of its values.
    func rows(_ sql: String) throws -> [[String]] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { $0.add(function: Self.decoded) }
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map(\.words) }
        }
    }

    /// `decoded(BYTES, SIZE, DICTIONARY)`: retained bytes as they arrived. A daemon that watches compresses them at
    /// some instant, so the stored bytes of two ledgers may differ.
    private static let decoded = DatabaseFunction("decoded", argumentCount: 3, pure: true) { values in
        guard let dictionary = Data.fromDatabaseValue(values[2]) else { return values[0] }
        guard let frame = Data.fromDatabaseValue(values[0]), let size = Int.fromDatabaseValue(values[1]),
            let bytes = DictionaryCoder(dictionary: Array(dictionary))?.decompress(Array(frame), count: size)
        else { throw DatabaseError(message: "retained bytes do not match their dictionary") }
        return Data(bytes)
    }

    /// Changes the ledger as no program does, while none has it open.
    func change(_ sql: String) throws { try DatabaseQueue(path: path).write { try $0.execute(sql: sql) } }

    func column(_ sql: String) throws -> [String] { try rows(sql).compactMap(\.first) }

    func count(_ sql: String) throws -> Int { Int(try column(sql).first ?? "") ?? -1 }

    /// Returns the number of recorded messages; 0 if there is no database yet.
    var mails: Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return max(0, (try? count("SELECT count(*) FROM processed_emails")) ?? 0)
    }

    /// Returns every row of every table, without columns that only record the time of a check.
    func dump() throws -> [String] {
        let skipped = [
            "mailbox_health": ["since", "last_probe_at", "last_mail_at", "due_at"], "mailbox_cursors": ["updated_at"],
        ]
        let tables = try column(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        return try tables.flatMap { table in
            let columns = try column("SELECT name FROM pragma_table_info('\(table)')").filter {
                !(skipped[table]?.contains($0) ?? false)
            }
            return try rows("SELECT \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \"\(table)\"").map {
                "\(table): " + $0.joined(separator: "|")
            }.sorted()
        }
    }

    /// Returns the content of the ledger without row numbers, UUIDs and creation times. Two databases of one mailbox
    /// must agree in it.
    func facts() throws -> [String] {
        let mails = try rows(
            """
            SELECT 'mail', m.mailbox, m.folder, m.uid_validity, m.uid, m.message_id, m.status, m.error_message, hex(m.content_digest), m.from_address, m.subject,
              m.sent_at, m.received_at, m.profile, m.template, m.attempts, m.reviewed_at, m.provenance, first.uid, raw.size, hex(decoded(raw.bytes, raw.kept_size, kept.bytes))
            FROM processed_emails m LEFT JOIN processed_emails first ON first.id = m.duplicate_of LEFT JOIN raw_messages raw ON raw.mail_id = m.id
              LEFT JOIN raw_dictionaries kept ON kept.id = raw.dictionary_id
            ORDER BY m.mailbox, m.folder, m.uid_validity, m.uid
            """)
        let transactions = try rows(
            """
            SELECT 'transaction', m.uid, t.idempotency_key, t.ledger, t.category_name, t.subcategory, t.currency, t.amount_minor, t.account_name, t.recorder,
              t.parsed_date, t.parsed_time, t.parsed_vendor, t.notes, t.transaction_type, t.status, t.confidence_score, t.channel, t.reference, t.vpa, t.profile,
              t.account_digits, t.balance_minor, t.limit_minor, t.occurred_at, t.provenance, t.revision, first.idempotency_key
            FROM transactions t LEFT JOIN processed_emails m ON m.id = t.source_email_id LEFT JOIN transactions first ON first.id = t.duplicate_of
            ORDER BY t.idempotency_key
            """)
        let rest =
            try rows(
                "SELECT 'cursor', mailbox, folder, uid_validity, next_uid, searched_domains, last_received_at FROM mailbox_cursors ORDER BY 2, 3"
            )
            + rows(
                "SELECT 'mapping', vendor_keyword, match_count FROM vendor_mappings WHERE match_count > 0 ORDER BY 2")
        return (mails + transactions + rest).map { $0.joined(separator: "|") }
    }

    /// Returns every transaction by the Message-ID of its message.
    func booked() throws -> [String: Booked] {
        var all: [String: Booked] = [:]
        for row in try rows(
            """
            SELECT m.message_id, t.transaction_type, t.channel, t.amount_minor, t.currency, t.parsed_date, t.parsed_time, t.parsed_vendor, t.account_digits,
              t.reference, t.category_name, t.subcategory, t.status
            FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
            """)
        {
            func value(_ index: Int) -> String? { row[index] == "NULL" ? nil : row[index] }
            all[row[0].split(separator: "@").first.map(String.init) ?? ""] = Booked(
                type: row[1], channel: row[2], amountMinor: Int(row[3]) ?? -1, currency: row[4], date: row[5],
                time: value(6), merchant: value(7),
                account: value(8), reference: value(9), category: row[10], subcategory: value(11), status: row[12])
        }
        return all
    }

    /// Returns `MESSAGE-ID OUTCOME` of every message, in mailbox order.
    func outcomes() throws -> [String] {
        try rows("SELECT message_id, status FROM processed_emails ORDER BY mailbox, folder, uid_validity, uid").map {
            "\($0[0].split(separator: "@").first ?? "") \($0[1])"
        }
    }
}

extension DatabaseValue {
    /// Text of a value for comparison.
    fileprivate var words: String {
        switch storage {
        case .null: "NULL"
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .blob(let value): value.map { "\($0)" }.joined(separator: " ")
        }
    }
}
