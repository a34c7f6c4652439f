public import Ledger

/// A fetched mail and the decision about it.
public struct MailEntry: Sendable {
    public var location: MailLocation
    /// Gmail's X-GM-MSGID.
    public var gmailMessageID: UInt64?
    /// The row of the mail that this one is a copy of, if that is known without its text.
    public var copyOf: String?
    /// The msg-id without blanks, as printed. `nil` if there is none.
    public var messageID: String?
    /// A digest of the content. Two mails are the same mail if this, `messageID` and `sentAt` are the same.
    public var contentDigest: [UInt8]?
    public var fromAddress: String?
    public var subject: String?
    /// The Date header, seconds since 1970-01-01 UTC; `nil` if it cannot be read. Not the time of arrival: that differs
    /// between copies.
    public var sentAt: Int64?
    /// The server's INTERNALDATE, seconds since 1970-01-01 UTC.
    public var receivedAt: Int64?
    public var decision: Decision
    /// The mail's bytes, if they are to be retained.
    public var raw: [UInt8]?
    /// The mail's size in bytes if `raw` is only its beginning.
    public var size: UInt64?

    /// - Parameter fill: sets what is known of the mail besides.
    public init(at location: MailLocation, _ decision: Decision, fill: (inout MailEntry) -> Void = { _ in }) {
        self.location = location
        self.decision = decision
        fill(&self)
    }

    public var mailbox: String { location.mailbox }
    public var folder: String { location.folder }
    public var uidValidity: UInt32 { location.uidValidity }
    public var uid: UInt32 { location.uid }
}

/// The result of recording a ``MailEntry``.
public struct RecordedMail: Hashable, Sendable {
    public var uid: UInt32
    /// The mail's row, `processed_emails.id`.
    public var mailID: String
    /// As booked: a decision to record may end as `duplicate`, or as `review` where it may be one.
    public var outcome: Outcome
    /// The transaction that holds the event: for a duplicate, the first mail's.
    public var transactionID: Int64?
    /// For `duplicate`: the first mail's row.
    public var duplicateOf: String?
    /// The transaction that may be the same event; this one waits for a person.
    public var possibleDuplicateOf: Int64?
    /// `false` where the UID had a row already, which was left as it is or decided again.
    public var isNew: Bool
    /// For a row that was decided again and changed: what it was before.
    public var was: Outcome?
}
