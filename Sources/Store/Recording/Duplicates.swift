import Chronology
import Codecs
import GRDB
import Ledger

/// The outcome of an entry, given the rows of the ledger.
struct EntryVerdict {
    struct Booking {
        var recorder = AlertRecorder.mail
        var key: String
        var status: TransactionStatus
        var confidence: Double
        var reasons: [Reason]
        var possibleDuplicateOf: Int64?
        var laterDraft: LaterDraft?
        /// The authorisation whose final amount it is.
        var authorisation: Int64?

        /// Sends the draft to review.
        mutating func doubt(_ doubt: DuplicateDoubt, of other: Int64) {
            let reason = Reason(doubt, about: other)
            status = .needsReview
            possibleDuplicateOf = other
            reasons.append(reason)
            confidence *= reason.weight
        }
    }

    /// The draft of a later mail that may be about the same event: it gets the link.
    struct LaterDraft {
        var id: Int64
        var doubt: DuplicateDoubt
    }

    var outcome: Outcome
    var booking: Booking?
    /// The first mail and its transaction, for a duplicate.
    var duplicateOf: String?
    var transactionID: Int64?
    /// True for a copy of the same mail, whose bytes are retained already.
    var isSameMail = false
    /// The draft of an SMS about the same event, which becomes the mail's.
    var replaced: EarlierAlerts.Match?
    /// True if a statement's line booked the transaction.
    var isOfStatement = false
    /// Reason for display if it was not booked.
    var remark: String?

    var possibleDuplicateOf: Int64? { booking?.possibleDuplicateOf }
}

extension EntryVerdict {
    init(_ booking: Booking) {
        self.init(outcome: booking.status == .confirmed ? .recorded : .review, booking: booking)
    }
}

/// Finds the first mail or transaction that an entry repeats.
struct Duplicates {
    private let byContent: PreparedStatement
    private let byKey: PreparedStatement
    private let byFacts: PreparedStatement
    private let byMail: PreparedStatement
    private let earlier: EarlierAlerts
    private let bookedLines: BookedLines
    private let reports: SameEventRows
    let links: DuplicateLinks

    init(_ db: Database, _ reports: SameEventRows) throws {
        self.reports = reports
        // Repeats the terms of the partial index literally, so that SQLite uses it.
        byContent = try PreparedStatement(
            db,
            """
            SELECT id, status FROM processed_emails
            WHERE sent_at IS ? AND content_digest = ? AND message_id IS ?
              AND content_digest IS NOT NULL AND duplicate_of IS NULL AND status NOT IN ('unclaimed', 'failed')
            ORDER BY rowid
            """)
        // Another alert about the event does not know a person's edits, so the values before the first edit count.
        let asBooked = { (column: String) in
            """
            coalesce((SELECT json_extract(c.before, '$.transaction.\(column)') FROM changes c WHERE c.transaction_id = t.id ORDER BY c.id LIMIT 1), t.\(column))
            """
        }
        byKey = try PreparedStatement(
            db,
            """
            SELECT t.id, t.source_email_id, \(asBooked("amount_minor")), \(asBooked("currency")), \(asBooked("parsed_date"))
            FROM transactions t WHERE t.idempotency_key = ?
            """)
        byFacts = try PreparedStatement(
            db, "SELECT id FROM transactions WHERE idempotency_key > ? AND idempotency_key < ? ORDER BY id")
        byMail = try PreparedStatement(db, "SELECT id FROM transactions WHERE source_email_id = ?")
        earlier = try EarlierAlerts(db, reports)
        bookedLines = try BookedLines(db)
        links = try DuplicateLinks(db)
    }

    /// - Parameter own: the existing row of the entry and its draft, which do not count as the first.
    func judge(_ entry: MailEntry, own: (mail: String, transaction: Int64?)? = nil) throws -> EntryVerdict {
        let decision = entry.decision
        if let copy = try repetition(of: entry, besides: own?.mail) { return copy }
        guard let draft = decision.draft else {
            return EntryVerdict(outcome: decision.outcome, remark: Self.remark(decision))
        }
        let key = IdempotencyKey(
            bank: decision.profile ?? "", draft: draft, mailIdentity: entry.identity, textDigest: entry.textDigest)
        var booking = EntryVerdict.Booking(
            key: key.value, status: decision.outcome == .recorded ? .confirmed : .needsReview,
            confidence: decision.confidence.isNaN ? 0 : min(max(decision.confidence, 0), 1), reasons: decision.reasons)
        if entry.isSMS { booking.recorder = .sms }
        if let first = try event(key.value, besides: own?.transaction) {
            guard key.basis == .reference, !first.agrees(with: draft) else {
                return try replacing(first.id, first.mail, booking, entry, own?.transaction) ?? Self.again(first, key)
            }
            return try reusedReference(of: first, key, booking, entry, own?.transaction)
        }
        let report = entry.report(draft)
        let candidates = try earlier.candidates(for: report, besides: own?.transaction)
        if let match = try earlier.ofOtherMedium(like: report, among: candidates) {
            return try reported(match, booking, entry, own?.transaction)
        }
        if let first = try recordedWithoutText(key, besides: own?.transaction) {
            return Self.again(first, key)
        }
        if let other = try otherText(key, besides: own?.transaction) {
            try doubt(&booking, .sameFactsOtherText, of: other, entry)
        } else if let other = try earlier.indistinguishable(
            from: report, among: candidates, besides: own?.transaction)
        {
            if booking.status == .confirmed, try SameEventSearch.isReportedAgain(reports, other, report) {
                return EntryVerdict(outcome: .recorded, booking: booking)
            }
            try doubt(&booking, .indistinguishable, of: other, entry)
        } else if let line = try bookedLines.first(
            like: draft, profile: decision.profile, besides: own?.transaction)
        {
            guard !line.isSure else {
                return EntryVerdict(
                    outcome: .duplicate, transactionID: line.transaction, isOfStatement: true,
                    remark: DuplicateReason.bookedFromStatement.sentence)
            }
            booking.doubt(.lineOfStatement, of: line.transaction)
        }
        return EntryVerdict(booking)
    }

