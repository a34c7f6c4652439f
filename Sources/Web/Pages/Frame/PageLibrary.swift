import HTTPTypes
import Hummingbird
import Mustache

/// The parsed templates of `Resources/Templates`, by file name.
struct PageLibrary: Sendable {
    private let assets: Assets

    private static let names = [
        "account", "accounts", "alarm", "alarms", "authority-field", "bank", "banks", "budgets", "bulk",
        "categories", "chart", "columns", "consent-form", "consent-request", "dashboard", "due-payment", "dues",
        "export", "faults", "fields", "help", "history", "layout", "link-card", "mail", "mailbox-consent",
        "mailbox-fields", "mailbox-form", "mailbox-removal", "mailbox-setup", "mailboxes", "mailed-statements",
        "mails", "mapping", "mapping-form", "marked", "message", "new-mailbox", "notification-form",
        "notification-removal", "pair", "passkey", "passphrase", "passphrase-field", "payee", "payees", "period",
        "phone", "problems", "question", "questions", "recurring", "recurring-form", "review", "review-item",
        "search-words", "searches", "section-link", "settings", "split-card", "standing", "statement", "statements",
        "statistics", "tag", "tags", "template", "templates", "test-bench", "token", "transaction", "transactions",
        "transfer-card", "transfer-questions", "transfers", "upload-ended", "use-template", "users",
    ]

    static let templates = [String: [UInt8]](
        uniqueKeysWithValues: names.map { ($0, EmbeddedFile.bytes("\($0).mustache")) })

    // Each is parsed at its first use.
    private static let english = Result { try parsed(.english) }
    private static let hindi = Result { try parsed(.hindi) }

    private static func parsed(_ language: PageLanguage) throws -> MustacheLibrary {
        MarkupEscaping.register()
        var library = MustacheLibrary()
        for (name, file) in templates {
            try library.register(PermittedForms.mark(EmbeddedText.template(file, language)), named: name)
        }
        return library
    }

    static func library(_ language: PageLanguage) throws -> MustacheLibrary {
        try (language == .hindi ? hindi : english).get()
    }

    /// - Throws: if a template does not parse, which a test excludes.
    init(assets: Assets) throws {
        _ = try Self.library(.english)
        self.assets = assets
    }

    /// - Parameters:
    ///   - name: the template's name.
    ///   - view: the value that the template renders.
    func response(_ name: String, _ view: Any, in frame: PageFrame, status: HTTPResponse.Status = .ok) -> Response {
        var frame = frame
        (frame.style, frame.script) = (assets.stylePath, assets.scriptPath)
        (frame.manifest, frame.picture) = (assets.manifestPath, assets.picturePath)
        let library = (try? Self.library(.current)) ?? MustacheLibrary()
        let body = library.render(PageView(frame: frame, view: view), withTemplate: name) ?? ""
        let text = library.render(LayoutView(frame: frame, body: body), withTemplate: "layout") ?? ""
        return Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// `frame` is there for the token that every form sends.
fileprivate struct PageView {
    var frame: PageFrame
    var view: Any
}

/// `body` is rendered and escaped already.
fileprivate struct LayoutView {
    var frame: PageFrame
    var body: String
}
