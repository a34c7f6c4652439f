import Foundation
import Testing

/// The form of a page as a browser without the script sends it.
struct PageForm {
    /// Path of the form.
    let action: String
    private(set) var fields: [(name: String, value: String)] = []

    /// The first form of a page that has a field or a button of this name.
    init(_ page: String, with name: String) throws {
        let form = page.matches(of: #/(?s)<form method="post" action="([^"]*)">(.*?)</form>/#).first {
            $0.output.2.contains("name=\"\(name)\"")
        }
        guard let form else { throw Failed(description: "no form with \(name): \(page)") }
        action = Self.unescaped(form.output.1)
        let text = form.output.2
        for input in text.matches(of: #/<input [^>]*>/#) {
            let tag = input.output
            guard let name = Self.attribute("name", tag) else { continue }
            if tag.contains("type=\"radio\""), !tag.contains(" checked") { continue }
            fields.append((name, Self.attribute("value", tag) ?? ""))
        }
        for select in text.matches(of: #/(?s)<select name="([^"]*)">(.*?)</select>/#) {
            let options = select.output.2.matches(of: #/<option value="([^"]*)"( selected)?>/#)
            guard let chosen = options.first(where: { $0.output.2 != nil }) ?? options.first else { continue }
            fields.append((String(select.output.1), Self.unescaped(chosen.output.1)))
        }
        for area in text.matches(of: #/(?s)<textarea name="([^"]*)"[^>]*>(.*?)</textarea>/#) {
            fields.append((String(area.output.1), Self.unescaped(area.output.2)))
        }
    }

    subscript(name: String) -> String {
        get { fields.first { $0.name == name }?.value ?? "" }
        set {
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index].value = newValue
            } else {
                fields.append((name, newValue))
            }
        }
    }

    private static func attribute(_ name: String, _ tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound else { return nil }
        return unescaped(tag[start...].prefix { $0 != "\"" })
    }

    static func unescaped(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
