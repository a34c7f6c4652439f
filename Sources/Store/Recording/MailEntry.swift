public import Chronology
public import Ledger

/// A fetched mail with its decision.
public struct MailEntry: Sendable {
    public var location: MailLocation
    /// Gmail's X-GM-MSGID.
    public var gmailMessageID: UInt64?
    /// Row of the original, if X-GM-MSGID shows that the mail is a copy.
    public var copyOf: String?
    /// Message-ID without blanks, as printed. `nil` if there is none.
    public var messageID: String?
    /// Digest of the content. Two mails are the same mail if this, `messageID` and `sentAt` are equal.
    public var contentDigest: [UInt8]?
    /// A digest of the words that distinguish the text, if the draft's key needs one
    /// (``IdempotencyKey/needsText(_:)``).
    public var textDigest: String?
    public var fromAddress: String?
    public var subject: String?
    /// Date header, seconds since 1970-01-01 UTC; `nil` if it cannot be read. Not the time of arrival, which differs
    /// between copies.
    public var sentAt: UnixTime?
    /// The server's INTERNALDATE, seconds since 1970-01-01 UTC.
    public var receivedAt: UnixTime?
    public var decision: Decision
    /// Bytes to be retained, if any.
    public var raw: [UInt8]?
    /// Statements that the bank attached, to be retained until they are read.
    public var files: [File] = []
    /// Size of the mail in bytes if `raw` is only its beginning.
    public var size: UInt64?

    /// A file that is attached to the mail.
    public struct File: Hashable, Sendable {
        public var name: String?
        /// `nil` for a file that is too long to be kept: a person imports it.
        public var bytes: [UInt8]?

        public init(name: String?, bytes: [UInt8]?) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// - Parameter fill: sets further values.
    public init(at location: MailLocation, _ decision: Decision, fill: (inout MailEntry) -> Void = { _ in }) {
        self.location = location
        self.decision = decision
        fill(&self)
    }

    /// True for an SMS that a phone passed on.
    var isSMS: Bool { mailbox == MailLocation.phone }

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
    /// Final outcome: a decision to record may end as `duplicate`, or as `review` for a possible duplicate.
    public var outcome: Outcome
    /// Transaction of the event: for a duplicate, the first mail's.
    public var transactionID: Int64?
    /// Row of the first mail, for `duplicate`.
    public var duplicateOf: String?
    /// Transaction that may be the same event; this one then waits for a person.
    public var possibleDuplicateOf: Int64?
    /// `false` if the UID had a row already, which was left unchanged or decided again.
    public var isNew: Bool
    /// Previous outcome of a row that was decided again and changed.
    public var was: Outcome?
    /// The draft's day of a new row, in the order that earlier mails of the bank prove.
    public var day: CalendarDate?
}
