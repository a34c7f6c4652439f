public import Profiles

/// One tag of an HTML source.
struct HTMLTag {
    private(set) var name = ""
    private(set) var isClosing = false
    /// Offset after its `>`.
    private(set) var end: Int
    /// The tag with layout attributes only, none of which can hold an address or a name.
    private(set) var cleaned: [UInt8] = []

    private static let kept: Set<String> = [
        "style", "hidden", "width", "height", "align", "valign", "border", "cellpadding", "cellspacing", "bgcolor",
        "color", "colspan", "rowspan", "dir", "face", "size", "type", "charset", "nowrap", "aria-hidden",
    ]

    init(_ text: [UInt8], _ start: Int) {
        var at = start + 1
        if at < text.count, text[at] == UInt8(ascii: "/") {
            isClosing = true
            at += 1
        }
        let nameStart = at
        while at < text.count, !Self.isSpace(text[at]), text[at] != UInt8(ascii: ">"), text[at] != UInt8(ascii: "/") {
            at += 1
        }
        name = String(decoding: text[nameStart..<at], as: UTF8.self).lowercased()
        cleaned = Array(text[start..<at])
        while at < text.count, text[at] != UInt8(ascii: ">") {
            guard !Self.isSpace(text[at]), text[at] != UInt8(ascii: "/") else {
                at += 1
                continue
            }
            let keyStart = at
            at += 1
            while at < text.count, !Self.isSpace(text[at]), !"=>/".utf8.contains(text[at]) { at += 1 }
            let key = String(decoding: text[keyStart..<at], as: UTF8.self).lowercased()
            var behind = at
            while behind < text.count, Self.isSpace(text[behind]) { behind += 1 }
            var value: [UInt8]?
            if behind < text.count, text[behind] == UInt8(ascii: "=") {
                at = behind + 1
                while at < text.count, Self.isSpace(text[at]) { at += 1 }
                if at < text.count, text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") {
                    let close = text[(at + 1)...].firstIndex(of: text[at]) ?? text.count
                    value = Array(text[(at + 1)..<close])
                    at = min(close + 1, text.count)
                } else {
                    let valueStart = at
                    while at < text.count, !Self.isSpace(text[at]), text[at] != UInt8(ascii: ">") { at += 1 }
                    value = Array(text[valueStart..<at])
                }
            }
            guard Self.kept.contains(key) else { continue }
            cleaned += Array(" \(key)".utf8)
            if let value {
                cleaned +=
                    Array("=\"".utf8) + Self.withoutLinks(value.filter { $0 != UInt8(ascii: "\"") }) + Array("\"".utf8)
            }
        }
        cleaned.append(UInt8(ascii: ">"))
        end = min(at + 1, text.count)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Style rules without the addresses in `url(…)` and the letters of comments.
    static func withoutLinks(_ style: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < style.count {
            if style[at...].prefix(4).map({ PrintedForms.folded($0) }).elementsEqual("url(".utf8) {
                result += Array("url()".utf8)
                at = style[at...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? style.count
            } else {
                result.append(style[at])
                at += 1
            }
        }
        return result
    }
}
