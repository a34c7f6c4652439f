extension Schema {
    /// Counts of mails, so that neither `status` nor the drift alarm reads every recorded mail.
    ///
    /// `Recorder` adds its insertions once a batch: a trigger would increase the cost of each row by a third. Triggers
    /// follow every later change, by any program.
    static let drift = """
        -- fields: what was read, as bits (FieldBits); NULL where a mail tells nothing about the templates of a bank: no bank's, not authentic,
        -- failed, or a copy. shape: of a bank's mail that no template claims.
        ALTER TABLE processed_emails ADD COLUMN fields INTEGER;
        ALTER TABLE processed_emails ADD COLUMN shape INTEGER;
        CREATE INDEX processed_emails_by_shape ON processed_emails (shape) WHERE shape IS NOT NULL;

        CREATE TABLE mail_counts (
          mailbox TEXT NOT NULL,
          folder TEXT NOT NULL,
          status TEXT NOT NULL,
          profile TEXT NOT NULL,
          template TEXT NOT NULL,
          mails INTEGER NOT NULL,
          PRIMARY KEY (mailbox, folder, status, profile, template)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE transaction_counts (
          status TEXT NOT NULL PRIMARY KEY,
          transactions INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- By day of arrival (UTC). with_amount: those that gave a draft.
        CREATE TABLE template_days (
          profile TEXT NOT NULL,
          template TEXT NOT NULL,
          day TEXT NOT NULL,
          mails INTEGER NOT NULL,
          with_amount INTEGER NOT NULL,
          with_date INTEGER NOT NULL,
          with_time INTEGER NOT NULL,
          with_merchant INTEGER NOT NULL,
          with_account INTEGER NOT NULL,
          with_reference INTEGER NOT NULL,
          with_balance INTEGER NOT NULL,
          with_limit INTEGER NOT NULL,
          with_vpa INTEGER NOT NULL,
          PRIMARY KEY (profile, template, day)
        ) STRICT, WITHOUT ROWID;

        -- words: those of the shape, values masked. example: the newest such mail. A row without mails is kept for the words.
        CREATE TABLE unclaimed_shapes (
          profile TEXT NOT NULL,
          shape INTEGER NOT NULL,
          words TEXT NOT NULL,
          mails INTEGER NOT NULL,
          drafts INTEGER NOT NULL,
          first_day TEXT NOT NULL,
          last_day TEXT NOT NULL,
          example TEXT NOT NULL,
          PRIMARY KEY (profile, shape)
        ) STRICT, WITHOUT ROWID;

        -- What the daemon has told once, and since when it holds.
        CREATE TABLE drift_alarms (
          kind TEXT NOT NULL,
          profile TEXT NOT NULL,
          subject TEXT NOT NULL,
          since TEXT NOT NULL,
          PRIMARY KEY (kind, profile, subject)
        ) STRICT, WITHOUT ROWID;

        UPDATE processed_emails SET fields = coalesce((
            SELECT 1 + (\(isRead("date")) << 1) + ((t.parsed_time IS NOT NULL) << 2) + (\(isRead("merchant")) << 3) + ((t.account_digits IS NOT NULL) << 4)
              + ((t.reference IS NOT NULL) << 5) + ((t.balance_minor IS NOT NULL) << 6) + ((t.limit_minor IS NOT NULL) << 7) + ((t.vpa IS NOT NULL) << 8)
            FROM transactions t WHERE t.source_email_id = processed_emails.id), 0)
          WHERE profile IS NOT NULL AND template IS NOT NULL
            AND (status IN ('recorded', 'review', 'ignored') OR status = 'duplicate' AND error_message IS NOT 'the same mail was recorded before');
        INSERT INTO mail_counts
          SELECT mailbox, folder, status, coalesce(profile, ''), coalesce(template, ''), count(*) FROM processed_emails GROUP BY 1, 2, 3, 4, 5;
        INSERT INTO transaction_counts SELECT status, count(*) FROM transactions WHERE deleted_at IS NULL GROUP BY status;
        INSERT INTO template_days
          SELECT profile, template, \(day("processed_emails")) AS day, count(*), \(sums("processed_emails")) FROM processed_emails
          WHERE fields IS NOT NULL AND template IS NOT NULL GROUP BY profile, template, day;

        CREATE TRIGGER mail_counts_follow AFTER UPDATE OF mailbox, folder, status, profile, template ON processed_emails BEGIN
          \(count("OLD", -1))
          \(count("NEW", 1))
        END;
        CREATE TRIGGER mail_counts_forget AFTER DELETE ON processed_emails BEGIN
          \(count("OLD", -1))
        END;
        CREATE TRIGGER template_days_leave AFTER UPDATE OF profile, template, fields, received_at, sent_at, processed_at ON processed_emails
          WHEN OLD.fields IS NOT NULL AND OLD.template IS NOT NULL BEGIN
          \(sight("OLD", "-"))
        END;
        CREATE TRIGGER template_days_join AFTER UPDATE OF profile, template, fields, received_at, sent_at, processed_at ON processed_emails
          WHEN NEW.fields IS NOT NULL AND NEW.template IS NOT NULL BEGIN
          \(sight("NEW", "+"))
        END;
        CREATE TRIGGER template_days_forget AFTER DELETE ON processed_emails WHEN OLD.fields IS NOT NULL AND OLD.template IS NOT NULL BEGIN
          \(sight("OLD", "-"))
        END;
        CREATE TRIGGER unclaimed_shapes_leave AFTER UPDATE OF shape ON processed_emails WHEN OLD.shape IS NOT NULL BEGIN
          \(leave)
        END;
        CREATE TRIGGER unclaimed_shapes_forget AFTER DELETE ON processed_emails WHEN OLD.shape IS NOT NULL BEGIN
          \(leave)
        END;
        CREATE TRIGGER transaction_counts_add AFTER INSERT ON transactions WHEN NEW.recorder <> 'Auto' AND NEW.deleted_at IS NULL BEGIN
          INSERT INTO transaction_counts VALUES (NEW.status, 1) ON CONFLICT DO UPDATE SET transactions = transactions + 1;
        END;
        CREATE TRIGGER transaction_counts_follow AFTER UPDATE OF status, deleted_at ON transactions BEGIN
          INSERT INTO transaction_counts VALUES (OLD.status, -(OLD.deleted_at IS NULL)), (NEW.status, NEW.deleted_at IS NULL)
            ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions;
        END;
        CREATE TRIGGER transaction_counts_forget AFTER DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transaction_counts VALUES (OLD.status, -1) ON CONFLICT DO UPDATE SET transactions = transactions - 1;
        END;
        """

    /// Day of a mail's arrival. The Date header counts only if the server gives no day, and never as a day in the
    /// future.
    private static func day(_ row: String) -> String {
        "substr(min(coalesce(\(row).received_at, \(row).sent_at, \(row).processed_at), \(row).processed_at), 1, 10)"
    }

    private static func isRead(_ field: String) -> String {
        "(CASE WHEN json_valid(t.provenance) THEN t.provenance ->> '$.spans.\(field)' END IS NOT NULL)"
    }

    private static func sums(_ row: String) -> String {
        FieldBits.columns.indices.map { "sum(\(row).fields >> \($0) & 1)" }.joined(separator: ", ")
    }

    private static func count(_ row: String, _ by: Int) -> String {
        """
        INSERT INTO mail_counts VALUES (\(row).mailbox, \(row).folder, \(row).status, coalesce(\(row).profile, ''), coalesce(\(row).template, ''), \(by))
            ON CONFLICT DO UPDATE SET mails = mails + \(by);
        """
    }

    private static func sight(_ row: String, _ sign: String) -> String {
        let bits = FieldBits.columns.indices.map { "\(sign)(\(row).fields >> \($0) & 1)" }.joined(separator: ", ")
        let updates = FieldBits.columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO template_days VALUES (\(row).profile, \(row).template, \(day(row)), \(sign)1, \(bits))
                ON CONFLICT DO UPDATE SET mails = mails + excluded.mails, \(updates);
            """
    }

    private static let leave = """
        UPDATE unclaimed_shapes SET mails = mails - 1, drafts = drafts - (coalesce(OLD.fields, 0) & 1),
              example = coalesce((SELECT id FROM processed_emails m WHERE m.shape = OLD.shape AND m.profile = OLD.profile ORDER BY rowid DESC LIMIT 1), example)
            WHERE profile = OLD.profile AND shape = OLD.shape;
        """

    /// Outcome of drafts in review. reviewed_at: time of a person's decision. corrected: fields changed by a person, as
    /// bits (FieldBits).
    static let reviewOutcomes = """
        ALTER TABLE transactions ADD COLUMN reviewed_at TEXT;
        ALTER TABLE transactions ADD COLUMN corrected INTEGER;
        UPDATE transactions SET reviewed_at = (SELECT m.reviewed_at FROM processed_emails m WHERE m.id = source_email_id)
          WHERE status <> 'needs_review' AND source_email_id IN (SELECT id FROM processed_emails WHERE reviewed_at IS NOT NULL);

        -- user_edited_at is set by every edit of a person's, and a row that has it is changed by nobody else.
        CREATE TRIGGER transactions_corrected
          AFTER UPDATE OF amount_minor, currency, transaction_type, channel, parsed_date, parsed_time, parsed_vendor, account_digits, reference ON transactions
          WHEN NEW.recorder = 'Auto' AND NEW.user_edited_at IS NOT NULL BEGIN
          UPDATE transactions SET corrected = coalesce(corrected, 0) | \(corrections) WHERE id = NEW.id;
        END;
        """

    private static let corrections = FieldBits.corrected.map {
        "((OLD.\($0.column) IS NOT NEW.\($0.column)) << \($0.bit))"
    }.joined(separator: " | ")
}
