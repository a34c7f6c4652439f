/// Damage in a message, or a limit that it exceeds. Not an error: reading continues with what is left.
///
/// Contains no text of the message, so it may be logged.
public enum Defect: Hashable, Sendable {
    /// Reading stopped at a bound of ``MessageLimits``.
    case limit(MessageLimits.Name)
    /// No From field contains a mailbox.
    case noFrom
    /// A From field is not a mailbox list (RFC 5322 section 3.4). The mailboxes found in it are listed.
    case malformedFrom
    /// A line of the header section is neither a field nor a continuation line.
    case malformedHeaderLine
    /// A field that may occur once (From, Subject, Date, Message-ID, Content-*) is repeated. The first one counts.
    case duplicateField
    /// The Date field cannot be read.
    case malformedDate
    /// Subject or Message-ID was truncated at its bound.
    case fieldCut
    /// A Content-Type without `type/subtype`. The part is read as HTML if it begins like HTML, else as plain text.
    case malformedContentType
    /// A multipart in which no part was found.
    case malformedMultipart
    /// An unknown Content-Transfer-Encoding. The bytes are read undecoded.
    case unknownTransferEncoding
    /// An unknown charset, or 8-bit text without a charset. Read as UTF-8 if it is valid UTF-8, else as windows-1252.
    case unknownCharset
    /// Byte sequences that are invalid in their charset. Each is replaced by U+FFFD.
    case undecodableBytes
}

extension Defect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .limit(let name): "limit \(name.rawValue) hit"
        case .noFrom: "no From mailbox"
        case .malformedFrom: "malformed From field"
        case .malformedHeaderLine: "malformed header line"
        case .duplicateField: "repeated field that may occur once"
        case .malformedDate: "unreadable Date field"
        case .fieldCut: "overlong field truncated"
        case .malformedContentType: "malformed Content-Type"
        case .malformedMultipart: "multipart without parts"
        case .unknownTransferEncoding: "unknown transfer encoding"
        case .unknownCharset: "unknown or missing charset"
        case .undecodableBytes: "bytes outside the charset"
        }
    }
}

/// The defects of one message in the order found, each kind once.
struct DefectList {
    private(set) var all: [Defect] = []

    mutating func record(_ defect: Defect) {
        if !all.contains(defect) { all.append(defect) }
    }

    mutating func record(_ others: [Defect]) {
        for defect in others { record(defect) }
    }

    var firstLimit: MessageLimits.Name? {
        for case .limit(let name) in all { return name }
        return nil
    }
}
