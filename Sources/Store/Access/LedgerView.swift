internal import GRDB

/// What one user sees of the ledger: everything but the private accounts of other users with all that belongs to them.
///
/// The connections of such a store have temporary views that shadow the tables: SQLite resolves a name in `temp` before
/// `main`. So every query reads what the user may see, without a condition of its own, and totals, searches and counts
/// follow. Statements that write name `main`, because a view cannot be written, and the rows that they change have been
/// found through the views before; triggers refuse a change of a hidden transaction or account in any case.
///
/// A mail is hidden if its transaction is, if it announces values of a hidden account, if it is a copy of such a mail,
/// or if it comes from a bank of which the user sees no account while another user has a private one there.
struct LedgerView {
    let user: Int64

    static let label = "store.view"

    /// A shadowing view: the columns of the table after `FROM`, named `r`.
    private struct Shadow {
        var table: String
        /// Condition of the rows that are seen.
        var condition: String
        /// Columns besides those of the table.
        var more = ""
    }

    /// The accounts that the user does not see.
    private var hidden: String {
        "(SELECT id FROM main.user_accounts WHERE owner_user_id IS NOT NULL AND owner_user_id <> \(user))"
    }

    /// Condition: an alert of this bank about these digits, or without digits, is about a hidden account.
    private func isHidden(profile: String, digits: String) -> String {
        """
        (\(profile) IN (SELECT profile FROM hidden_banks) OR EXISTS (SELECT 1 FROM main.user_account_numbers n
            WHERE n.profile = \(profile) AND n.account_digits = \(digits) AND n.user_account_id IN \(hidden)))
        """
    }

    /// Condition: the row of this number is not hidden. One that does not exist is not, so that what belongs to a
    /// deleted row goes with it.
    private static func isShown(_ column: String, in table: String) -> String {
        """
        (\(column) IS NULL OR EXISTS (SELECT 1 FROM \(table) seen WHERE seen.id = \(column))
            OR NOT EXISTS (SELECT 1 FROM main.\(table) whole WHERE whole.id = \(column)))
        """
    }

    private static func isShown(transaction column: String) -> String { isShown(column, in: "transactions") }

    private static func isShown(mail column: String) -> String { isShown(column, in: "processed_emails") }

    /// Condition: the row of this number is seen, if there is a number.
    private static func isSeen(_ column: String, in table: String) -> String {
        "(\(column) IS NULL OR EXISTS (SELECT 1 FROM \(table) seen WHERE seen.id = \(column)))"
    }

