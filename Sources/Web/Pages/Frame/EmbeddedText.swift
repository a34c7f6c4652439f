/// Text of the files in `Resources`, which SwiftPM embeds in the program (`PackageResources`).
///
/// An installed daemon is one file, so its page always fits the running version.
enum EmbeddedText {
    /// Returns the text without the indentation of its lines, which serves editors only: it is a sixth of the page's
    /// bytes.
    static func text(_ file: [UInt8]) -> String {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bytes = lines.map { $0.drop { $0 == UInt8(ascii: " ") } }.joined(separator: [UInt8(ascii: "\n")])
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Returns the text of a template with the texts of a language, for the parser.
    static func template(_ file: [UInt8], _ language: PageLanguage) throws(TemplateTexts.Fault) -> String {
        MarkupEscaping.pragma + (try TemplateTexts.put(.of(language), into: text(file)))
    }

    static let styleSheet = text(PackageResources.style_css)
    static let script = text(PackageResources.page_js)
    static let passkeyScript = text(PackageResources.passkey_js)
    static let icon = text(PackageResources.icon_svg)
}
