import Chronology
import ChronologyFixture
import GRDB
import Ledger
import ReleasedLedgerFixture
import Testing

@testable import Store

/// Migrations from every released schema to the current one, without losing a row.
@Suite struct MigrationTests {
    static let released = [("v1", releasedSchema1)]

    /// Text of every table and index, independent of order and blanks.
    static func schema(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    static let tables = [
        "accounts", "categories", "subcategories", "vendor_mappings", "devices", "processed_emails", "transactions",
        "mailbox_cursors",
        "raw_messages",
    ]

    @Test(arguments: released) func keepsEveryRow(version: String, sql: String) throws {
        let folder = Folder()
        var before: [String: [Row]] = [:]
        do {
            let old = try DatabaseQueue(path: folder.database)
            try old.write { try $0.execute(sql: sql) }
            for table in Self.tables {
                before[table] = try old.read { try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY 1") }
            }
        }
        let store = try Store(path: folder.database)
        for table in Self.tables {
            let columns = before[table]?.first.map { Array($0.columnNames).joined(separator: ", ") } ?? "*"
            let now = try store.readDatabase { try Row.fetchAll($0, sql: "SELECT \(columns) FROM \(table) ORDER BY 1") }
            #expect(!now.isEmpty, "\(table)")
            #expect(now == before[table], "\(table)")
        }
        var health = MailboxHealth(mailbox: "personal", state: .stopped, since: 1_767_600_000)
        health.lastBankMail = try store.monitoring.status().folders.compactMap(\.lastReceivedAt).max()
        #expect(try store.mailboxes.health() == [health])
        #expect(try store.integrityDefects() == [])
        try expectCountsOfTheRows(store)
        let fresh = try Fixture()
        #expect(try store.readDatabase(Self.schema) == fresh.store.readDatabase(Self.schema))
    }

    /// Rows of tables that came with later migrations, for a ledger whose last migration is the same or a later one.
    static let laterRows: [(migration: String, sql: String)] = [
        (
            "notices",
            """
            INSERT INTO notices (source_email_id, kind, profile, account_digits, amount_minor, currency, day, created_at)
            VALUES ('m3', 'bill', 'hdfc', '4321', 100, 'INR', '2026-01-20', '2026-01-05T08:00:00Z')
            """
        ),
        (
            "budgets",
            """
            INSERT INTO budgets (category_id, period, currency, amount_minor, rolls_over, starts_on, created_at, updated_at)
            VALUES (2, 'month', 'INR', 100, 0, '2026-01-01', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z')
            """
        ),
        ("tags", "INSERT INTO tags (transaction_id, name) VALUES (1, 'work')"),
        (
            "exchange-rates",
            """
            INSERT INTO exchange_rates (base, quote, day, billionths, source, updated_at)
            VALUES ('USD', 'INR', '2026-01-05', 83000000000, 'person', '2026-01-05T08:00:00Z'),
              ('EUR', 'INR', '2026-01-05', 90000000000, 'ecb', '2026-01-05T08:00:00Z')
            """
        ),
        (
            "dues",
            """
            INSERT INTO recurring_items (name, transaction_type, currency, amount_minor, band_percent, rule, starts_on, mode, is_active, created_at, updated_at)
            VALUES ('Rent', 'expense', 'INR', 100, 0, 'FREQ=MONTHLY', '2026-01-01', 'expected', 1, '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
            INSERT INTO due_links (due_id, transaction_id, state, created_at) VALUES ('recurring:1:2026-01-01', 1, 'linked', '2026-01-05T08:00:00Z')
            """
        ),
        (
            "settled-dues",
            "INSERT INTO settled_dues (due_id, created_at) VALUES ('recurring:1:2026-02-01', '2026-02-05T08:00:00Z')"
        ),
        (
            "payees",
            """
            INSERT INTO payees (id, name, created_at, updated_at) VALUES (7, 'Café', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
            INSERT INTO payee_aliases (payee_id, alias, kind, is_user_defined, created_at) VALUES (7, 'cafe noir', 'keyword', 1, '2026-01-05T08:00:00Z');
            UPDATE transactions SET payee_id = 7 WHERE id = 1
            """
        ),
        (
            "transaction-splits",
            """
            INSERT INTO transaction_splits VALUES (1, 1, 'Food', 'Coffee', 20000), (1, 2, 'Food', NULL, 5000);
            INSERT INTO split_transactions VALUES (1)
            """
        ),
        (
            "exports",
            """
            INSERT INTO exports VALUES ('books', 'ledger', '2026-01-05T08:00:00Z');
            INSERT INTO exported_transactions VALUES ('books', 1)
            """
        ),
        (
            "statements",
            """
            INSERT INTO statements (id, user_account_id, file_digest, currency, first_day, last_day, proof, read_at)
              SELECT 1, min(id), printf('%064d', 1), 'INR', '2026-01-01', '2026-01-31', 'sum', '2026-02-01T08:00:00Z' FROM user_accounts;
            INSERT INTO statement_lines (statement_id, number, file_row, day, amount_minor, direction, line_text, transaction_id, match_reason)
              VALUES (1, 1, 2, '2026-01-05', 25000, 'out', 'CAFE NOIR', 1, 'name')
            """
        ),
        (
            "event-links",
            """
            INSERT INTO event_links (id, kind, purchase_id, refund_id, state, confidence, evidence, why, made_by, created_at, updated_at)
              VALUES (3, 'refund', 1, 2, 'proposed', 0.5, 'partial', 'refund: a part', 'rule', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z')
            """
        ),
        (
            "statement-mail",
            """
            INSERT INTO statement_files (mail_id, number, profile, file_digest, size, stored_at)
              VALUES ('m3', 1, 'hdfc', printf('%064d', 2), 3, '2026-01-05T08:00:00Z')
            """
        ),
        (
            "saved-searches",
            "INSERT INTO saved_searches (name, query, created_at) VALUES ('Work', 'tag:work', '2026-01-05T08:00:00Z')"
        ),
    ]

    /// Tables of books that are emptied or made anew by no migration.
    private static func kept(_ db: Database) throws -> [String] {
        let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        // `own_accounts` became the numbers of accounts; counters and the list of migrations are not rows of people.
        return names.filter { name in
            tables.contains(name)
                || [
                    "notices", "budgets", "tags", "exchange_rates", "recurring_items", "due_links", "settled_dues",
                    "saved_searches",
                    "payees", "payee_aliases", "transaction_splits", "split_transactions", "exports",
                    "exported_transactions", "statements", "statement_lines", "statement_files", "user_accounts",
                    "user_account_numbers", "transaction_links",
                ].contains(name)
        }
    }

    /// A new migration cannot be left out: each one after the first is the last of a ledger that is migrated.
    @Test func everyLaterTableWithRowsOfPeopleIsCompared() throws {
        let names = Set(Schema.migrations.map(\.name))
        #expect(Self.laterRows.allSatisfy { names.contains($0.migration) })
        let kept = try Set(Fixture().store.readDatabase(Self.kept))
        for rows in Self.laterRows where rows.migration != "event-links" {
            let tables = rows.sql.split(separator: "INSERT INTO ").dropFirst(rows.sql.hasPrefix("INSERT") ? 0 : 1)
                .compactMap { $0.split(whereSeparator: { $0 == " " || $0 == "(" }).first.map(String.init) }
            #expect(!tables.isEmpty && tables.allSatisfy(kept.contains), "\(rows.migration): \(tables)")
        }
    }

    /// A ledger that any earlier version has written keeps its rows.
    @Test(arguments: Schema.migrations.indices.dropFirst()) func keepsEveryRowFromEachEarlierSchema(count: Int) throws {
        let folder = Folder()
        var before: [String: [Row]] = [:]
        do {
            let old = try DatabaseQueue(path: folder.database)
            try old.writeWithoutTransaction { db in
                try db.execute(sql: releasedSchema1)
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                for migration in Schema.migrations[1..<count] {
                    try db.execute(sql: migration.sql)
                    try db.execute(
                        sql: "INSERT INTO \(Schema.migrationTable) (identifier) VALUES (?)", arguments: [migration.name]
                    )
                    for rows in Self.laterRows where rows.migration == migration.name { try db.execute(sql: rows.sql) }
                }
            }
            for table in try old.read(Self.kept) {
                before[table] = try old.read { try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY 1") }
            }
        }
        let store = try Store(path: folder.database)
        for (table, rows) in before {
            let columns = rows.first.map { Array($0.columnNames).joined(separator: ", ") } ?? "*"
            let now = try store.readDatabase { try Row.fetchAll($0, sql: "SELECT \(columns) FROM \(table) ORDER BY 1") }
            #expect(now.count == rows.count, "\(table)")
            if ["exchange_rates", "notices", "due_links", "statement_lines"].contains(table) {
                #expect(Set(now.map(\.description)) == Set(rows.map(\.description)))
            }
        }
        let hadLink = Schema.migrations[..<count].contains { $0.name == "event-links" }
        let links = try store.readDatabase { try Int64.fetchAll($0, sql: "SELECT id FROM transaction_links") }
        #expect(links == (hadLink ? [3] : []))
        #expect(try store.userAccounts.all().flatMap(\.numbers).count > 0)
        #expect(try store.integrityDefects() == [])
        let fresh = try Fixture()
        #expect(try store.readDatabase(Self.schema) == fresh.store.readDatabase(Self.schema))
    }

    @Test(arguments: released) func migratedLedgerIsUsable(version: String, sql: String) throws {
        let folder = Folder()
        do { try DatabaseQueue(path: folder.database).write { try $0.execute(sql: sql) } }
        let store = try Store(path: folder.database)
        let copy = try #require(folder.files.first { $0.contains(".before-") && !$0.contains(".part-") })
        let former = try DatabaseQueue(path: folder.path + "/" + copy)
        let migrations = try former.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
        #expect(migrations.map { $0 < Schema.migrations.count } == true, "the copy has the former schema")
        #expect(try store.mailboxes.cursor(of: .init(mailbox: "personal", folder: "INBOX"))?.nextUID == 4)
        #expect(try store.transactions.find(1)?.vendor == "CAFÉ NOIR")
        #expect(try store.transactions.find(2) == nil)
        // An amount, a time and an account; a copy that gave no draft; nothing that a template claimed.
        #expect(
            try store.readDatabase { try Int64?.fetchAll($0, sql: "SELECT fields FROM processed_emails ORDER BY id") }
                == [
                    1 + 4 + 16, 0, nil,
                ])
        #expect(try store.mails.raw(ofMail: "m1") == [1, 2, 3])
        #expect(try store.review.queue().map(\.id) == [.mail("m3")])
        #expect(
            try store.recording.record([mail(3, decision()), mail(4, decision(.recorded, draft(reference: "R1")))]).map(
                \.outcome)
                == [
                    .review, .duplicate,
                ])
        #expect(try store.categories.rules().match("Café Noir")?.mapping.category == "Food")
    }

    /// Rows older than stored reasons are marked so, and mappings are unchanged.
    @Test func categoriesFromBeforeTheirReasons() throws {
        let folder = Folder()
        do { try DatabaseQueue(path: folder.database).write { try $0.execute(sql: releasedSchema1) } }
        let store = try Store(path: folder.database)
        let row = try #require(try store.transactions.find(1))
        #expect(row.categoryBy == (row.category == CategoryRow.uncategorized ? nil : .mapping))
        #expect((row.categoryWhy == nil) == (row.category == CategoryRow.uncategorized))
        #expect(try store.mappings.all().allSatisfy { $0.kind == .keyword && $0.conditions.isEmpty })
        #expect(
            try store.readDatabase {
                try String.fetchAll($0, sql: "SELECT profile || ' ' || account_digits FROM user_account_numbers")
            }
            .count > 0)
        #expect(try store.transfers.list() == [])
        // The unique index replaced the table's own constraint.
        #expect(throws: StoreError.self) {
            try store.writeDatabase {
                try $0.execute(
                    sql:
                        "INSERT INTO vendor_mappings (vendor_keyword, category_id, is_user_defined, created_at, updated_at) SELECT upper(vendor_keyword), category_id, is_user_defined, '', '' FROM vendor_mappings LIMIT 1"
                )
            }
        }
    }
}
