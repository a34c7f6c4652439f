import Glibc

/// Conversion of a part's text to UTF-8, with iconv for most charsets.
enum Charset {
    /// - Parameter isHTML: true if a `meta` element in the text may name the charset.
    static func decode(
        _ bytes: [UInt8], declared: String?, isHTML: Bool, recording defects: inout DefectList
    ) -> [UInt8] {
        if let marked = decodeByteOrderMark(bytes, recording: &defects) { return marked }
        if let declared, isUTF8(declared) { return bytes }
        let name = declared.map(normalized) ?? ""
        switch Kind(name) {
        case .utf8: return bytes
        case .ascii: return undeclared(bytes, isHTML: isHTML, recording: &defects)
        case .windows1252: return bytes.span.isASCII ? bytes : Windows1252.decode(bytes.span)
        case .utf16 where isSingleBytes(bytes):
            // Declared as UTF-16, as the sender's template file was, but sent in bytes.
            defects.record(.unknownCharset)
            return fallback(bytes)
        case .utf16: return convert(bytes, from: name == "UTF-16" ? "UTF-16LE" : name, recording: &defects)
        case .iconv: return convert(bytes, from: name, recording: &defects)
        case .unknown:
            defects.record(.unknownCharset)
            return fallback(bytes)
        }
    }

    /// True for the usual spelling of the usual charset: it needs no normalisation.
    @inline(__always)
    private static func isUTF8(_ name: String) -> Bool {
        var name = name
        return name.utf8.count == 5 && name.withUTF8 { $0.span.matches("utf-8", at: 0) }
    }

    private enum Kind {
        case utf8, ascii, windows1252, utf16, iconv, unknown

        init(_ name: String) {
            switch name {
            case "UTF-8", "UTF8": self = .utf8
            case "", "US-ASCII", "ASCII", "ANSI_X3.4-1968": self = .ascii
            // Browsers read these as windows-1252 (Encoding standard, section 4.2).
            case "ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "WINDOWS-1252", "CP1252", "CP-1252":
                self = .windows1252
            case "UTF-16", "UTF-16LE", "UTF-16BE": self = .utf16
            default: self = Charset.iconvNames.contains(name) ? .iconv : .unknown
            }
        }
    }

    /// The charsets that iconv converts: those of the Encoding standard, UTF-7 and UTF-32. Bank mail needs no other,
    /// and some others had vulnerabilities (ISO-2022-CN-EXT, CVE-2024-2961).
    private static let iconvNames: Set<String> = {
        var names: Set<String> = [
            "KOI8-R", "KOI8-U", "MACINTOSH", "TIS-620", "GB2312", "GBK", "GB18030", "BIG5", "BIG5-HKSCS", "EUC-JP",
            "ISO-2022-JP", "SHIFT_JIS", "EUC-KR", "KS_C_5601-1987", "CP949", "UTF-7", "UTF-32", "UTF-32LE", "UTF-32BE",
        ]
        for number in 2...16 where number != 12 { names.insert("ISO-8859-\(number)") }
        for number in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
            names.insert("WINDOWS-\(number)")
            names.insert("CP\(number)")
        }
        return names
    }()

    private static func normalized(_ name: String) -> String {
        var name = name.uppercased()
        name.removeAll { $0 == "\"" || $0 == "'" || $0 == " " }
        return name
    }

    /// Converts text without a declared charset.
    private static func undeclared(_ bytes: [UInt8], isHTML: Bool, recording defects: inout DefectList) -> [UInt8] {
        guard !bytes.span.isASCII else { return bytes }
        if isHTML, let name = MetaCharset.find(bytes.span).map(normalized) {
            switch Kind(name) {
            case .utf8, .utf16: return bytes
            case .windows1252: return Windows1252.decode(bytes.span)
            case .iconv: return convert(bytes, from: name, recording: &defects)
            case .ascii, .unknown: break
            }
        }
        defects.record(.unknownCharset)
        return fallback(bytes)
    }

    /// Reads the text as UTF-8 if all of it is valid, else as windows-1252, in which every byte is valid.
    private static func fallback(_ bytes: [UInt8]) -> [UInt8] {
        let span = bytes.span
        var index = 0
        while index < span.count {
            if span[index] < 0x80 {
                index += 1
                continue
            }
            let (scalar, length) = decodeScalar(span, index, span.count)
            if scalar == nil { return Windows1252.decode(span) }
            index += length
        }
        return bytes
    }

    /// Converts text with a byte order mark, which overrides any declaration (Encoding standard, section 6).
    private static func decodeByteOrderMark(_ bytes: [UInt8], recording defects: inout DefectList) -> [UInt8]? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xEF, 0xBB) where bytes.count > 2 && bytes[2] == 0xBF: return bytes
        case (0xFE, 0xFF): return convert(bytes, from: "UTF-16BE", recording: &defects)
        case (0xFF, 0xFE): return convert(bytes, from: "UTF-16LE", recording: &defects)
        default: return nil
        }
    }

    /// Returns true for ASCII: UTF-16 text has a zero, or a byte that is not ASCII, in nearly every pair of bytes.
    private static func isSingleBytes(_ bytes: [UInt8]) -> Bool {
        !bytes.prefix(256).contains(0) && bytes.prefix(64).filter({ $0 < 0x80 }).count > bytes.prefix(64).count * 3 / 4
    }

    private static func convert(_ bytes: [UInt8], from name: String, recording defects: inout DefectList) -> [UInt8] {
        let descriptor = iconv_open("UTF-8", name)
        guard Int(bitPattern: descriptor) != -1 else {
            defects.record(.unknownCharset)
            return fallback(bytes)
        }
        defer { iconv_close(descriptor) }
        // Skipping one byte of an invalid unit would shift all units after it.
        let unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count * 2)
        var input = bytes
        var output = [UInt8](repeating: 0, count: 4096)
        input.withUnsafeMutableBytes { source in
            var next = source.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = source.count
            while left > 0 {
                let (result, code) = output.withUnsafeMutableBytes { room -> (Int, Int32) in
                    var target = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var space = room.count
                    let result = iconv(descriptor, &next, &left, &target, &space)
                    let code = errno
                    utf8.append(contentsOf: room.prefix(room.count - space))
                    return (result, code)
                }
                if result != -1 { break }
                if code == E2BIG { continue }
                // EILSEQ or EINVAL: an invalid byte, or a character truncated by the end.
                defects.record(.undecodableBytes)
                utf8.append(contentsOf: [0xEF, 0xBF, 0xBD])
                let skipped = min(unit, left)
                next = next.map { $0 + skipped }
                left -= skipped
            }
        }
        return utf8
    }
}

/// The charset in a `meta` element of an HTML document.
enum MetaCharset {
    /// Searches the first 1,024 bytes, as browsers do (HTML standard, section 13.2.3.2).
    static func find(_ html: borrowing Octets) -> String? {
        let end = min(html.count, 1024)
        var cursor = 0
        while cursor + 8 < end {
            if html.matches("charset", at: cursor) {
                var start = cursor + 7
                while start < end,
                    html[start].isSpace || html[start] == ASCII.equals || html[start] == ASCII.quote
                        || html[start] == ASCII.apostrophe
                {
                    start += 1
                }
                var stop = start
                while stop < end,
                    html[stop].isLetter || html[stop].isDigit || html[stop] == ASCII.hyphen
                        || html[stop] == UInt8(ascii: "_")
                {
                    stop += 1
                }
                if stop > start { return String(decoding: Array(html, start..<stop), as: UTF8.self) }
            }
            cursor += 1
        }
        return nil
    }
}
