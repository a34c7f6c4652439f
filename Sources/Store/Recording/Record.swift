import Chronology
internal import GRDB
public import Ledger

extension RecordingRepository {
    /// Writes mails in one transaction: their rows, transactions, review items, `match_count`, and the cursor. When it
    /// returns, all of it is on the disk; when it throws, nothing is.
    ///
    /// - The entries are recorded in order: the first of two mails about one event wins.
    /// - An existing row of a UID stays unchanged unless it is `failed`: then this is its next attempt.
    /// - A repeated mail (same Message-ID, Date and digest) and a repeated event (same ``IdempotencyKey``) become
    ///   `duplicate`. A person's change, rejection or deletion of the first transaction stays.
    /// - A mail that may repeat a booked event, and prints nothing that decides it, is booked as `needs_review` with
    ///   the reason `possible_duplicate`.
    /// - Parameters:
    ///   - advancing: the folder's new cursor. With the same UIDVALIDITY it never moves back.
    ///   - redeciding: outcomes of rows that are updated if the new decision is better. Rows that a person decided,
    ///     edited or deleted never change.
    ///   - noting: the progress in a source without a cursor.
    public func record(
        _ entries: [MailEntry], advancing: (FolderKey, FolderCursor)? = nil, redeciding: Set<Outcome> = [],
        noting: SourceProgress? = nil
    ) throws(StoreError) -> [RecordedMail] where Scope: WriteScope {
        let time = now()
        let announcing = notificationPolicy
        let (results, count) = try write { db in
            var recorder = try Recorder(
                db, time: time, redeciding: redeciding, announcing: announcing)
            var results: [RecordedMail] = []
            results.reserveCapacity(entries.count)
            for (index, entry) in entries.enumerated() {
                results.append(try recorder.record(entry, index, of: entries))
            }
            try recorder.finish(advancing: advancing)
            try noting?.write(db, time: time)
            return (results, recorder.notificationCount)
        }
        if count > 0 { access.afterCommit { announcing?.changed() } }
        return results
    }
}

/// Statements and state of one call of `record`.
struct Recorder {
    let db: Database
    /// Time of the whole batch.
    let time: UnixTime
    let redeciding: Set<Outcome>
    private let redecision: Redecision?
    private var known: KnownUIDs
    private let mails: MailRows
    private let ledger: LedgerRows
    private let duplicates: Duplicates
    private let keepRaw: PreparedStatement
    private var transfers: TransferSearch
    private var links: EventLinkSearch
    private var counters: MailCounters
    private var orders: DateOrderRows
    private var matches: [Int64: Int64] = [:]
    /// Last arrival in each folder; empty if no mail states it.
    private var activity: [FolderKey: UnixTime?] = [:]
    /// Arrival of the newest bank mail of this batch, for each mailbox.
    private var bankMail: [String: UnixTime] = [:]
    private var lastFolder: (key: FolderKey, receivedAt: UnixTime?)?
    private var notifications: NotificationWriter?
    /// Number of notification events written.
    var notificationCount: Int { notifications?.count ?? 0 }

    init(
        _ db: Database, time: UnixTime, redeciding: Set<Outcome> = [],
        announcing: NotificationPolicy? = nil
    ) throws {
        self.db = db
        self.time = time
        self.redeciding = redeciding
        redecision = redeciding.isEmpty ? nil : try Redecision(db)
        known = try KnownUIDs(db)
        mails = try MailRows(db)
        ledger = try LedgerRows(db)
        let reports = try SameEventRows(db)
        duplicates = try Duplicates(db, reports)
        keepRaw = try PreparedStatement(db, RawMessage.insert)
        transfers = TransferSearch(db, time: time)
        links = EventLinkSearch(db, reports, time: time)
        counters = MailCounters(time: time)
        orders = DateOrderRows(db)
        notifications = try announcing.map { try NotificationWriter(db, $0, now: time) }
    }

