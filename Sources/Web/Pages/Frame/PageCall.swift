import Access
import Chronology
import Glibc
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import Review
import Store

/// One request for a page, with its query and form.
struct PageCall: Sendable {
    let request: Request
    let context: WebContext
    let query: FormFields
    let form: FormFields

    func parameter(_ name: String) -> String { context.parameters.get(name) ?? "" }

    /// The number in the path, in place of `{id}`.
    ///
    /// - Parameter what: the name of a text in the group `missing`, for the answer to anything but a number.
    func number(of what: String) throws -> Int64 {
        guard let id = Int64(parameter("id")) else { throw PageProblem.missing(PageText.of("missing.\(what)")) }
        return id
    }

    /// Returns the page to show after an edit: the path in `back` if it is one of this site, otherwise `otherwise`.
    func back(otherwise: String) -> String { back ?? otherwise }

    /// The path in `back`; `nil` if it is none of this site.
    var back: String? {
        guard let path = form["back"] ?? query["back"], path.hasPrefix("/"), !path.hasPrefix("//"),
            !path.hasPrefix("/\\"),
            !path.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value > 0x7E })
        else { return nil }
        return path
    }

    /// The list to return to from the page of a transaction.
    var list: String { back ?? listBefore ?? "/app/transactions" }

    /// The list of transactions that a link of this page was on, as the browser names it: each row would repeat the
    /// query of its list. `nil` if the browser does not name it.
    var listBefore: String? {
        guard request.method == .get, let text = request.headers[.referer], let scheme = text.firstRange(of: "://")
        else { return nil }
        let host = text[scheme.upperBound...].prefix { $0 != "/" }
        let (path, fields) = FormFields.parts(ofAddress: text[host.endIndex...])
        guard host == request.head.authority ?? "", path == "/app/transactions" else { return nil }
        let query = fields.with(PageNotice.parameters)
        return path + (query.isEmpty ? "" : "?" + query)
    }

    /// True if the person knows that the form changes a reconciled statement.
    var confirmsReconciled: Bool { form["confirm_reconciled"] == "1" }

    /// The path of this page with its query.
    var address: String { request.uri.path + (request.uri.query.map { "?" + $0 } ?? "") }
}

extension PageCall {
    /// The path of this page with its query, without the notice of the last edit.
    var addressWithoutNotice: String {
        let kept = query.with(PageNotice.parameters)
        return request.uri.path + (kept.isEmpty ? "" : "?" + kept)
    }
}

/// The services and templates that the routes of the page share.
struct Pages: Sendable {
    let services: WebServices
    let library: PageLibrary

    typealias Handler = @Sendable (PageCall) async throws -> Response

    func get(_ path: RouterPath, on router: Router<WebContext>, _ handler: @escaping Handler) {
        router.get(path) { request, context in
            try await answer(
                PageCall(
                    request: request, context: context, query: FormFields(query: request.uri.query),
                    form: FormFields([])), handler)
        }
    }

    func post(_ path: RouterPath, on router: Router<WebContext>, _ handler: @escaping Handler) {
        router.post(path) { request, context in
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            return try await answer(
                PageCall(
                    request: request, context: context, query: FormFields(query: request.uri.query),
                    form: FormFields(body.readableBytesView)), handler)
        }
    }

    /// A form that sends one file (RFC 7578). Its token is in the query of its address, see ``CrossSiteGuard``.
    func upload(
        _ path: RouterPath, on router: Router<WebContext>,
        _ handler: @escaping @Sendable (PageCall, UploadedFile) async throws -> Response
    ) {
        router.post(path) { request, context in
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            let file = UploadedFile(Array(buffer: body), contentType: request.headers[.contentType] ?? "")
            let call = PageCall(
                request: request, context: context, query: FormFields(query: request.uri.query), form: FormFields([]))
            return try await answer(call) { call in
                guard let file else {
                    throw PageProblem(
                        status: .unprocessableContent, title: PageText.of("problem.no-file"),
                        text: PageText.of("problem.choose-file"))
                }
                return try await handler(call, file)
            }
        }
    }

