/// The text parts of a message in reading order, not yet decoded.
indirect enum MIMEBody: Equatable {
    case text(TextPart)
    /// multipart/alternative: several forms of the same content, the richest last.
    case choice([MIMEBody])
    /// multipart/mixed and similar: one part after the other.
    case sequence([MIMEBody])
    /// No text: a picture, an attachment, a forwarded message.
    case nothing

    /// All text parts, in order.
    var texts: [TextPart] {
        switch self {
        case .text(let part): [part]
        case .choice(let bodies), .sequence(let bodies): bodies.flatMap(\.texts)
        case .nothing: []
        }
    }

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
    /// True if the type is missing or damaged, so the content decides between HTML and plain text.
    var isTypeUnknown = false
    /// The declared charset; nil if there is none.
    var charset: String?
    var encoding: TransferEncoding
    /// format=flowed (RFC 3676): a line that ends with a space continues on the next line.
    var isFlowed = false
    /// delsp=yes (RFC 3676 section 4.5): the space at a soft line break is not part of the text.
    var deletesSpace = false
    /// The encoded content in the bytes of the message.
    var content: Range<Int>
}

extension TextPart {
    /// Returns the decoded content in UTF-8, and true if it is HTML.
    func text(
        in bytes: borrowing Octets, _ limits: MessageLimits, recording defects: inout DefectList
    ) -> (text: [UInt8], isHTML: Bool) {
        let content = content.clamped(to: 0..<bytes.count)
        let raw = encoding.decode(bytes, content, limit: limits.textPartBytes, recording: &defects)
        let isHTML = isHTML || isTypeUnknown && Self.beginsLikeHTML(raw.span)
        let text = Charset.decode(raw, declared: charset, isHTML: isHTML, recording: &defects)
        return (isFlowed ? FlowedText.unwrap(text, deletesSpace: deletesSpace) : text, isHTML)
    }

    private static func beginsLikeHTML(_ text: borrowing Octets) -> Bool {
        var start = 0
        while start < text.count, text[start].isSpace { start += 1 }
        return text.matches("<!doctype html", at: start) || text.matches("<html", at: start)
    }
}
