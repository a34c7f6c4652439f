/// An e-mail message. The initializer reads the header; the text and its digest are computed on first use.
///
/// Total: every byte sequence is a message, damage is listed in ``defects`` and nothing throws. If the sender is not a
/// bank, the body is never read: not even its parts are searched.
///
/// Not `Sendable`: use each instance on one thread. Different instances may be used on different threads.
public final class Message {
    /// The mailboxes of all From fields, in order. A message without exactly one of them belongs to no bank.
    public let from: [EmailAddress]
    /// The first Subject field: decoded (RFC 2047), in canonical form, on one line, at most 2,048 bytes.
    public let subject: String
    /// The first Message-ID without angle brackets, at most 998 bytes. The sender chooses it.
    public let messageID: String?
    public let date: HeaderDate?

    let section: HeaderSection
    /// The message, truncated to ``MessageLimits/messageBytes``.
    package let bytes: [UInt8]
    private let limits: MessageLimits
    private var found: DefectList

    /// Maximum length of a subject: twice the longest line of RFC 5322 section 2.1.1.
    static let subjectBytes = 2048
    /// Maximum length of a Message-ID: the longest line of RFC 5322 section 2.1.1.
    static let messageIDBytes = 998

    /// Shares the storage of the array.
    public init(parsing bytes: [UInt8], limits: MessageLimits = .standard) {
        var found = DefectList()
        var bytes = bytes
        if bytes.count > limits.messageBytes {
            found.record(.limit(.messageBytes))
            bytes.removeLast(bytes.count - limits.messageBytes)
        }
        if LineEnds.areDoubled(bytes) { bytes = LineEnds.single(bytes) }
        let span = bytes.span
        let section = HeaderSection(scanning: span, limit: limits.headerBytes, recording: &found)
        from = HeaderFields.from(span, section, &found)
        subject = HeaderFields.subject(span, section, &found)
        messageID = HeaderFields.messageID(span, section, &found)
        date = HeaderFields.date(span, section, &found)
        self.bytes = bytes
        self.section = section
        self.limits = limits
        self.found = found
    }

    /// Copies at most ``MessageLimits/messageBytes`` + 1 bytes. The buffer needs to be valid only during the call.
    public convenience init(parsing bytes: UnsafeRawBufferPointer, limits: MessageLimits = .standard) {
        self.init(parsing: Array(bytes.prefix(limits.messageBytes + 1)), limits: limits)
    }

    /// The defects found so far. Those of the body are found when ``text`` is first used.
    public var defects: [Defect] { found.all }

    /// True if damage left no text, text of which at least one byte in ten could not be decoded, or text without words.
    public var isTextLost: Bool {
        let text = text.bytes
        if text.isEmpty, defects.contains(.malformedMultipart) || hasLostPart { return true }
        if LostWords.areFound(in: text) { return true }
        guard defects.contains(.undecodableBytes) else { return false }
        // U+FFFD is three bytes long and stands for one or more of the mail.
        var (lost, at) = (0, 0)
        while at + 2 < text.count {
            let isReplacement = text[at] == 0xEF && text[at + 1] == 0xBF && text[at + 2] == 0xBD
            if isReplacement { lost += 1 }
            at += isReplacement ? 3 : 1
        }
        return lost * 10 >= text.count - 2 * lost
    }

    /// True if a text part has visible characters, and none of them is left after its transfer encoding is undone.
    private var hasLostPart: Bool {
        var structure = MIMEStructure(limits)
        let bytes = self.bytes
        let body = structure.body(of: bytes.span, section)
        return body.texts.contains { part in
            var defects = DefectList()
            return Array(bytes.span, part.content).contains { $0 > 32 }
                && !part.text(in: bytes.span, limits, recording: &defects).text.contains { $0 > 32 && $0 != 127 }
        }
    }

    /// The first limit exceeded so far. A message that exceeds one must not be booked.
    public var limitHit: MessageLimits.Name? { found.firstLimit }

    /// The text that patterns run on, computed on first use.
    ///
    /// Of alternatives the HTML part is read if it contains words. Attachments and forwarded messages are not read:
    /// a forwarded alert is not an alert.
    public private(set) lazy var text: CanonicalText = {
        let bytes = self.bytes
        let text = BodyReader.read(bytes.span, section, limits)
        found.record(text.defects)
        return text
    }()

    /// SHA-256 over the From addresses, the date, the subject and ``text``: what does not change if the message is
    /// delivered again by another route. For a message without text, the bytes of the body are hashed instead.
    public private(set) lazy var contentDigest: [UInt8] = digest()

    /// The raw header section, at most ``MessageLimits/headerBytes``.
    public var headerBytes: ArraySlice<UInt8> {
        bytes.prefix(min(section.bodyStart, limits.headerBytes))
    }

    /// The raw body.
    var bodyBytes: ArraySlice<UInt8> { bytes.dropFirst(section.bodyStart) }

    /// Offset of the first byte of the body in ``bytes``.
    package var bodyStart: Int { section.bodyStart }

    /// The places of all fields in ``bytes``, in order: name, and name with value without the last line end.
    package var headerFields: [(name: Range<Int>, whole: Range<Int>)] {
        var ignored = DefectList()
        let message = bytes
        let span = message.span
        var scanner = FieldScanner(span, limit: limits.headerBytes)
        var fields: [(name: Range<Int>, whole: Range<Int>)] = []
        while let field = scanner.next(span, recording: &ignored) {
            fields.append((field.start..<field.nameEnd, field.start..<max(field.end, field.colon + 1)))
        }
        return fields
    }
}
