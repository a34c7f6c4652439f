/// Copies a message, piece by piece, without the bodies of its attachments. A message of any size can so be decided by
/// its text in the memory of the copy.
///
/// The copy has the same ``Message/text``: what is left out are the bodies that ``Message`` does not read. Linear in
/// the bytes of the message.
public struct AttachmentFilter {
    private enum Place { case header, kept, omitted }

    /// A longer line is passed on in pieces.
    private static let lineBytes = 64 << 10

    private let limit: Int
    private let limits = MessageLimits.standard
    private var output: [UInt8] = []
    private var isAboveLimit = false
    /// The beginning of a line whose end has not come yet.
    private var pending: [UInt8] = []
    /// The next bytes do not begin a line.
    private var isWithinLine = false
    private var place = Place.header
    /// The offset of the present header in `output`.
    private var headerStart = 0
    /// `--` and the boundary of each open multipart, the outermost first.
    private var delimiters: [[UInt8]] = []
    /// A multipart has begun whose boundary is not known for sure. It may be that of another, so no later delimiter
    /// tells where a part ends.
    private var keepsRest = false

    /// - Parameter limit: maximum length of the copy in bytes.
    public init(limit: Int) {
        self.limit = limit
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        let span = bytes.bindMemory(to: UInt8.self).span
        while start < bytes.count, !isAboveLimit {
            let end = span.index(of: ASCII.lf, from: start).map { $0 + 1 }
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
            start += piece.count
            if pending.isEmpty, end != nil || piece.count > Self.lineBytes {
                line(piece, isWhole: end != nil)
                continue
            }
            pending += piece
            if end != nil || pending.count > Self.lineBytes { flush(isWhole: end != nil) }
        }
    }

    /// The copy; `nil` if it is longer than the limit.
    public mutating func finish() -> [UInt8]? {
        if !pending.isEmpty { flush(isWhole: false) }
        return isAboveLimit ? nil : output
    }

    private mutating func flush(isWhole: Bool) {
        let piece = pending
        pending.removeAll(keepingCapacity: true)
        piece.withUnsafeBytes { line($0, isWhole: isWhole) }
    }

    /// - Parameter isWhole: the piece ends with the line.
    private mutating func line(_ piece: UnsafeRawBufferPointer, isWhole: Bool) {
        let isStart = !isWithinLine
        isWithinLine = !isWhole
        if keepsRest { return keep(piece) }
        if isStart, let (index, isLast) = delimiter(piece) {
            keep(piece)
            // It ends the multiparts within, whose delimiters are ordinary lines from here on.
            delimiters.removeSubrange((isLast ? index : index + 1)...)
            (place, headerStart) = (isLast ? .kept : .header, output.count)
            return
        }
        if place == .omitted { return }
        keep(piece)
        guard place == .header else { return }
        if isStart, piece.first == ASCII.lf || (piece.first == ASCII.cr && piece.count == 2) { endHeader() }
        if output.count - headerStart > limits.headerBytes, place == .header { isAboveLimit = true }
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer) {
        if output.count + piece.count > limit { isAboveLimit = true } else { output.append(contentsOf: piece) }
    }

    /// - Returns: the multipart, and true for its last delimiter; `nil` for another line.
    private func delimiter(_ line: UnsafeRawBufferPointer) -> (index: Int, isLast: Bool)? {
        guard line.count > 2, line[0] == ASCII.hyphen, line[1] == ASCII.hyphen else { return nil }
        var end = line.count
        while end > 0, line[end - 1].isSpace { end -= 1 }
        for (index, delimiter) in delimiters.enumerated().reversed()
        where end == delimiter.count || end == delimiter.count + 2 {
            guard line.starts(with: delimiter) else { continue }
            if end == delimiter.count { return (index, false) }
            if line[end - 1] == ASCII.hyphen, line[end - 2] == ASCII.hyphen { return (index, true) }
        }
        return nil
    }

    /// Decides whether the body after a header is kept. It is omitted only if it surely is not read.
    ///
    /// ``HeaderSection`` decides about the message, GMime about its parts: it believes the last of two fields, and gets
    /// the same bytes here.
    private mutating func endHeader() {
        let header = Array(output[headerStart...])
        var defects = DefectList()
        let section = HeaderSection(scanning: header.span, limit: limits.headerBytes, recording: &defects)
        let isPart = headerStart > 0
        place = .kept
        // GMime reads the fields of a part as C strings, which end at a NUL: it may read this body as text.
        // A CR alone may end the header for it.
        guard !header.contains(0), !Self.hasBareCR(header), !isPart || defects.all.isEmpty else { return doubt(header) }
        func value(_ name: HeaderSection.Name) -> [UInt8]? {
            section.first(name).map { isPart ? Self.trimmed(header[$0.value]) : unfolded(header.span, $0.value) }
        }
        let isAttachment = value(.contentDisposition).map {
            Self.trimmed($0.prefix { $0 != ASCII.semicolon }).equalsIgnoringCase("attachment")
        }
        guard let field = value(.contentType) else {
            if isAttachment ?? false { place = .omitted }
            return
        }
        guard let type = MediaType.read(field) else { return doubt(header) }
        if type.isMultipart {
            openMultipart(field)
        } else if isPart, MediaType.isMessage(field), Self.isParsed(value(.contentTransferEncoding)) {
            // Nothing of it is read, but the delimiters of its multiparts may be those of the multiparts around it.
            (place, headerStart) = (.header, output.count)
        } else if type.text == nil || isAttachment ?? false {
            place = .omitted
        }
    }

    private mutating func openMultipart(_ field: [UInt8]) {
        // Without a boundary it has no parts.
        guard let boundary = MediaType.boundary(in: field) else { return }
        // Other characters (RFC 2046 section 5.1.1) may not be seen in a line as they are in the field.
        guard let last = boundary.last, last != ASCII.space, boundary.allSatisfy({ $0 >= 32 && $0 < 127 }) else {
            keepsRest = true
            return
        }
        delimiters.append([ASCII.hyphen, ASCII.hyphen] + boundary)
        if delimiters.count > limits.mimeDepth { isAboveLimit = true }
    }

    /// Keeps a body of which it is not known how GMime reads it.
    private mutating func doubt(_ header: [UInt8]) {
        let span = header.span
        for index in header.indices where span.matches("multipart", at: index) || span.matches("message", at: index) {
            keepsRest = true
            return
        }
    }

    /// True if GMime parses a forwarded message in this encoding. An encoded one is a file.
    private static func isParsed(_ encoding: [UInt8]?) -> Bool {
        switch TransferEncoding(name: encoding ?? []) {
        case .identity, nil: true
        case .quotedPrintable, .base64, .uuencode: false
        }
    }

    private static func hasBareCR(_ header: [UInt8]) -> Bool {
        header.indices.contains { header[$0] == ASCII.cr && ($0 + 1 == header.count || header[$0 + 1] != ASCII.lf) }
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var value = value.drop { $0.isSpace }
        while value.last?.isSpace ?? false { value.removeLast() }
        return Array(value)
    }
}