    /// Asks before a change of a reconciled statement: the same form again, with the confirmation.
    private func askReconciled(_ call: PageCall, _ error: StoreError) async throws -> Response {
        let fields = call.form.fields.map { QuestionView.Field(name: $0.name, value: $0.value) }
        let view = QuestionView(
            text: error.message.prefix(1).uppercased() + error.message.dropFirst() + ".",
            action: call.request.uri.path, fields: fields, back: call.back(otherwise: "/"))
        return await show(
            "question", view, call, title: PageText.of("problem.reconciled"), section: nil, status: .conflict)
    }

    /// The response of a handler, in which the period is kept, see ``KeptPeriod``.
    func answer(_ call: PageCall, _ handler: Handler) async throws -> Response {
        var response = try await explained(call, handler)
        KeptPeriod.apply(call, self, to: &response)
        return response
    }

    /// Shows errors of the ledger and of the request as a page with a link back.
    private func explained(_ call: PageCall, _ handler: Handler) async throws -> Response {
        do { return try await handler(call) } catch let error as StoreError {
            if error.asksReconciled { return try await askReconciled(call, error) }
            let (status, title): (HTTPResponse.Status, String) =
                switch error.kind {
                case .notFound: (.notFound, PageText.of("problem.not-found"))
                case .conflict: (.conflict, PageText.of("problem.changed"))
                case .invalid: (.unprocessableContent, PageText.of("problem.invalid"))
                case .busy: (.serviceUnavailable, PageText.of("problem.busy"))
                default: (.internalServerError, PageText.of("problem.unusable"))
                }
            if status == .internalServerError {
                services.logger.error("the ledger cannot be used", metadata: ["reason": "\(error)"])
            }
            let lines =
                error.fields.isEmpty
                ? [status == .internalServerError ? PageText.of("problem.log") : error.message]
                : error.fields.map { $0.sentence() }
            return try await message(call, status: status, title: title, lines: lines)
        } catch let error as PageProblem {
            return try await message(call, status: error.status, title: error.title, lines: [error.text])
        }
    }

    func message(_ call: PageCall, status: HTTPResponse.Status, title: String, lines: [String]) async throws -> Response
    {
        await show(
            "message", MessageView(lines: lines, back: call.back(otherwise: "/")), call, title: title, section: nil,
            status: status)
    }

    /// Reads a view and the frame around it in one snapshot, and renders both.
    ///
    /// - Parameter status: the status of the response; by default 200, or 422 for a form with problems.
    func show<View: Sendable>(
        _ page: Page, _ call: PageCall, status: HTTPResponse.Status? = nil,
        view: @escaping @Sendable (Snapshot) throws -> View
    ) async throws -> Response {
        let (content, surroundings) = try await services.read { ledger in
            (try view(ledger), try Surroundings(call, in: ledger))
        }
        let hasProblems = (content as? any FormView).map { !$0.problems.isEmpty } ?? false
        let title = (content as? any TitledView)?.title ?? page.title
        return library.response(
            page.template, content, in: frame(call, title, page.section, surroundings),
            status: status ?? (hasProblems ? .unprocessableContent : .ok))
    }

    /// Renders a view that was read before.
    func show(
        _ template: String, _ view: Any, _ call: PageCall, title: String, section: PageFrame.Section?,
        status: HTTPResponse.Status = .ok
    ) async -> Response {
        let surroundings = (try? await services.read { try Surroundings(call, in: $0) }) ?? Surroundings()
        return library.response(template, view, in: frame(call, title, section, surroundings), status: status)
    }

    /// The data of the ledger that every page shows.
    private struct Surroundings: Sendable {
        var waiting = 0
        var offer: PageOffer?
        var fix: PageFix?
        /// The item that the last edit was about, and its amount.
        var about: (name: String, amount: String?)?

        init() {}