    mutating func record(_ fetched: MailEntry, _ index: Int, of entries: [MailEntry]) throws -> RecordedMail {
        note(fetched)
        let entry = try orders.dated(fetched)
        let existing = try known.row(of: entry, index, in: entries)
        if let existing, existing.outcome != .failed {
            if !redeciding.isEmpty, existing.outcome == .ignored {
                // The outcome stays; other profiles may read more from the mail.
                try NoticeRows.write(entry, entry.decision.outcome, mailID: existing.id, time: time, in: db)
                try StatementFileRows.write(entry, entry.decision.outcome, mailID: existing.id, time: time, in: db)
            }
            if let result = try redecide(entry, existing) { return result }
            return RecordedMail(
                uid: entry.uid, mailID: existing.id, outcome: existing.outcome,
                transactionID: try ledger.transaction(ofMail: existing.id, orOf: existing.duplicateOf),
                duplicateOf: existing.duplicateOf, isNew: false)
        }
        let verdict = try duplicates.judge(entry)
        let id = existing?.id ?? MailID.make()
        let hit = TemplateHit(entry.decision, verdict)
        if existing != nil {
            try mails.retry(entry, verdict, hit, id: id, time: time)
            counters.addShape(entry, hit, id: id)
        } else {
            try mails.insert(entry, verdict, hit, id: id, time: time)
            counters.add(entry, verdict.outcome, hit, id: id)
        }
        orders.add(entry, verdict)
        var result = RecordedMail(
            uid: entry.uid, mailID: id, outcome: verdict.outcome, transactionID: verdict.transactionID,
            duplicateOf: verdict.duplicateOf,
            possibleDuplicateOf: verdict.possibleDuplicateOf, isNew: true)
        result.day = entry.decision.draft?.date
        if let booking = verdict.booking {
            result.transactionID = try book(entry, verdict, booking, mailID: id)
        }
        try BookedLines.note(verdict, mailID: id, in: db)
        try NoticeRows.write(entry, verdict.outcome, mailID: id, time: time, in: db)
        try StatementFileRows.write(entry, verdict.outcome, mailID: id, time: time, in: db)
        notifications?.add(entry, verdict, transaction: result.transactionID, mail: id)
        if entry.decision.profile != nil, entry.decision.outcome != .quarantined, let received = entry.receivedAt {
            bankMail[entry.mailbox] = max(bankMail[entry.mailbox] ?? received, received)
        }
        if let raw = entry.raw(for: verdict) {
            try RawMessage.keep(raw, size: entry.size, mailID: id, time: time, with: keepRaw)
        }
        known.add(entry, KnownUIDs.Row(id: id, outcome: verdict.outcome, duplicateOf: verdict.duplicateOf))
        return result
    }

    /// `nil` if the row stays unchanged.
    private mutating func redecide(_ entry: MailEntry, _ existing: KnownUIDs.Row) throws -> RecordedMail? {
        guard let redecision, redeciding.contains(existing.outcome),
            existing.outcome.isImproved(by: entry.decision.outcome),
            let row = try redecision.row(ofMail: existing.id)
        else { return nil }
        let verdict = try duplicates.judge(entry, own: (existing.id, row.transaction))
        guard row.shouldChange(to: verdict, entry.decision, was: existing.outcome) else { return nil }
        let hit = TemplateHit(entry.decision, verdict)
        try mails.redecide(entry, verdict, hit, id: existing.id, time: time)
        counters.addShape(entry, hit, id: existing.id)
        var result = RecordedMail(
            uid: entry.uid, mailID: existing.id, outcome: verdict.outcome, transactionID: verdict.transactionID,
            duplicateOf: verdict.duplicateOf,
            possibleDuplicateOf: verdict.possibleDuplicateOf, isNew: false, was: existing.outcome)
        if let booking = verdict.booking {
            result.transactionID = try book(entry, verdict, booking, mailID: existing.id, own: row.transaction)
        } else if let own = row.transaction {
            try redecision.delete(transaction: own)
        }
        if existing.outcome == .ignored { try NoticeRows.delete(mailID: existing.id, in: db) }
        try BookedLines.note(verdict, mailID: existing.id, in: db)
        try NoticeRows.write(entry, verdict.outcome, mailID: existing.id, time: time, in: db)
        try StatementFileRows.write(entry, verdict.outcome, mailID: existing.id, time: time, in: db)
        if verdict.outcome != existing.outcome {
            notifications?.add(entry, verdict, transaction: result.transactionID, mail: existing.id)
        }
        if let raw = entry.raw(for: verdict) {
            try RawMessage.keep(raw, size: entry.size, mailID: existing.id, time: time, with: keepRaw)
        }
        known.add(entry, KnownUIDs.Row(id: existing.id, outcome: verdict.outcome, duplicateOf: verdict.duplicateOf))
        return result
    }

