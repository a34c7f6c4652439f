/// A list of tags as in the fields of DKIM and ARC and in key records (RFC 6376 section 3.2):
/// `a=rsa-sha256; d=b.example`.
package struct TagList {
    private let bytes: [UInt8]
    private let values: [String: Range<Int>]

    /// The whole of the bytes.
    package init?(parsing bytes: [UInt8]) { self.init(parsing: bytes, bytes.indices) }

    /// `nil` for a list that breaks the grammar, such as one with a repeated tag, which is invalid as a whole. White
    /// space may be folded by CR LF or LF.
    package init?(parsing bytes: [UInt8], _ range: Range<Int>) {
        var values: [String: Range<Int>] = [:]
        var start = range.lowerBound
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: ASCII.semicolon) ?? range.upperBound
            let spec = Self.trimmed(bytes, start..<end)
            if spec.isEmpty {
                // Only the last semicolon may be followed by nothing.
                guard end == range.upperBound, !values.isEmpty else { return nil }
                break
            }
            guard let equals = bytes[spec].firstIndex(of: ASCII.equals) else { return nil }
            let name = Self.trimmed(bytes, spec.lowerBound..<equals)
            guard Self.isName(bytes[name]), bytes[equals + 1..<end].allSatisfy(Self.isAllowed),
                values.updateValue(equals + 1..<end, forKey: String(decoding: bytes[name], as: UTF8.self)) == nil
            else { return nil }
            start = end + 1
        }
        guard !values.isEmpty else { return nil }
        (self.bytes, self.values) = (bytes, values)
    }

    /// The value of a tag without the white space around it; `nil` if the tag is missing.
    package subscript(name: String) -> String? {
        values[name].map { String(decoding: bytes[Self.trimmed(bytes, $0)], as: UTF8.self) }
    }

    /// The value of a tag without any white space, as Base64 and lists are written.
    package func compact(_ name: String) -> [UInt8]? { values[name].map { bytes[$0].filter { !$0.isSpace } } }

    /// The items of a value that is separated by colons, in lower case, with repetitions.
    package func items(_ name: String) -> [String]? {
        compact(name).map { value in
            value.split(separator: ASCII.colon).map { String(decoding: $0, as: UTF8.self).lowercased() }
        }
    }

    /// The place of a value in the parsed bytes, with the white space around it.
    package func place(of name: String) -> Range<Int>? { values[name] }

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start].isSpace { start += 1 }
        while start < end, bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, first.isLetter else { return false }
        return name.allSatisfy { $0.isLetter || $0.isDigit || $0 == 95 }
    }

    /// VALCHAR and folded white space; a semicolon ends the value.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (byte > 32 && byte < 127) || byte.isWSP || byte == ASCII.cr || byte == ASCII.lf
    }
}