    /// In the order in which they are made: a view may read those before it.
    private var shadows: [Shadow] {
        [
            Shadow(table: "user_accounts", condition: "r.owner_user_id IS NULL OR r.owner_user_id = \(user)"),
            Shadow(table: "user_account_numbers", condition: "r.user_account_id NOT IN \(hidden)"),
            Shadow(
                table: "transactions",
                condition: """
                    CASE WHEN r.user_account_id IS NOT NULL THEN r.user_account_id NOT IN \(hidden)
                      ELSE r.profile IS NULL OR NOT \(isHidden(profile: "r.profile", digits: "r.account_digits")) END
                    """),
            Shadow(
                table: "processed_emails",
                condition: """
                    EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = r.id)
                      OR NOT (EXISTS (SELECT 1 FROM main.transactions t WHERE t.source_email_id = r.id)
                        OR r.profile IN (SELECT profile FROM hidden_banks)
                        OR EXISTS (SELECT 1 FROM main.notices n WHERE n.source_email_id = r.id
                          AND \(isHidden(profile: "n.profile", digits: "n.account_digits")))
                        OR EXISTS (SELECT 1 FROM main.statement_files f WHERE f.mail_id = r.id
                          AND (f.user_account_id IN \(hidden) OR \(isHidden(profile: "f.profile", digits: "f.account_digits"))))
                        OR r.duplicate_of IS NOT NULL
                          AND EXISTS (SELECT 1 FROM main.transactions t WHERE t.source_email_id = r.duplicate_of)
                          AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = r.duplicate_of)
                        OR r.status = 'duplicate' AND EXISTS (SELECT 1 FROM main.statement_lines l
                          JOIN main.statements s ON s.id = l.statement_id
                          WHERE l.mail_id = r.id AND (s.user_account_id IN \(hidden) OR l.account_id IN \(hidden))))
                    """, more: ", r.rowid AS rowid"),
            Shadow(table: "raw_messages", condition: Self.isShown(mail: "r.mail_id")),
            Shadow(table: "notices", condition: Self.isShown(mail: "r.source_email_id")),
            Shadow(table: "statements", condition: "r.user_account_id NOT IN \(hidden)"),
            Shadow(
                table: "statement_lines",
                condition: """
                    \(Self.isShown("r.statement_id", in: "statements")) AND (r.account_id IS NULL OR r.account_id NOT IN \(hidden))
                      AND \(Self.isShown(transaction: "r.transaction_id"))
                    """),
            Shadow(table: "statement_omissions", condition: Self.isShown("r.statement_id", in: "statements")),
            Shadow(
                table: "statement_files",
                condition: """
                    \(Self.isShown(mail: "r.mail_id")) AND (r.user_account_id IS NULL OR r.user_account_id NOT IN \(hidden))
                      AND \(Self.isShown("r.statement_id", in: "statements"))
                    """),
            Shadow(table: "account_findings", condition: "r.user_account_id NOT IN \(hidden)"),
            Shadow(table: "account_checks", condition: "r.user_account_id NOT IN \(hidden)"),
            Shadow(table: "tags", condition: Self.isShown(transaction: "r.transaction_id")),
            Shadow(table: "transaction_splits", condition: Self.isShown(transaction: "r.transaction_id")),
            Shadow(table: "split_transactions", condition: Self.isShown(transaction: "r.transaction_id")),
            Shadow(table: "exported_transactions", condition: Self.isShown(transaction: "r.transaction_id")),
            Shadow(
                table: "due_links",
                condition: """
                    \(Self.isShown(transaction: "r.transaction_id")) AND \(isShownOccurrence)
                    """),
            Shadow(
                table: "settled_dues",
                condition: """
                    \(isShownOccurrence) AND NOT EXISTS (SELECT 1 FROM main.notices n
                      WHERE r.due_id = 'notice:' || n.id AND n.id NOT IN (SELECT id FROM notices))
                    """),
            Shadow(
                table: "transfers",
                condition:
                    "\(Self.isShown(transaction: "r.debit_id")) AND \(Self.isShown(transaction: "r.credit_id"))"),
            Shadow(
                table: "transaction_links",
                condition: "\(Self.isShown(transaction: "r.from_id")) AND \(Self.isShown(transaction: "r.to_id"))"),
            Shadow(
                table: "recurring_items",
                condition: "r.user_account_id IS NULL OR r.user_account_id NOT IN \(hidden)"),
            Shadow(
                table: "payees",
                condition: """
                    EXISTS (SELECT 1 FROM transactions t WHERE t.payee_id = r.id)
                      OR NOT EXISTS (SELECT 1 FROM main.transactions t WHERE t.payee_id = r.id)
                    """),
            Shadow(table: "payee_aliases", condition: Self.isShown("r.payee_id", in: "payees")),
            Shadow(
                table: "changes",
                condition: """
                    \(Self.isSeen("r.transaction_id", in: "transactions")) AND \(Self.isSeen("r.mail_id", in: "processed_emails"))
                      AND (r.transaction_id IS NOT NULL OR r.mail_id IS NOT NULL OR NOT (
                        \(Self.values.map(isHiddenValue).joined(separator: "\n    OR "))))
                    """),
            Shadow(
                table: "unclaimed_shapes",
                condition:
                    "r.profile NOT IN (SELECT profile FROM hidden_banks) AND \(Self.isSeen("r.example", in: "processed_emails"))"
            ),
            Shadow(table: "template_days", condition: "r.profile NOT IN (SELECT profile FROM hidden_banks)"),
        ]
    }

