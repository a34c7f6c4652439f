import CGMime
import Glibc
import Synchronization

/// The properties of a Content-Type field (RFC 2045 section 5.1, RFC 2231) that decide how a part is read.
struct MediaType: Sendable {
    enum Text: Sendable { case plain, html }

    /// Nil if the type is not text.
    let text: Text?
    let isMultipart: Bool
    let charset: String?
    /// format=flowed, RFC 3676.
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

    /// - Parameter type: borrowed from GMime.
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

    /// The type of a part as GMime parsed it; nil if the field is damaged or missing.
    init?(of object: UnsafeMutablePointer<GMimeObject>) {
        guard let field = g_mime_object_get_header(object, "Content-Type"), strchr(field, Int32(ASCII.slash)) != nil,
            let type = g_mime_object_get_content_type(object)
        else { return nil }
        self.init(type)
    }

    /// Parses a field's value; nil if it contains no `type/subtype`. Caches results: a bank writes the same value into
    /// all its messages, and a lookup is faster than a parse.
    static func read(_ value: [UInt8]) -> MediaType? {
        // Each multipart has its own boundary, which GMime reads with the parts.
        let prefix: StaticString = "multipart/"
        if value.span.matches(prefix, at: 0), value.dropFirst(prefix.utf8CodeUnitCount).first?.isLetter ?? false {
            return .multipart
        }
        guard value.count <= longestCachedValue else { return parse(value) }
        if let cached = cache.withLock({ $0[value] }) { return cached }
        guard let type = parse(value) else { return nil }
        cache.withLock { types in
            if types.count == cacheCapacity { types.removeAll() }
            types[value] = type
        }
        return type
    }

    /// Bounds of the cache. The sender chooses the value, so long ones are not cached.
    private static let longestCachedValue = 128
    private static let cacheCapacity = 64
    private static let cache = Mutex<[[UInt8]: MediaType]>([:])

    private static func parse(_ value: [UInt8]) -> MediaType? { parsed(value) { MediaType($0) } }

    /// The boundary of a multipart's field (RFC 2046 section 5.1.1), which may be empty; nil if there is none.
    static func boundary(in value: [UInt8]) -> [UInt8]? {
        let boundary = parsed(value) { string(g_mime_content_type_get_parameter($0, "boundary")) } ?? nil
        return boundary.map { Array($0.utf8) }
    }

    /// True for a value of which GMime makes a `GMimeMessagePart`: a forwarded message (RFC 2046 section 5.2.1, RFC
    /// 6532).
    static func isMessage(_ value: [UInt8]) -> Bool {
        let kinds: [String] = ["rfc822", "rfc2822", "global", "news"]
        return parsed(value) { type in
            kinds.contains { kind in g_mime_content_type_is_type(type, "message", kind) != 0 }
        } ?? false
    }

    private static func parsed<Result>(
        _ value: [UInt8], _ read: (UnsafeMutablePointer<GMimeContentType>) -> Result
    ) -> Result? {
        guard let slash = value.firstIndex(of: ASCII.slash), slash > 0, slash + 1 < value.count,
            value.prefix(upTo: slash).allSatisfy({ $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == ASCII.dot })
        else { return nil }
        var text = value.map { CChar(bitPattern: $0 == 0 ? ASCII.space : $0) }
        text.append(0)
        GMime.start()
        guard let type = g_mime_content_type_parse(nil, text) else { return nil }
        defer { g_object_unref(type) }
        return read(type)
    }
}

/// Copies a C string and repairs invalid UTF-8.
func string(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
}