    /// Writes the transaction of a mail: a new one, its own draft, or the draft of an SMS about the same event.
    private mutating func book(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ booking: EntryVerdict.Booking, mailID: String, own: Int64? = nil
    ) throws -> Int64? {
        var transaction = own
        if let own {
            try ledger.update(own, entry.decision, booking, time: time)
        } else if let sms = verdict.replaced {
            try ledger.replace(sms: sms.mail, by: mailID)
            try ledger.update(sms.transaction, entry.decision, booking, time: time)
            transaction = sms.transaction
        } else {
            transaction = try ledger.insert(entry.decision, booking, mailID: mailID, time: time)
            // A trigger counts the others.
            if booking.recorder == .mail { counters.addTransaction(booking.status) }
        }
        if let later = booking.laterDraft, let transaction {
            try duplicates.links.point(later, at: transaction, time: time)
        }
        links.add(transaction, entry.decision, booking)
        try transfers.add(transaction, entry.decision, booking.status)
        if let category = entry.decision.category { matches[category.mapping.id, default: 0] += 1 }
        return transaction
    }

    /// Records the last arrival of each folder, without a dictionary lookup for each mail.
    private mutating func note(_ entry: MailEntry) {
        if let last = lastFolder, last.key == entry.location.key {
            if let received = entry.receivedAt { lastFolder?.receivedAt = max(received, last.receivedAt ?? received) }
            return
        }
        flushActivity()
        lastFolder = (entry.location.key, entry.receivedAt)
    }

    private mutating func flushActivity() {
        guard let last = lastFolder else { return }
        activity.updateValue([activity[last.key] ?? nil, last.receivedAt].compactMap(\.self).max(), forKey: last.key)
    }

    mutating func finish(advancing: (FolderKey, FolderCursor)?) throws {
        // First, because what another transaction replaces is no side of a transfer.
        try links.finish()
        try transfers.finish()
        try notifications?.finish()
        try ledger.finish()
        for (mapping, count) in matches {
            try db.cachedStatement(sql: "UPDATE vendor_mappings SET match_count = match_count + ? WHERE id = ?")
                .execute(arguments: [
                    count, mapping,
                ])
        }
        if let (key, cursor) = advancing {
            try db.cachedStatement(
                sql: """
                    INSERT INTO mailbox_cursors (mailbox, folder, uid_validity, next_uid, searched_domains, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET
                      next_uid = iif(uid_validity = excluded.uid_validity, max(next_uid, excluded.next_uid), excluded.next_uid),
                      uid_validity = excluded.uid_validity, searched_domains = excluded.searched_domains, updated_at = excluded.updated_at
                    """
            ).execute(arguments: [key.mailbox, key.folder, cursor.uidValidity, cursor.nextUID, cursor.domainList, time])
        }
        try counters.flush(db)
        try orders.flush()
        flushActivity()
        for (key, received) in activity {
            try db.cachedStatement(
                sql: """
                    UPDATE mailbox_cursors SET last_processed_at = ?, last_received_at = nullif(max(coalesce(last_received_at, ''), coalesce(?, '')), '')
                    WHERE mailbox = ? AND folder = ?
                    """
            ).execute(arguments: [time, received, key.mailbox, key.folder])
        }
        for (mailbox, received) in bankMail {
            try db.cachedStatement(
                sql:
                    "UPDATE mailbox_health SET last_bank_mail_at = max(coalesce(last_bank_mail_at, ''), ?), last_mail_at = ? WHERE mailbox = ?"
            ).execute(arguments: [received, time, mailbox])
        }
    }
}