    /// Condition: the row's due is no occurrence of a recurring item of a hidden account.
    private var isShownOccurrence: String {
        """
        NOT EXISTS (SELECT 1 FROM main.recurring_items i
          WHERE r.due_id LIKE 'recurring:' || i.id || ':%' AND i.user_account_id IN \(hidden))
        """
    }

    /// The tables whose names are those of views: a statement that writes one names `main`.
    var tables: Set<String> { Set(shadows.map(\.table) + ["mail_counts", "transaction_counts"]) }

    /// Values of the journal that name a row of a table, for changes that are about no transaction and no mail.
    private static let values: [(path: String, table: String)] = [
        ("account.id", "user_accounts"), ("account.merged_into", "user_accounts"), ("moved_to", "user_accounts"),
        ("recurring.user_account_id", "user_accounts"), ("due_link.transaction_id", "transactions"),
        ("settled_due.id", "settled_dues"),
        ("transaction_link.from_id", "transactions"), ("transaction_link.to_id", "transactions"),
        ("payee.id", "payees"), ("alias.payee_id", "payees"),
    ]

    private func isHiddenValue(_ value: (path: String, table: String)) -> String {
        ["before", "after"].map { column in
            let text = "r.\(column) ->> '$.\(value.path)'"
            return """
                \(text) IN (SELECT id FROM main.\(value.table)) AND \(text) NOT IN (SELECT id FROM \(value.table))
                """
        }.joined(separator: " OR ")
    }

    /// Columns that are written for all rows: by a change of a category, payee or rule, and by triggers of the schema.
    private static let shared: [String: Set<String>] = [
        "transactions": [
            "category_name", "subcategory", "category_why", "category_by", "payee_id", "updated_at", "revision",
            "corrected", "user_edited_at",
        ],
        "statements": ["reconciled_at"],
    ]

    /// Tables of counts, which triggers of the schema keep.
    private static let counts: Set<String> = ["unclaimed_shapes", "template_days"]