        init(_ call: PageCall, in ledger: Snapshot) throws {
            waiting =
                try ledger.review.lines(limit: 0).total + ledger.transfers.proposalCount()
                + ledger.eventLinks.proposalCount()
            about = try call.query["about"].flatMap { try Self.name(ReviewID($0), ledger) }
            // The page that makes the offered rule shows the same address.
            guard !call.request.uri.path.hasPrefix("/app/mappings"),
                let id = call.query["offer"].flatMap({ Int64($0) })
            else { return }
            offer = try ledger.categories.offer(for: id).map { PageOffer($0) }
            if offer == nil { offer = try ledger.payees.offer(for: id).map { PageOffer($0) } }
            offer?.setBack(call.addressWithoutNotice)
            fix = try ReviewService(ledger).profileFix(forTransaction: id).map {
                PageFix($0, back: call.request.uri.path)
            }
        }

        private static func name(_ id: ReviewID, _ ledger: Snapshot) throws -> (name: String, amount: String?)? {
            switch id {
            case .transaction(let number):
                try ledger.transactions.find(number).map {
                    (
                        $0.vendor ?? $0.vpa ?? PageText.of("notice.transaction", ["id": "\($0.id)"]),
                        MoneyText.text($0.amount)
                    )
                }
            case .mail(let id):
                try ledger.mails.find(id).map { ($0.subject ?? $0.fromAddress ?? PageText.of("notice.item"), nil) }
            }
        }
    }

    private func frame(
        _ call: PageCall, _ title: String, _ section: PageFrame.Section?, _ surroundings: Surroundings
    ) -> PageFrame {
        let count = call.query["count"].flatMap { Int($0) }
        var notice = PageNotice(
            word: call.query["done"], count: count ?? 0, undo: call.query["undo"], back: call.addressWithoutNotice)
        if let about = surroundings.about {
            // Several items have several amounts.
            notice?.name([about.name, count == nil ? about.amount : nil].compactMap(\.self).joined(separator: ", "))
        }
        if let item = call.query["about"], call.request.uri.path.hasPrefix("/app/review") {
            notice?.back = "/app/review/\(FormFields.encoded(ReviewID(item).argument))"
        }
        var frame = PageFrame(
            title: title,
            place: .init(
                section: section, period: PeriodChoice(carriedBy: call, today: today).carried,
                address: call.request.method == .get ? call.addressWithoutNotice : "/"),
            waiting: surroundings.waiting,
            notices: .init(done: notice, offer: surroundings.offer, fix: surroundings.fix),
            login: .init(
                formToken: call.context.formToken, isLoggedIn: call.context.isLoggedIn,
                may: .init(call.context.identity)),
            version: services.version)
        frame.isLive = call.request.method == .get && Self.livePages.contains(call.request.uri.path)
        return frame
    }

    private static let livePages: Set<String> = ["/", "/app/review", "/app/transactions", "/app/mails"]

    /// Redirects after an edit, so that a reload does not repeat it (RFC 9110, section 15.4.4).
    func seeOther(
        _ path: String, done: String? = nil, undo: String? = nil, offer: String? = nil, about: String? = nil,
        count: Int? = nil
    ) -> Response {
        let (place, fields) = FormFields.parts(ofAddress: path)
        let query = fields.with([
            ("done", done), ("undo", undo), ("offer", offer), ("about", about), ("count", count.map { "\($0)" }),
        ])
        return Response(
            status: .seeOther,
            headers: [.location: place + (query.isEmpty ? "" : "?" + query), .cacheControl: "no-store"])
    }

    /// The current day in the time zone of the ledger.
    var today: CalendarDate { services.store.today }

    var home: Currency { services.store.homeCurrency }
}

struct MessageView {
    var lines: [String]
    var back: String
}

/// A question before a form is applied.
struct QuestionView: Sendable {
    struct Field: Sendable {
        var name: String
        var value: String
    }

    var text: String
    var action: String
    var fields: [Field]
    var back: String
    var heading = PageText.of("problem.reconciled")
    /// The field that the form sends with the value 1.
    var confirmation = "confirm_reconciled"
    var button = PageText.of("question.change-it")
}

/// A refused request for a page.
struct PageProblem: Error {
    var status: HTTPResponse.Status
    var title: String
    var text: String

    static func missing(_ what: String) -> PageProblem {
        PageProblem(
            status: .notFound, title: PageText.of("problem.not-found"),
            text: PageText.of("problem.missing", ["what": what]))
    }
}
