/// Damage found in a mail, or a limit that it hit. Never an error: what can be read is read all the same.
///
/// Carries no text of the mail, so it may stand in a log.
public enum Defect: Hashable, Sendable {
    /// A bound of ``MessageLimits`` was hit and reading stopped there.
    case limit(MessageLimits.Name)
    /// There is no From field with a mailbox in it.
    case noFrom
    /// A From field is no mailbox list of RFC 5322 section 3.4; what could be read of it is listed.
    case malformedFrom
    /// A line of the header section is neither a field nor the continuation of one.
    case malformedHeaderLine
    /// From, Subject, Date, Message-ID or a Content field that may stand once stands more than once; the first counts.
    case duplicateField
    /// The Date field cannot be read.
    case malformedDate
    /// Subject or Message-ID was cut at its bound.
    case fieldCut
    /// A Content-Type that is no type at all; read as plain text or, where it begins like it, as HTML.
    case malformedContentType
    /// A multipart in which no part could be found.
    case malformedMultipart
    /// An unknown transfer encoding; the bytes are read as they stand.
    case unknownTransferEncoding
    /// A charset that is not known, or not declared with 8-bit text; read as UTF-8 or else windows-1252.
    case unknownCharset
    /// Bytes that their charset does not have; each run became U+FFFD.
    case undecodableBytes
}

extension Defect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .limit(let name): "limit \(name.rawValue) hit"
        case .noFrom: "no From mailbox"
        case .malformedFrom: "malformed From field"
        case .malformedHeaderLine: "malformed header line"
        case .duplicateField: "field repeated that may stand once"
        case .malformedDate: "unreadable Date field"
        case .fieldCut: "overlong field cut"
        case .malformedContentType: "malformed Content-Type"
        case .malformedMultipart: "multipart without parts"
        case .unknownTransferEncoding: "unknown transfer encoding"
        case .unknownCharset: "unknown or missing charset"
        case .undecodableBytes: "bytes outside the charset"
        }
    }
}

/// The defects of one mail, each kind once, in the order found.
struct DefectList {
    private(set) var all: [Defect] = []

    mutating func note(_ defect: Defect) {
        if !all.contains(defect) { all.append(defect) }
    }

    mutating func note(_ others: [Defect]) {
        for defect in others { note(defect) }
    }

    var firstLimit: MessageLimits.Name? {
        for case .limit(let name) in all { return name }
        return nil
    }
}