    /// Makes the views, for as long as the connection lives.
    func apply(to db: Database) throws {
        try db.execute(
            sql: """
                CREATE TEMP VIEW hidden_banks AS
                  SELECT profile FROM main.user_account_numbers WHERE user_account_id IN \(hidden)
                  EXCEPT SELECT profile FROM main.user_account_numbers WHERE user_account_id NOT IN \(hidden)
                """)
        for shadow in shadows {
            try db.execute(
                sql: """
                    CREATE TEMP VIEW \(shadow.table) AS
                      SELECT r.*\(shadow.more) FROM main.\(shadow.table) r WHERE \(shadow.condition)
                    """)
        }
        // Counters hold sums over all accounts.
        try db.execute(
            sql: """
                CREATE TEMP VIEW transaction_counts AS
                  SELECT status, count(*) AS transactions FROM transactions WHERE deleted_at IS NULL GROUP BY status;
                CREATE TEMP VIEW mail_counts AS
                  SELECT mailbox, folder, status, coalesce(profile, '') AS profile, coalesce(template, '') AS template,
                    count(*) AS mails
                  FROM processed_emails GROUP BY 1, 2, 3, 4, 5;
                """)
        // A view of the schema reads the tables of the schema: the same text again reads these views.
        for sql in try String.fetchAll(db, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'view' ORDER BY rowid")
        {
            guard let name = sql.firstRange(of: "CREATE VIEW ") else { continue }
            try db.execute(sql: "CREATE TEMP VIEW " + sql[name.upperBound...])
        }
        guard !db.configuration.readonly else { return }
        try refuseHiddenWrites(db)
    }

    /// The message of a refused write, which means the same to the user as a row that does not exist.
    static let refusal = "there is no such row"

    /// The message for a change that would leave a hidden link behind.
    static let linkRefusal = "this transaction is linked with one that you cannot see"

    /// Refuses changes of rows that the user does not see, also by a statement that has not looked for them.
    private func refuseHiddenWrites(_ db: Database) throws {
        for shadow in shadows where !Self.counts.contains(shadow.table) {
            let columns = try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [shadow.table]
            ).filter { Self.shared[shadow.table]?.contains($0) != true }.map { "\"\($0)\"" }
                .joined(separator: ", ")
            let condition = shadow.condition.replacing(#/\br\./#, with: "OLD.")
            for event in ["UPDATE OF \(columns)", "DELETE"] {
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER "hidden \(shadow.table) \(event.prefix(6))" BEFORE \(event) ON main.\(shadow.table)
                        WHEN (\(condition)) IS NOT TRUE BEGIN SELECT RAISE(ABORT, '\(Self.refusal)'); END
                        """)
            }
        }
        let values = ["amount_minor", "currency", "transaction_type", "status", "deleted_at", "ledger"]
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER "hidden links" BEFORE UPDATE OF \(values.joined(separator: ", ")) ON main.transactions
                WHEN (\(values.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR "))) AND (
                  EXISTS (SELECT 1 FROM main.transfers t WHERE t.state = 'linked' AND (t.debit_id = OLD.id OR t.credit_id = OLD.id)
                    AND NOT EXISTS (SELECT 1 FROM transfers s WHERE s.id = t.id))
                  OR EXISTS (SELECT 1 FROM main.transaction_links l WHERE l.state = 'made' AND (l.from_id = OLD.id OR l.to_id = OLD.id)
                    AND NOT EXISTS (SELECT 1 FROM transaction_links s WHERE s.id = l.id)))
                BEGIN SELECT RAISE(ABORT, '\(Self.linkRefusal)'); END
                """)
    }
}

extension LedgerView {
    /// True if hidden transactions have the category, which would stay when it is deleted.
    /// - Parameter subcategory: if given, only transactions of this one.
    static func hides(
        transactionsOf category: String, subcategory: String? = nil, _ db: Database
    ) throws -> Bool {
        guard db.configuration.label == label else { return false }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.transactions t WHERE t.category_name = ?1
                    AND (?2 IS NULL OR t.subcategory = ?2) AND NOT EXISTS (SELECT 1 FROM transactions s WHERE s.id = t.id))
                  OR EXISTS (SELECT 1 FROM main.transaction_splits p WHERE p.part_category = ?1
                    AND (?2 IS NULL OR p.part_subcategory = ?2) AND NOT EXISTS (SELECT 1 FROM transactions s WHERE s.id = p.transaction_id))
                """, arguments: [category, subcategory]) ?? false
    }
}

extension Database {
    /// A statement without its choice of an index, which SQLite refuses for the views of ``LedgerView``.
    func planned(_ sql: String) -> String {
        guard configuration.label == LedgerView.label else { return sql }
        return sql.replacing(#/ (?:INDEXED BY [a-z_]+|NOT INDEXED)/#, with: "")
    }
}

extension Store {
    /// A handle of the same ledger as a user sees it. Writes follow `rules`.
    ///
    /// It has connections of its own. Both handles see the commits of the other.
    public func view(for user: Int64, _ rules: WriteRules) throws(StoreError) -> Store {
        let view = try Store(self, viewedBy: user)
        try view.restrictWrites(to: rules)
        view.announce(notificationPolicy)
        return view
    }
}

extension AccessRepository {
    /// True if another user has a private account, so that this user sees only a part of the ledger.
    public func seesPart(_ user: Int64) throws(StoreError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM user_accounts WHERE owner_user_id IS NOT NULL AND owner_user_id <> ?)
                        """), arguments: [user]) ?? false
        }
    }
}
