/// How much of a mail is looked at before reading stops.
///
/// A sender chooses how large and how deep a mail is; these bounds keep the cost of any one mail small. Every
/// limit that is hit is named in ``Message/limitHit``, and what was read up to there must not be booked.
public struct MessageLimits: Hashable, Sendable {
    /// Bytes of the whole mail. Mailboxes refuse mails above 25 to 50 MB; an alert has 5 to 100 kB.
    public var messageBytes = 32 << 20
    /// Bytes of the header section. Long relay chains with ARC seals reach 40 kB.
    public var headerBytes = 256 << 10
    /// Levels of multiparts inside each other. Real mail has at most five or six.
    public var mimeDepth = 32
    /// MIME parts of any type. Real mail with many pictures has some dozens.
    public var partCount = 500
    /// Decoded bytes of one text part. Larger than any mail that a person would read.
    public var textPartBytes = 4 << 20
    /// Bytes of canonical text: ten times the longest alert, and what every pattern of a bank is run over.
    public var renderedTextBytes = 256 << 10
    /// HTML elements that are open at once; browsers stop at the same number.
    public var elementDepth = 512

    /// The bounds used by the daemon and by every tool.
    public static let standard = MessageLimits()

    /// Sets every bound to its default.
    public init() {}

    /// The name under which a limit is recorded and shown.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case messageBytes = "message-bytes"
        case headerBytes = "header-bytes"
        case mimeDepth = "mime-depth"
        case partCount = "part-count"
        case textPartBytes = "text-part-bytes"
        case renderedTextBytes = "rendered-text-bytes"
        case elementDepth = "element-depth"
    }
}
