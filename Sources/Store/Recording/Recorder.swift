import Chronology
import GRDB
import Ledger

/// The statements and the state of one batch, within its transaction: ``record(_:_:of:)`` for each mail, in order, then
/// ``finish(advancing:)``.
///
/// Three kinds of mail arrive: one without a row, the next attempt at a `failed` one, and one that has its row. The
/// first two are judged and written by `add`. The third changes nothing, unless the batch decides again.
struct Recorder {
    let db: Database
    /// Time of the whole batch.
    let time: UnixTime
    /// Outcomes of rows that a better decision replaces; empty for new mail.
    let redeciding: Set<Outcome>
    private let redecision: Redecision?
    private var known: KnownUIDs
    private let mails: MailRows
    private let ledger: LedgerRows
    private let duplicates: Duplicates
    private let raw: RawMessageRows
    private var transfers: TransferSearch
    private var links: EventLinkSearch
    private var counters: MailCounters
    private var orders: DateOrderRows
    private var arrivals = ArrivalTimes()
    /// The number of transactions that each category rule decided, for `match_count`.
    private var matches: [Int64: Int64] = [:]
    /// Written after everything else: they fill many pages, and would displace those of indexes that each mail changes.
    private var retained: [RetainedBytes] = []
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
        raw = try RawMessageRows(db)
        transfers = TransferSearch(db, time: time)
        links = EventLinkSearch(db, reports, time: time)
        counters = MailCounters(time: time)
        orders = DateOrderRows(db)
        notifications = try announcing.map { try NotificationWriter(db, $0, now: time) }
    }

    /// - Parameters:
    ///   - index: the place of the entry in the batch.
    ///   - entries: the batch. Rows are read for a run of entries at a time.
    mutating func record(_ fetched: MailEntry, _ index: Int, of entries: [MailEntry]) throws -> RecordedMail {
        arrivals.add(fetched)
        let entry = try orders.dated(fetched)
        guard let existing = try known.row(of: entry, index, in: entries) else { return try add(entry, retrying: nil) }
        return existing.outcome == .failed ? try add(entry, retrying: existing.id) : try revisit(entry, existing)
    }

    /// Records a new mail.
    ///
    /// - Parameter failed: the row of a mail that failed before; it gets the new decision.
    private mutating func add(_ entry: MailEntry, retrying failed: String?) throws -> RecordedMail {
        let verdict = try duplicates.judge(entry)
        let id = failed ?? MailID.make()
        let hit = TemplateHit(entry.decision, verdict)
        if failed != nil {
            try mails.retry(entry, verdict, hit, id: id, time: time)
            // Triggers count a changed row; none knows the words of a shape.
            counters.addShape(entry, hit, id: id)
        } else {
            try mails.insert(entry, verdict, hit, id: id, time: time)
            counters.add(entry, verdict.outcome, hit, id: id)
        }
        orders.add(entry, verdict)
        var result = RecordedMail(entry, verdict, mailID: id, isNew: true)
        result.day = entry.decision.draft?.date
        if let booking = verdict.booking {
            result.transactionID = try book(entry, verdict, booking, mailID: id)
        }
        try attach(entry, verdict, mailID: id)
        notifications?.add(entry, verdict, transaction: result.transactionID, mail: id)
        arrivals.addBankMail(entry)
        retain(entry, verdict, mailID: id)
        return result
    }

    /// Reports the row of a mail that was recorded before. It stays, unless the batch decides again.
    private mutating func revisit(_ entry: MailEntry, _ existing: KnownUIDs.Row) throws -> RecordedMail {
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

    /// Replaces the decision of a row by a better one; `nil` if the row stays unchanged.
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
        var result = RecordedMail(entry, verdict, mailID: existing.id, isNew: false)
        result.was = existing.outcome
        if let booking = verdict.booking {
            result.transactionID = try book(entry, verdict, booking, mailID: existing.id, own: row.transaction)
        } else if let own = row.transaction {
            try redecision.delete(transaction: own)
        }
        if existing.outcome == .ignored { try NoticeRows.delete(mailID: existing.id, in: db) }
        try attach(entry, verdict, mailID: existing.id)
        if verdict.outcome != existing.outcome {
            notifications?.add(entry, verdict, transaction: result.transactionID, mail: existing.id)
        }
        retain(entry, verdict, mailID: existing.id)
        return result
    }

    /// Writes the transaction of a mail.
    ///
    /// - Parameter own: the draft of a mail that is decided again.
    /// - Returns: the transaction: a new one, the mail's own draft, or the draft of an SMS about the same event.
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

    /// Writes what belongs to a mail besides its transaction: the line of a statement that it confirms, its notice, its
    /// files.
    private func attach(_ entry: MailEntry, _ verdict: EntryVerdict, mailID: String) throws {
        try BookedLines.note(verdict, mailID: mailID, in: db)
        try NoticeRows.write(entry, verdict.outcome, mailID: mailID, time: time, in: db)
        try StatementFileRows.write(entry, verdict.outcome, mailID: mailID, time: time, in: db)
    }

    /// Retains the bytes of a mail, and its row for the rest of the batch.
    private mutating func retain(_ entry: MailEntry, _ verdict: EntryVerdict, mailID: String) {
        if let bytes = entry.raw(for: verdict) {
            retained.append(RetainedBytes(mailID: mailID, bytes: bytes, size: entry.size))
        }
        known.add(entry, KnownUIDs.Row(id: mailID, outcome: verdict.outcome, duplicateOf: verdict.duplicateOf))
    }

    /// Writes what is written once for a batch: links between transactions, counters, the folder's cursor, and the
    /// bytes of the mails.
    mutating func finish(advancing: (FolderKey, FolderCursor)?) throws {
        // Before the search for transfers: a transaction that another one replaces cannot be a side of one.
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
        if let (key, cursor) = advancing { try advance(key, to: cursor) }
        try counters.flush(db)
        try orders.flush()
        // After the cursor, which may be the first row of its folder.
        try arrivals.flush(db, time: time)
        // Only the mail reader, which passes a cursor, may add a dictionary.
        try raw.keep(retained, time: time, makesDictionary: advancing != nil)
    }

    /// Writes the cursor of a folder. With the same UIDVALIDITY it never moves back.
    private func advance(_ key: FolderKey, to cursor: FolderCursor) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO mailbox_cursors (mailbox, folder, uid_validity, next_uid, searched_domains, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                  next_uid = iif(uid_validity = excluded.uid_validity, max(next_uid, excluded.next_uid), excluded.next_uid),
                  uid_validity = excluded.uid_validity, searched_domains = excluded.searched_domains, updated_at = excluded.updated_at
                """
        ).execute(arguments: [key.mailbox, key.folder, cursor.uidValidity, cursor.nextUID, cursor.domainList, time])
    }
}

extension RecordedMail {
    fileprivate init(_ entry: MailEntry, _ verdict: EntryVerdict, mailID: String, isNew: Bool) {
        self.init(
            uid: entry.uid, mailID: mailID, outcome: verdict.outcome, transactionID: verdict.transactionID,
            duplicateOf: verdict.duplicateOf, possibleDuplicateOf: verdict.possibleDuplicateOf, isNew: isNew)
    }
}
