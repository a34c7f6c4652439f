/// Readers of the header fields that ``Message`` publishes.
enum HeaderFields {
    static func from(_ bytes: borrowing Octets, _ section: HeaderSection, _ defects: inout DefectList) -> [EmailAddress]
    {
        var mailboxes: [EmailAddress] = []
        for field in section.fields where field.name == .from {
            let list = MailboxList(parsing: unfolded(bytes, field.value))
            if list.isMalformed { defects.record(.malformedFrom) }
            mailboxes += list.mailboxes
        }
        if mailboxes.isEmpty { defects.record(.noFrom) }
        return mailboxes
    }

    static func subject(_ bytes: borrowing Octets, _ section: HeaderSection, _ defects: inout DefectList) -> String {
        guard let field = section.first(.subject) else { return "" }
        // Decoding shortens text at most to this fraction, so the rest would be truncated anyway.
        let raw = unfolded(bytes, field.value.prefix(Message.subjectBytes * 16))
        let decoded = EncodedWords.decode(text: raw)
        var limits = MessageLimits.standard
        limits.renderedTextBytes = decoded.count * 3 + 1
        var sink = CanonicalSink(limits)
        sink.write(decoded.span, 0..<decoded.count, keepingLines: false)
        var line = sink.bytes
        if line.count > Message.subjectBytes {
            defects.record(.fieldCut)
            var end = Message.subjectBytes
            while end > 0, line[end] & 0xC0 == 0x80 { end -= 1 }
            line.removeLast(line.count - end)
            if line.last == ASCII.space { line.removeLast() }
        }
        return String(decoding: line, as: UTF8.self)
    }

    static func messageID(_ bytes: borrowing Octets, _ section: HeaderSection, _ defects: inout DefectList) -> String? {
        guard let field = section.first(.messageID) else { return nil }
        var value = unfolded(bytes, field.value.prefix(Message.messageIDBytes * 4))[...]
        if let open = value.firstIndex(of: ASCII.less) {
            value = value.suffix(from: open + 1)
            value = value.prefix { $0 != ASCII.greater }
        }
        if value.count > Message.messageIDBytes {
            defects.record(.fieldCut)
            value = value.prefix(Message.messageIDBytes)
        }
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }

    static func date(_ bytes: borrowing Octets, _ section: HeaderSection, _ defects: inout DefectList) -> HeaderDate? {
        guard let field = section.first(.date) else { return nil }
        let date = HeaderDate(parsing: unfolded(bytes, field.value))
        if date == nil { defects.record(.malformedDate) }
        return date
    }
}