    /// The verdict on a mail that has the reference of a recorded event, but another amount or day. Either it reports
    /// the final amount of that event, or the reference is not unique, such as a mandate's or a customer's number. In
    /// the second case these are two events, and a person decides.
    private func reusedReference(
        of first: Event, _ key: IdempotencyKey, _ booking: EntryVerdict.Booking, _ entry: MailEntry, _ own: Int64?
    ) throws -> EntryVerdict {
        var booking = booking
        booking.key += "|" + entry.identity
        if let first = try event(booking.key, besides: own) { return Self.again(first, key) }
        if booking.status == .confirmed, let draft = entry.decision.draft,
            try FinalAmountSearch.isFinal(reports, first.id, entry.report(draft))
        {
            booking.authorisation = first.id
        } else if try isBelowAMail(first.id, entry) {
            booking.laterDraft = EntryVerdict.LaterDraft(id: first.id, doubt: .sameReferenceOtherFacts)
        } else {
            booking.doubt(.sameReferenceOtherFacts, of: first.id)
        }
        return EntryVerdict(booking)
    }

    /// The verdict on an alert whose event an alert of the other medium reported, or may have reported.
    private func reported(
        _ match: EarlierAlerts.Match, _ booking: EntryVerdict.Booking, _ entry: MailEntry, _ own: Int64?
    ) throws -> EntryVerdict {
        guard match.isSure else {
            var booking = booking
            try doubt(
                &booking, .otherMedium(isMail: entry.isSMS, minutes: Int(SameEventEvidence.closeSeconds / 60)),
                of: match.transaction, entry)
            return EntryVerdict(booking)
        }
        return try replacing(match.transaction, match.mail, booking, entry, own)
            ?? EntryVerdict(
                outcome: .duplicate, duplicateOf: match.mail, transactionID: match.transaction,
                remark: DuplicateReason.otherMedium(isMail: entry.isSMS).sentence)
    }

    /// The verdict on a mail whose event is the draft of an SMS that no person has decided: the mail's sender is
    /// authenticated, so the transaction becomes the mail's.
    private func replacing(
        _ transaction: Int64, _ sms: String?, _ booking: EntryVerdict.Booking, _ entry: MailEntry, _ own: Int64?
    ) throws -> EntryVerdict? {
        guard let sms, own == nil, !entry.isSMS, entry.decision.outcome == .recorded,
            try earlier.isWaitingSMS(transaction)
        else { return nil }
        var verdict = EntryVerdict(outcome: .recorded, booking: booking)
        verdict.replaced = EarlierAlerts.Match(transaction: transaction, mail: sms)
        return verdict
    }

    /// The verdict on a mail that was recorded before; `nil` if it was not.
    private func repetition(of entry: MailEntry, besides own: String?) throws -> EntryVerdict? {
        if let first = entry.copyOf {
            return EntryVerdict(
                outcome: .duplicate, duplicateOf: first,
                transactionID: try byMail.first({ $0.bind(first) }, { $0.int(0) }), isSameMail: true,
                remark: DuplicateReason.sameGmailMessage.sentence)
        }
        if let (first, transaction) = try sameMail(entry, besides: own) {
            return EntryVerdict(
                outcome: .duplicate, duplicateOf: first, transactionID: transaction, isSameMail: true,
                remark: DuplicateReason.sameMail.sentence)
        }
        return nil
    }

    /// Sends the booking to review, or the other draft if that belongs to the later mail or to an SMS.
    private func doubt(
        _ booking: inout EntryVerdict.Booking, _ doubt: DuplicateDoubt, of other: Int64, _ entry: MailEntry
    ) throws {
        if try isBelowAMail(other, entry) || links.isLaterDraft(other, than: entry) {
            booking.laterDraft = EntryVerdict.LaterDraft(id: other, doubt: doubt)
        } else {
            booking.doubt(doubt, of: other)
        }
    }

