import CGMime

/// Decodes the encoded words of RFC 2047 (`=?utf-8?q?=E2=82=B9?=`) with GMime.
public enum EncodedWords {
    /// Decodes the value of an unstructured field to UTF-8; `nil` if it has no encoded words and is ASCII.
    public static func decoded(text bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        needsDecoding(bytes) ? decode(text: Array(bytes)) : nil
    }

    /// Maximum length of a display name in bytes.
    private static let phraseBytes = 1024

    /// Decodes a display name.
    static func decode(phrase bytes: [UInt8]) -> String {
        let cut = Array(bytes.prefix(phraseBytes))
        return String(decoding: decode(cut, isPhrase: true), as: UTF8.self)
    }

    /// Decodes the value of an unstructured field. Bytes that are not an encoded word are unchanged.
    static func decode(text bytes: [UInt8]) -> [UInt8] {
        decode(bytes, isPhrase: false)
    }

    private static func decode(_ bytes: [UInt8], isPhrase: Bool) -> [UInt8] {
        guard needsDecoding(bytes) else { return bytes }
        GMime.start()
        // GMime reads up to a NUL, so each NUL becomes a space.
        var text = bytes.map { CChar(bitPattern: $0 == 0 ? ASCII.space : $0) }
        text.append(0)
        guard
            let decoded = isPhrase
                ? g_mime_utils_header_decode_phrase(nil, text) : g_mime_utils_header_decode_text(nil, text)
        else { return bytes }
        defer { g_free(decoded) }
        let length = strnlen(decoded, Int.max)
        return decoded.withMemoryRebound(to: UInt8.self, capacity: length) {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    private static func needsDecoding(_ bytes: some Sequence<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte >= 0x80 || (byte == ASCII.question && previous == ASCII.equals) { return true }
            previous = byte
        }
        return false
    }
}

enum GMime {
    private static let started: Void = g_mime_init()

    /// Initializes GMime once in the process. Any thread may call it.
    static func start() { started }
}
