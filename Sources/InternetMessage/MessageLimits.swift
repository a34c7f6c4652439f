/// Bounds at which reading of a message stops.
///
/// A sender chooses the size and the depth of a message; these bounds limit its cost. ``Message/limitHit`` names the
/// first bound exceeded. A truncated message must not be booked.
public struct MessageLimits: Hashable, Sendable {
    /// Bytes of the whole message. Mail providers refuse more than 25 to 50 MB; an alert has 5 to 100 kB.
    public var messageBytes = 32 << 20
    /// Bytes of the header section. Long relay chains with ARC seals reach 40 kB.
    public var headerBytes = 256 << 10
    /// Levels of nested multiparts. Real mail has at most five or six.
    public var mimeDepth = 32
    /// MIME parts of any type. Real mail with many pictures has a few dozen.
    public var partCount = 500
    /// Decoded bytes of one text part: more than a person would read.
    public var textPartBytes = 4 << 20
    /// Bytes of canonical text: ten times the longest alert. Every pattern of a bank runs over this text.
    public var renderedTextBytes = 256 << 10
    /// Nested HTML elements. Browsers use the same bound.
    public var elementDepth = 512

    /// The bounds of the daemon and of every tool.
    public static let standard = MessageLimits()

    /// Creates the default bounds.
    public init() {}

    /// The recorded and displayed name of a bound.
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
