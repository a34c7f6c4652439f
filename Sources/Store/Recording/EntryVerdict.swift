import Ledger

/// The outcome of an entry, given the rows of the ledger, with what is to be written.
///
/// The decision of the profiles knows one mail only. Its verdict may differ: a decision to book ends as `duplicate` if
/// the event is booked, and as `review` if it may be.
struct EntryVerdict {
    /// The transaction to be written.
    struct Booking {
        var recorder = AlertRecorder.mail
        /// Value of ``IdempotencyKey``.
        var key: String
        var status: TransactionStatus
        /// The product of the weights of ``reasons``.
        var confidence: Double
        var reasons: [Reason]
        /// The transaction that may be the same event. This one waits and points at it.
        var possibleDuplicateOf: Int64?
        /// A waiting transaction that may be the same event and is to point at this one.
        var laterDraft: LaterDraft?
        /// The authorisation whose final amount it is.
        var authorisation: Int64?
        /// True if no earlier transaction has its amount within the days in which two reports of one payment lie.
        var isAlone = false

        /// Sends the draft to review.
        mutating func doubt(_ doubt: DuplicateDoubt, of other: Int64) {
            let reason = Reason(doubt, about: other)
            status = .needsReview
            possibleDuplicateOf = other
            reasons.append(reason)
            confidence *= reason.weight
        }
    }

    /// The draft of a later mail that may be about the same event: the link points from the later mail to the earlier,
    /// in any order of recording.
    struct LaterDraft {
        var id: Int64
        var doubt: DuplicateDoubt
    }

    var outcome: Outcome
    /// `nil` if the mail makes no transaction.
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

extension MailEntry {
    /// Bytes to be retained: those of a repeated mail are retained already.
    func raw(for verdict: EntryVerdict) -> [UInt8]? {
        verdict.isSameMail ? nil : raw
    }
}
