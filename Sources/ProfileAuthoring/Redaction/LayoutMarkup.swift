import InternetMessage
import Profiles

/// Markup of a redacted mail: what is left of it is layout, and cannot hold an address or a name.
enum LayoutMarkup {
    private static let attributes: Set<String> = [
        "style", "hidden", "width", "height", "align", "valign", "border", "cellpadding", "cellspacing", "bgcolor",
        "color", "colspan", "rowspan", "dir", "face", "size", "type", "charset", "nowrap", "aria-hidden",
    ]

    /// A tag of `text` with its layout attributes only.
    static func tag(_ tag: HTMLSource.Tag, _ text: [UInt8]) -> [UInt8] {
        var result = Array((tag.isEndTag ? "</" : "<").utf8) + text[tag.name]
        for attribute in tag.attributes {
            let name = String(decoding: text[attribute.name], as: UTF8.self).lowercased()
            guard attributes.contains(name) else { continue }
            result += Array(" \(name)".utf8)
            if let value = attribute.value {
                let value = withoutLinks(text[value].filter { $0 != UInt8(ascii: "\"") })
                result += Array("=\"".utf8) + value + Array("\"".utf8)
            }
        }
        result.append(UInt8(ascii: ">"))
        return result
    }

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
