import CGMime
import Glibc
import Synchronization

/// What of a Content-Type field (RFC 2045 section 5.1, RFC 2231) decides how a part is read.
struct MediaType: Sendable {
    enum Text: Sendable { case plain, html }

    /// Nil for what is no text.
    let text: Text?
    let isMultipart: Bool
    let charset: String?
    /// RFC 3676.
    let isFlowed: Bool
    let deletesSpace: Bool

    private static let multipart = MediaType(
        text: nil, isMultipart: true, charset: nil, isFlowed: false, deletesSpace: false)

    private init(text: Text?, isMultipart: Bool, charset: String?, isFlowed: Bool, deletesSpace: Bool) {
        self.text = text
        self.isMultipart = isMultipart
        self.charset = charset
        self.isFlowed = isFlowed
        self.deletesSpace = deletesSpace
    }

    /// - Parameter type: owned by GMime.
    init(_ type: UnsafeMutablePointer<GMimeContentType>) {
        func isType(_ name: String, _ subtype: String) -> Bool { g_mime_content_type_is_type(type, name, subtype) != 0 }
        func parameter(_ name: String) -> String? { string(g_mime_content_type_get_parameter(type, name)) }
        text =
            isType("text", "html") || isType("application", "xhtml+xml")
            ? .html : isType("text", "plain") ? .plain : nil
        isMultipart = isType("multipart", "*")
        charset = parameter("charset")
        isFlowed = text == .plain && parameter("format")?.lowercased() == "flowed"
        deletesSpace = parameter("delsp")?.lowercased() == "yes"
    }

    /// The type of a part, as GMime has read it already; nil when the field is damaged or missing.
    init?(of object: UnsafeMutablePointer<GMimeObject>) {
        guard let field = g_mime_object_get_header(object, "Content-Type"), strchr(field, Int32(ASCII.slash)) != nil,
            let type = g_mime_object_get_content_type(object)
        else { return nil }
        self.init(type)
    }

    /// The type that a field's value names; nil when there is no `type/subtype`.
    ///
    /// A bank writes the same value into all its mails, and reading one takes longer than finding it again.
    static func read(_ value: [UInt8]) -> MediaType? {
        // The boundary of a multipart is another one in each mail, and GMime reads it with the parts.
        let prefix: StaticString = "multipart/"
        if value.span.matches(prefix, at: 0), value.dropFirst(prefix.utf8CodeUnitCount).first?.isLetter ?? false {
            return .multipart
        }
        guard value.count <= longestRemembered else { return parse(value) }
        if let known = remembered.withLock({ $0[value] }) { return known }
        guard let type = parse(value) else { return nil }
        remembered.withLock { types in
            if types.count == mostRemembered { types.removeAll() }
            types[value] = type
        }
        return type
    }

    /// The sender chooses the value: neither long ones are kept, nor more than some.
    private static let longestRemembered = 128
    private static let mostRemembered = 64
    private static let remembered = Mutex<[[UInt8]: MediaType]>([:])

    private static func parse(_ value: [UInt8]) -> MediaType? {
        guard let slash = value.firstIndex(of: ASCII.slash), slash > 0, slash + 1 < value.count,
            value.prefix(upTo: slash).allSatisfy({ $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == ASCII.dot })
        else { return nil }
        var text = value.map { CChar(bitPattern: $0 == 0 ? ASCII.space : $0) }
        text.append(0)
        guard let type = g_mime_content_type_parse(nil, text) else { return nil }
        defer { g_object_unref(type) }
        return MediaType(type)
    }
}

/// A copy of a C string, damaged UTF-8 repaired.
func string(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
}
