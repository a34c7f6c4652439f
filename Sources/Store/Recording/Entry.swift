public import Ledger

/// One fetched mail and what was decided about it.
public struct MailEntry: Sendable {
    public var mailbox: String
    public var folder: String
    public var uidValidity: UInt32
    public var uid: UInt32
    /// Gmail's X-GM-MSGID.
    public var gmailMessageID: UInt64?
    /// The row of the mail that this one is known to be a copy of, without looking at it.
    public var copyOf: String?
    /// The msg-id without blanks, as printed. `nil` where there is none.
    public var messageID: String?
    /// A digest of the content. Two mails are the same mail where this, `messageID` and `sentAt` are the same.
    public var contentDigest: [UInt8]?
    public var fromAddress: String?
    public var subject: String?
    /// The Date header, seconds since 1970-01-01 UTC; `nil` where there is none that can be read. Not the time of arrival: that differs between copies.
    public var sentAt: Int64?
    /// The server's INTERNALDATE, seconds since 1970-01-01 UTC.
    public var receivedAt: Int64?
    public var decision: Decision
    /// The mail's bytes, where they are to be kept.
    public var raw: [UInt8]?
    /// The mail's true size in bytes where `raw` is only its beginning.
    public var size: UInt64?

    public init(
        mailbox: String, folder: String, uidValidity: UInt32, uid: UInt32, gmailMessageID: UInt64? = nil,
        copyOf: String? = nil, messageID: String? = nil, contentDigest: [UInt8]? = nil,
        fromAddress: String? = nil, subject: String? = nil, sentAt: Int64? = nil, receivedAt: Int64? = nil,
        decision: Decision,
        raw: [UInt8]? = nil, size: UInt64? = nil
    ) {
        self.mailbox = mailbox
        self.folder = folder
        self.uidValidity = uidValidity
        self.uid = uid
        self.gmailMessageID = gmailMessageID
        self.copyOf = copyOf
        self.messageID = messageID
        self.contentDigest = contentDigest
        self.fromAddress = fromAddress
        self.subject = subject
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        self.decision = decision
        self.raw = raw
        self.size = size
    }
}

/// What an ``Entry`` became.
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
