import CGMime
import Glibc

/// A media type with its parameters, RFC 2045 section 5.1 and RFC 2231; read by GMime, which owns the memory.
final class ContentType {
    private let type: UnsafeMutablePointer<GMimeContentType>

    /// Nil when there is no `type/subtype`.
    init?(parsing value: [UInt8]) {
        guard let slash = value.firstIndex(of: ASCII.slash), slash > 0, slash + 1 < value.count,
            value.prefix(upTo: slash).allSatisfy({ $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == ASCII.dot })
        else { return nil }
        var text = value.map { CChar(bitPattern: $0 == 0 ? ASCII.space : $0) }
        text.append(0)
        guard let type = g_mime_content_type_parse(nil, text) else { return nil }
        self.type = type
    }

    /// The type of a part, as GMime has read it already; nil when the field is damaged or missing.
    init?(of object: UnsafeMutablePointer<GMimeObject>) {
        guard let field = g_mime_object_get_header(object, "Content-Type"), strchr(field, Int32(ASCII.slash)) != nil,
            let type = g_mime_object_get_content_type(object)
        else { return nil }
        g_object_ref(type)
        self.type = type
    }

    deinit { g_object_unref(type) }

    func `is`(_ type: String, _ subtype: String = "*") -> Bool {
        g_mime_content_type_is_type(self.type, type, subtype) != 0
    }

    func parameter(_ name: String) -> String? {
        string(g_mime_content_type_get_parameter(type, name))
    }
}

/// A copy of a C string, damaged UTF-8 repaired.
func string(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
}
