import HTTPTypes
import Hummingbird
import Mustache

/// The page's templates, ready to show.
///
/// They, the style sheet and the script are part of the program: an installed daemon is one file, and a page that fits another version of the program is
/// never found beside it.
struct PageLibrary: Sendable {
    private let library: MustacheLibrary
    private let assets: Assets

    static let templates: [String: String] = [
        "layout": layoutTemplate, "dashboard": dashboardTemplate, "transactions": transactionsTemplate,
        "transaction": transactionTemplate,
        "bulk": bulkTemplate, "review": reviewTemplate, "review-item": reviewItemTemplate, "parsers": parsersTemplate,
        "bank": bankTemplate,
        "bench": benchTemplate, "categories": categoriesTemplate, "mapping": mappingTemplate,
        "mapping-form": mappingFormTemplate, "transfers": transfersTemplate,
        "transfer-questions": transferQuestionsTemplate, "transfer-card": transferCardTemplate,
        "template": templateTemplate, "mailboxes": mailboxesTemplate, "export": exportTemplate,
        "settings": settingsTemplate, "message": messageTemplate, "help": helpTemplate,
        "marked": markedTemplate, "fields": fieldsTemplate, "problems": problemsTemplate,
    ]

    /// Throws where a template does not parse: a mistake in the program, which a test finds.
    init(assets: Assets) throws {
        MustacheContentTypes.register(MarkupEscaping(), named: MarkupEscaping.name)
        var library = MustacheLibrary()
        for (name, text) in Self.templates {
            try library.register("{{% CONTENT_TYPE:\(MarkupEscaping.name)}}\(text)", named: name)
        }
        self.library = library
        self.assets = assets
    }

    /// - Parameter view: what the template of that name shows.
    func response(_ name: String, _ view: Any, in frame: PageFrame, status: HTTPResponse.Status = .ok) -> Response {
        var frame = frame
        (frame.style, frame.script) = (assets.stylePath, assets.scriptPath)
        let body = library.render(PageView(frame: frame, view: view), withTemplate: name) ?? ""
        let text = library.render(LayoutView(frame: frame, body: body), withTemplate: "layout") ?? ""
        return Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// `frame` holds what every form needs.
fileprivate struct PageView {
    var frame: PageFrame
    var view: Any
}

/// `body` was escaped when it was rendered.
fileprivate struct LayoutView {
    var frame: PageFrame
    var body: String
}
