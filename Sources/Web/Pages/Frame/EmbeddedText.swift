import CWebResources

/// The files of `Resources`, which the target `CWebResources` puts into the program.
///
/// An installed daemon is one file, so its page always fits the running version.
enum EmbeddedFile {
    /// - Parameter name: without its folder.
    /// - Returns: its bytes; empty if no file has this name. A test checks the names.
    static func bytes(_ name: String) -> [UInt8] {
        guard let file = spendwise_web_resource(name)?.pointee else { return [] }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}

/// Their text.
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

    static let styleSheet = text(EmbeddedFile.bytes("style.css"))
    static let script = text(EmbeddedFile.bytes("page.js"))
    static let passkeyScript = text(EmbeddedFile.bytes("passkey.js"))
    static let icon = text(EmbeddedFile.bytes("icon.svg"))
}
