/// The text parts of a mail as a reader would meet them, none of them decoded yet.
indirect enum MIMEBody: Equatable {
    case text(TextPart)
    /// multipart/alternative: the same said several times, the richest last.
    case choice([MIMEBody])
    /// multipart/mixed and the like: one part after the other.
    case sequence([MIMEBody])
    /// Nothing to be read: pictures, attachments, forwarded mails.
    case nothing

    var hasHTML: Bool {
        switch self {
        case .text(let part): part.isHTML
        case .choice(let bodies), .sequence(let bodies): bodies.contains(where: \.hasHTML)
        case .nothing: false
        }
    }
}

/// A text/plain or text/html leaf.
struct TextPart: Equatable {
    var isHTML: Bool
    /// The type was missing or damaged, so the content may show what it is.
    var isTypeUnknown = false
    /// As declared; nil when not.
    var charset: String?
    var encoding: TransferEncoding
    /// RFC 3676: lines that end in a blank go on in the next.
    var isFlowed = false
    /// RFC 3676 section 4.5: the blank at a soft line break is no part of the text.
    var deletesSpace = false
    /// Where the encoded content stands.
    var content: Range<Int>
}
