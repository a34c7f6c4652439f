import Codecs

/// The form of a text of the ledger in PostgreSQL, whose texts are UTF-8 without NUL. A ledger holds what hostile mails
/// contain, and the way back must give the same bytes.
///
/// NUL, bytes that are not UTF-8 and the escape character itself become the escape character U+10FFFD, the last one for
/// private use, and two hexadecimal digits for each byte. All other text is stored as it is.
enum StoredText {
    private static let escape: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBD]

    static func encoded(_ text: [UInt8]) -> [UInt8] {
        if isPlain(text) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 16)
        var rest = text[...]
        while let first = rest.first {
            let length = rest.startsWithCharacter
            if let length, first != 0, !rest.starts(with: escape) {
                result += rest.prefix(length)
                rest = rest.dropFirst(length)
            } else {
                let count = length ?? 1
                for byte in rest.prefix(count) { result += escape + Hexadecimal.text([byte]).utf8 }
                rest = rest.dropFirst(count)
            }
        }
        return result
    }

    static func decoded(_ stored: [UInt8]) -> [UInt8] {
        guard stored.contains(escape[0]) else { return stored }
        var result: [UInt8] = []
        var rest = stored[...]
        while let first = rest.first {
            let digits = String(decoding: rest.dropFirst(escape.count).prefix(2), as: UTF8.self)
            if rest.starts(with: escape), let byte = Hexadecimal.bytes(digits), byte.count == 1 {
                result += byte
                rest = rest.dropFirst(escape.count + 2)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// True if the text needs no escape. Escapes begin with 0xF4, which few texts contain.
    private static func isPlain(_ text: [UInt8]) -> Bool {
        !text.contains { $0 == 0 || $0 == escape[0] } && String(validating: text, as: UTF8.self) != nil
    }
}

extension ArraySlice<UInt8> {
    /// The length of the UTF-8 character at the start; `nil` if none starts there.
    fileprivate var startsWithCharacter: Int? {
        guard let first else { return nil }
        let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, count >= length, String(validating: prefix(length), as: UTF8.self) != nil else { return nil }
        return length
    }
}
