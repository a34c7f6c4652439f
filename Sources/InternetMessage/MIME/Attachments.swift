/// A file in a message: a part that is an attachment, or no text.
public struct Attachment: Hashable, Sendable {
    /// The name that the sender gave it, without folders; it is text from a stranger.
    public var name: String?
    /// Decoded; `nil` if the file is longer than the limit, or its content was left out of the message.
    public var bytes: [UInt8]?
}

extension Message {
    /// The attached files of the message, in order, without those of forwarded messages.
    ///
    /// - Parameters:
    ///   - count: files beyond this number are left out.
    ///   - limit: a file with more decoded bytes is left out.
    public func attachments(atMost count: Int, bytes limit: Int) -> [Attachment] {
        var structure = MIMEStructure(.standard, filesAtMost: count)
        let message = bytes
        let span = message.span
        _ = structure.body(of: span, section)
        var files: [Attachment] = []
        for part in structure.files {
            var defects = DefectList()
            let content = part.content.clamped(to: 0..<span.count)
            let bytes = part.encoding.decode(span, content, limit: limit, recording: &defects)
            let isWhole = defects.firstLimit == nil && !bytes.isEmpty
            files.append(Attachment(name: part.name, bytes: isWhole ? bytes : nil))
        }
        return files
    }
}

/// A leaf that is no text of the message, not yet decoded.
struct FilePart: Equatable {
    var name: String?
    var encoding: TransferEncoding
    /// The encoded content in the bytes of the message.
    var content: Range<Int>

    /// The last component of a file's name.
    static func bare(_ name: String?) -> String? {
        name.flatMap { $0.split { $0 == "/" || $0 == "\\" }.last.map(String.init) }
    }
}
