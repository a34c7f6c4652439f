/// The positions of the fields of a header section (RFC 5322 section 2.2) in the bytes of a message.
///
/// Lists only the fields of ``Name``. Lines end with LF or CR LF. The section ends at the first empty line. A line that
/// is not a field is skipped.
struct HeaderSection {
    enum Name: UInt8 {
        case from, subject, date, messageID, received, authenticationResults
        case contentType, contentTransferEncoding, contentDisposition
    }

    struct Field {
        let name: Name
        /// The raw value with its folds, without the last line end.
        let value: Range<Int>
    }

    private(set) var fields: [Field] = []
    /// Offset of the first byte of the body.
    private(set) var bodyStart = 0

    init(scanning bytes: borrowing Octets, limit: Int, recording defects: inout DefectList) {
        fields.reserveCapacity(16)
        var scanner = FieldScanner(bytes, limit: limit)
        while let field = scanner.next(bytes, recording: &defects) {
            if let name = Self.name(bytes, field.start..<field.nameEnd) {
                // White space before the colon is obsolete. Servers do not write it, and one that removes forged
                // fields may miss such a name.
                if name == .authenticationResults, field.colon != field.nameEnd { continue }
                fields.append(Field(name: name, value: (field.colon + 1)..<max(field.end, field.colon + 1)))
            }
        }
        bodyStart = scanner.cursor
        recordDuplicates(&defects)
    }

    func first(_ name: Name) -> Field? {
        fields.first { $0.name == name }
    }

    private func recordDuplicates(_ defects: inout DefectList) {
        var seen: UInt16 = 0
        for field in fields where field.name != .received && field.name != .authenticationResults {
            let bit: UInt16 = 1 << UInt16(field.name.rawValue)
            if seen & bit != 0 { defects.record(.duplicateField) }
            seen |= bit
        }
    }

    static func name(_ bytes: borrowing Octets, _ range: Range<Int>) -> Name? {
        let start = range.lowerBound
        switch range.count {
        case 4:
            if bytes.matches("from", at: start) { return .from }
            return bytes.matches("date", at: start) ? .date : nil
        case 7: return bytes.matches("subject", at: start) ? .subject : nil
        case 8: return bytes.matches("received", at: start) ? .received : nil
        case 10: return bytes.matches("message-id", at: start) ? .messageID : nil
        case 12: return bytes.matches("content-type", at: start) ? .contentType : nil
        case 19: return bytes.matches("content-disposition", at: start) ? .contentDisposition : nil
        case 22: return bytes.matches("authentication-results", at: start) ? .authenticationResults : nil
        case 25: return bytes.matches("content-transfer-encoding", at: start) ? .contentTransferEncoding : nil
        default: return nil
        }
    }
}

/// Finds the fields of a header section one after the other. A line that is not a field is skipped.
struct FieldScanner {
    /// The positions of a field.
    struct RawField {
        let start: Int
        let nameEnd: Int
        let colon: Int
        /// The end of the value with its folds, without the last line end.
        let end: Int
    }

    /// The start of the next line; after the last field the first byte of the body.
    private(set) var cursor = 0
    private let limit: Int

    init(_ bytes: borrowing Octets, limit: Int) {
        self.limit = limit
        // The separator line of an mbox file, which some programs copy with the message.
        if bytes.matches("from ", at: 0) || bytes.matches(">from ", at: 0) {
            let (end, next) = Self.lineEnd(bytes, from: 0)
            if Self.colon(bytes, 0..<end) == nil { cursor = next }
        }
    }

    /// - Returns: `nil` after the last field.
    mutating func next(_ bytes: borrowing Octets, recording defects: inout DefectList) -> RawField? {
        while cursor < bytes.count {
            var (end, next) = Self.lineEnd(bytes, from: cursor)
            if end == cursor {
                cursor = next
                return nil
            }
            guard let colon = Self.colon(bytes, cursor..<end) else {
                defects.record(next > limit ? .limit(.headerBytes) : .malformedHeaderLine)
                if next > limit { return nil }
                cursor = next
                continue
            }
            while next < bytes.count, bytes[next].isWSP {
                // A continuation line of white space only still belongs to the field (RFC 5322 section 4.2).
                (end, next) = Self.lineEnd(bytes, from: next)
            }
            if next > limit {
                defects.record(.limit(.headerBytes))
                return nil
            }
            let start = cursor
            cursor = next
            return RawField(start: start, nameEnd: colon.nameEnd, colon: colon.at, end: end)
        }
        return nil
    }

    /// Returns the end of the line's text and the start of the next line.
    private static func lineEnd(_ bytes: borrowing Octets, from start: Int) -> (end: Int, next: Int) {
        guard let lf = bytes.index(of: ASCII.lf, from: start) else { return (bytes.count, bytes.count) }
        return (lf > start && bytes[lf - 1] == ASCII.cr ? lf - 1 : lf, lf + 1)
    }

    /// Returns the end of the field name and the colon after it. White space between them is obsolete syntax (RFC 5322
    /// section 4.5).
    private static func colon(_ bytes: borrowing Octets, _ line: Range<Int>) -> (nameEnd: Int, at: Int)? {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index] > 32, bytes[index] < 127, bytes[index] != ASCII.colon { index += 1 }
        let nameEnd = index
        while index < line.upperBound, bytes[index].isWSP { index += 1 }
        guard nameEnd > line.lowerBound, index < line.upperBound, bytes[index] == ASCII.colon else { return nil }
        return (nameEnd, index)
    }
}

/// Returns a field's value on one line: unfolded (RFC 5322 section 2.2.3), with a space for each other control
/// character, trimmed.
func unfolded(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
    bytes.withUnsafeBufferPointer { bytes in
        [UInt8](unsafeUninitializedCapacity: range.count) { value, count in
            for index in range {
                let byte = bytes[index]
                if byte == ASCII.lf { continue }
                if byte == ASCII.cr, index + 1 < range.upperBound, bytes[index + 1] == ASCII.lf { continue }
                let shown = byte < 32 || byte == 127 ? ASCII.space : byte
                if shown == ASCII.space, count == 0 { continue }
                value[count] = shown
                count += 1
            }
            while count > 0, value[count - 1] == ASCII.space { count -= 1 }
        }
    }
}
