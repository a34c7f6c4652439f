/// An e-mail message: the header at once, the text and its digest on first use.
///
/// Total: every byte sequence is a message, damage is listed in ``defects`` and nothing throws. A mail whose
/// sender is no bank costs no more than a look at its header: its body is not even searched for parts.
///
/// Not `Sendable`: for use on one thread. Different messages may be used on different threads.
public final class Message {
    /// Every mailbox of every From field, in order. A mail that has not exactly one is nobody's.
    public let from: [EmailAddress]
    /// The first Subject field: decoded (RFC 2047), in canonical form and on one line; at most 2,048 bytes.
    public let subject: String
    /// The first Message-ID without its angle brackets; at most 998 bytes. Chosen by the sender.
    public let messageID: String?
    public let date: HeaderDate?

    let section: HeaderSection
    /// At most ``MessageLimits/messageBytes`` of what was given.
    package let bytes: [UInt8]
    private let limits: MessageLimits
    private var found: DefectList

    /// The longest subject kept: twice the longest line that RFC 5322 section 2.1.1 allows.
    static let subjectBytes = 2048
    /// The longest Message-ID kept: one line of RFC 5322 section 2.1.1.
    static let messageIDBytes = 998

    /// Shares the array's memory.
    public init(parsing bytes: [UInt8], limits: MessageLimits = .standard) {
        var found = DefectList()
        var bytes = bytes
        if bytes.count > limits.messageBytes {
            found.note(.limit(.messageBytes))
            bytes.removeLast(bytes.count - limits.messageBytes)
        }
        if LineEnds.areDoubled(bytes) { bytes = LineEnds.single(bytes) }
        let span = bytes.span
        let section = HeaderSection(scanning: span, limit: limits.headerBytes, noting: &found)
        from = HeaderFields.from(span, section, &found)
        subject = HeaderFields.subject(span, section, &found)
        messageID = HeaderFields.messageID(span, section, &found)
        date = HeaderFields.date(span, section, &found)
        self.bytes = bytes
        self.section = section
        self.limits = limits
        self.found = found
    }

    /// Copies the bytes (at most ``MessageLimits/messageBytes`` and one): they need live only during the call.
    public convenience init(parsing bytes: UnsafeRawBufferPointer, limits: MessageLimits = .standard) {
        self.init(parsing: Array(bytes.prefix(limits.messageBytes + 1)), limits: limits)
    }

    /// Damage and limits found so far. Those of the body are found when ``text`` is first used.
    public var defects: [Defect] { found.all }

    /// The first limit hit so far. A mail that hit one must not be booked.
    public var limitHit: MessageLimits.Name? { found.firstLimit }

    /// The text that patterns run on; made on first use.
    ///
    /// Of alternative forms the HTML one is read if it has words. Attachments and forwarded mails are not read:
    /// a forwarded alert is not an alert.
    public private(set) lazy var text: CanonicalText = {
        let bytes = self.bytes
        let text = BodyReader.read(bytes.span, section, limits)
        found.note(text.defects)
        return text
    }()

    /// SHA-256 over the addresses of From, the date, the subject and ``text``: what stays the same when a mail is
    /// delivered again by another way. A mail without any text counts with the bytes of its body.
    public private(set) lazy var contentDigest: [UInt8] = digest()

    /// The header section as it stands, for keeping; at most ``MessageLimits/headerBytes``.
    public var headerBytes: ArraySlice<UInt8> {
        bytes.prefix(min(section.bodyStart, limits.headerBytes))
    }

    /// The body as it stands.
    var bodyBytes: ArraySlice<UInt8> { bytes.dropFirst(section.bodyStart) }
}