    /// True if `other` is the draft of an SMS and `entry` is a mail. The sender of a waiting SMS is unproven, so its
    /// draft does not prevent a mail from being booked.
    private func isBelowAMail(_ other: Int64, _ entry: MailEntry) throws -> Bool {
        try !entry.isSMS && earlier.isWaitingSMS(other)
    }

    private struct Event {
        var id: Int64
        var mail: String?
        var amountMinor: Int64
        var currency: String
        var date: CalendarDate

        /// Maximum days between the dates of two alerts about one event.
        static let tolerance = SameEventEvidence.days

        func agrees(with draft: TransactionDraft) -> Bool {
            guard amountMinor == draft.amount.minorUnits, currency == draft.amount.currency.code else {
                return false
            }
            return abs(date.daysSince1970 - draft.date.daysSince1970) <= Self.tolerance
        }
    }

    private func event(_ key: String, besides own: Int64?) throws -> Event? {
        let found = try byKey.first({ $0.bind(key) }) {
            Event(
                id: $0.int(0), mail: $0.optionalText(1), amountMinor: $0.int(2), currency: $0.text(3), date: $0.day(4))
        }
        return found?.id == own ? nil : found
    }

    /// The transaction with the same facts from before keys contained a digest of the text.
    private func recordedWithoutText(_ key: IdempotencyKey, besides own: Int64?) throws -> Event? {
        guard let facts = key.facts, facts != key.value else { return nil }
        return try event(facts, besides: own)
    }

    /// The first transaction with the same facts, made from another text.
    private func otherText(_ key: IdempotencyKey, besides own: Int64?) throws -> Int64? {
        guard let facts = key.facts else { return nil }
        var found: [Int64] = []
        try byFacts.each {
            // Every key that begins with the facts and a boundary: the next byte value ends the range.
            $0.bind(facts + IdempotencyKey.boundary)
            $0.bind(facts + "}")
        } _: { row in
            if row.int(0) != own { found.append(row.int(0)) }
            return true
        }
        return try found.first { try !earlier.pointsAt(own, from: $0) }
    }

    private static func again(_ first: Event, _ key: IdempotencyKey) -> EntryVerdict {
        EntryVerdict(
            outcome: .duplicate, duplicateOf: first.mail, transactionID: first.id,
            remark: (key.basis == .reference ? DuplicateReason.sameReference : .sameFacts).sentence)
    }

    /// The first mail with the same Message-ID and content, and its transaction.
    ///
    /// A first mail with a lesser outcome does not count: a mail that is to be booked is booked even if a copy was
    /// quarantined or ignored. So a forged copy sent in advance cannot suppress a bank's mail.
    private func sameMail(_ entry: MailEntry, besides own: String?) throws -> (mail: String, transaction: Int64?)? {
        guard let digest = entry.contentDigest else { return nil }
        let suppressors: Set<Outcome>
        switch entry.decision.outcome {
        case .recorded, .review: suppressors = [.recorded, .review]
        case .ignored: suppressors = [.recorded, .review, .ignored]
        case .quarantined: suppressors = [.quarantined]
        case .duplicate, .unclaimed, .failed: return nil
        }
        var mail: String?
        try byContent.each {
            $0.bind(entry.sentAt)
            $0.bind(digest)
            $0.bind(entry.messageID)
        } _: { row in
            guard let outcome = Outcome(rawValue: row.text(1)), suppressors.contains(outcome), row.text(0) != own else {
                return true
            }
            mail = row.text(0)
            return false
        }
        guard let mail else { return nil }
        return (mail, try byMail.first({ $0.bind(mail) }, { $0.int(0) }))
    }

    private static func remark(_ decision: Decision) -> String? {
        if let failure = decision.failure { return failure.description }
        let notes = decision.reasons.filter { $0.weight < 1 }.map(\.note)
        if !notes.isEmpty { return notes.joined(separator: "; ") }
        return decision.outcome == .quarantined
            ? "authentication: \(decision.authentication)" : decision.reasons.first?.note
    }
}

extension MailEntry {
    /// The statements of the alert about a payment.
    fileprivate func report(_ draft: TransactionDraft) -> EventReport {
        EventReport(
            draft, bank: decision.profile ?? "", form: decision.template ?? "", in: isSMS ? .sms : .mail)
    }

    /// Bytes to be retained: those of a repeated mail are retained already.
    func raw(for verdict: EntryVerdict) -> [UInt8]? {
        verdict.isSameMail ? nil : raw
    }

    /// Identifies the mail, for events that print neither a reference nor a time.
    var identity: String {
        guard contentDigest != nil || messageID != nil else { return "\(mailbox)/\(folder)/\(uidValidity)/\(uid)" }
        let digest = contentDigest ?? []
        let hexadecimal = Hexadecimal.text(digest)
        return messageID.map { "\($0) \(hexadecimal)" } ?? hexadecimal
    }
}
