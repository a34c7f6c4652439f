import GRDB
import Ledger

/// Judges an entry by the ledger: finds the first mail or transaction that it repeats, or may repeat.
///
/// | found, in this order | verdict |
/// |---|---|
/// | the same mail | `duplicate` |
/// | a transaction with its key | `duplicate`; with another amount or day, see `reusedReference` |
/// | an alert of the other medium about the event | `duplicate`, or a draft if it is unsure |
/// | a transaction with its facts and an old key | `duplicate` |
/// | a transaction with its facts, from another text | a draft |
/// | a transaction that nothing printed distinguishes from it | a draft |
/// | the line of a statement that is booked | `duplicate` with one reference, otherwise a draft |
/// | nothing | as decided |
struct Duplicates {
    /// A draft that is to be booked, and what is known of its event.
    private struct Candidate {
        let draft: TransactionDraft
        let key: IdempotencyKey
        let report: EventReport
        /// The booking if the ledger has nothing about the event.
        var booking: EntryVerdict.Booking
        /// The draft of a mail that is decided again: it does not count as another transaction.
        let own: Int64?

        init(_ draft: TransactionDraft, of entry: MailEntry, own: Int64?) {
            let decision = entry.decision
            self.draft = draft
            self.own = own
            key = IdempotencyKey(
                bank: decision.profile ?? "", draft: draft, mailIdentity: entry.identity, textDigest: entry.textDigest)
            report = EventReport(
                draft, bank: decision.profile ?? "", form: decision.template ?? "", in: entry.isSMS ? .sms : .mail)
            var booking = EntryVerdict.Booking(
                key: key.value, status: decision.outcome == .recorded ? .confirmed : .needsReview,
                confidence: decision.confidence.isNaN ? 0 : min(max(decision.confidence, 0), 1),
                reasons: decision.reasons)
            if entry.isSMS { booking.recorder = .sms }
            self.booking = booking
        }
    }

    private let booked: BookedEvents
    private let earlier: EarlierAlerts
    private let bookedLines: BookedLines
    private let reports: SameEventRows
    let links: DuplicateLinks

    init(_ db: Database, _ reports: SameEventRows) throws {
        self.reports = reports
        booked = try BookedEvents(db)
        earlier = try EarlierAlerts(db, reports)
        bookedLines = try BookedLines(db)
        links = try DuplicateLinks(db)
    }

    /// - Parameter own: the existing row of the entry and its draft, which do not count as the first.
    func judge(_ entry: MailEntry, own: (mail: String, transaction: Int64?)? = nil) throws -> EntryVerdict {
        if let copy = try repetition(of: entry, besides: own?.mail) { return copy }
        guard let draft = entry.decision.draft else {
            return EntryVerdict(outcome: entry.decision.outcome, remark: Self.remark(entry.decision))
        }
        var candidate = Candidate(draft, of: entry, own: own?.transaction)
        if let first = try booked.event(candidate.key.value, besides: candidate.own) {
            guard candidate.key.basis == .reference, !first.agrees(with: draft) else {
                return try replacing(first.id, first.mail, candidate, entry) ?? Self.again(first, candidate.key)
            }
            return try reusedReference(of: first, candidate, entry)
        }
        let alike = try earlier.alike(candidate.report, besides: candidate.own)
        candidate.booking.isAlone = alike.isEmpty
        let alerts = alike.filter { $0.report.bank == candidate.report.bank }
        if let match = try earlier.ofOtherMedium(like: candidate.report, among: alerts) {
            return try reported(match, candidate, entry)
        }
        if let first = try booked.eventWithoutText(candidate.key, besides: candidate.own) {
            return Self.again(first, candidate.key)
        }
        return try doubted(candidate, entry, alerts)
    }

    /// The verdict on a mail that was recorded before; `nil` if it was not.
    private func repetition(of entry: MailEntry, besides own: String?) throws -> EntryVerdict? {
        let first = try entry.copyOf ?? booked.sameMail(as: entry, besides: own)
        guard let first else { return nil }
        let reason: DuplicateReason = entry.copyOf == nil ? .sameMail : .sameGmailMessage
        return EntryVerdict(
            outcome: .duplicate, duplicateOf: first, transactionID: try booked.transaction(ofMail: first),
            isSameMail: true, remark: reason.sentence)
    }

    /// The verdict on a mail that has the reference of a recorded event, but another amount or day. Either it reports
    /// the final amount of that event, or the reference is not unique, such as a mandate's or a customer's number. In
    /// the second case these are two events, and a person decides.
    private func reusedReference(
        of first: BookedEvents.Event, _ candidate: Candidate, _ entry: MailEntry
    ) throws -> EntryVerdict {
        var booking = candidate.booking
        booking.key += "|" + entry.identity
        if let first = try booked.event(booking.key, besides: candidate.own) { return Self.again(first, candidate.key) }
        if booking.status == .confirmed, try FinalAmountSearch.isFinal(reports, first.id, candidate.report) {
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
        _ match: EarlierAlerts.Match, _ candidate: Candidate, _ entry: MailEntry
    ) throws -> EntryVerdict {
        guard match.isSure else {
            var booking = candidate.booking
            try doubt(
                &booking, .otherMedium(isMail: entry.isSMS, minutes: Int(SameEventEvidence.closeSeconds / 60)),
                of: match.transaction, entry)
            return EntryVerdict(booking)
        }
        return try replacing(match.transaction, match.mail, candidate, entry)
            ?? EntryVerdict(
                outcome: .duplicate, duplicateOf: match.mail, transactionID: match.transaction,
                remark: DuplicateReason.otherMedium(isMail: entry.isSMS).sentence)
    }

    /// The verdict on a mail whose event is the draft of an SMS that no person has decided: the mail's sender is
    /// authenticated, so the transaction becomes the mail's. `nil` for any other transaction.
    private func replacing(
        _ transaction: Int64, _ sms: String?, _ candidate: Candidate, _ entry: MailEntry
    ) throws -> EntryVerdict? {
        guard let sms, candidate.own == nil, !entry.isSMS, entry.decision.outcome == .recorded,
            try earlier.isWaitingSMS(transaction)
        else { return nil }
        var verdict = EntryVerdict(outcome: .recorded, booking: candidate.booking)
        verdict.replaced = EarlierAlerts.Match(transaction: transaction, mail: sms)
        return verdict
    }

    /// The verdict on an alert whose key is new: it waits if a booked transaction may be its event.
    private func doubted(
        _ candidate: Candidate, _ entry: MailEntry, _ alerts: [SameEventRows.Report]
    ) throws -> EntryVerdict {
        var booking = candidate.booking
        let otherText = try booked.otherTexts(candidate.key, besides: candidate.own).first {
            try !earlier.pointsAt(candidate.own, from: $0)
        }
        if let otherText {
            try doubt(&booking, .sameFactsOtherText, of: otherText, entry)
        } else if let other = try earlier.indistinguishable(
            from: candidate.report, among: alerts, besides: candidate.own)
        {
            if booking.status == .confirmed, try SameEventSearch.isReportedAgain(reports, other, candidate.report) {
                // Both print one reference: both are booked, and the search for links joins them.
                return EntryVerdict(booking)
            }
            try doubt(&booking, .indistinguishable, of: other, entry)
        } else if let line = try bookedLines.first(
            like: candidate.draft, profile: entry.decision.profile, besides: candidate.own)
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

    private static func again(_ first: BookedEvents.Event, _ key: IdempotencyKey) -> EntryVerdict {
        EntryVerdict(
            outcome: .duplicate, duplicateOf: first.mail, transactionID: first.id,
            remark: (key.basis == .reference ? DuplicateReason.sameReference : .sameFacts).sentence)
    }

    private static func remark(_ decision: Decision) -> String? {
        if let failure = decision.failure { return failure.description }
        let notes = decision.reasons.filter { $0.weight < 1 }.map(\.note)
        if !notes.isEmpty { return notes.joined(separator: "; ") }
        return decision.outcome == .quarantined
            ? "authentication: \(decision.authentication)" : decision.reasons.first?.note
    }
}
