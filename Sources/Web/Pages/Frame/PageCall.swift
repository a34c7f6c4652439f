import Access
import Chronology
import Glibc
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import Review
import Store

/// One request for a page, with its fields read.
struct PageCall: Sendable {
    let request: Request
    let context: WebContext
    let query: FormFields
    let form: FormFields

    func parameter(_ name: String) -> String { context.parameters.get(name) ?? "" }

    /// Where to go after an edit: a page of ours, or `otherwise`.
    func back(otherwise: String) -> String {
        guard let path = form["back"] ?? query["back"], path.hasPrefix("/"), !path.hasPrefix("//"),
            !path.hasPrefix("/\\"),
            !path.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value > 0x7E })
        else { return otherwise }
        return path
    }

    /// The address of this page with its query.
    var address: String { request.uri.path + (request.uri.query.map { "?" + $0 } ?? "") }
}

/// What the routes of the page share.
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

    /// What the ledger refuses is said on a page, with a way back.
    private func answer(_ call: PageCall, _ handler: Handler) async throws -> Response {
        do { return try await handler(call) } catch let error as StoreError {
            let (status, title): (HTTPResponse.Status, String) =
                switch error.kind {
                case .notFound: (.notFound, "Not there")
                case .conflict: (.conflict, "Changed meanwhile")
                case .invalid: (.unprocessableContent, "That cannot be saved")
                case .busy: (.serviceUnavailable, "The ledger is busy")
                default: (.internalServerError, "The ledger cannot be used")
                }
            if status == .internalServerError {
                services.logger.error("the ledger cannot be used", metadata: ["reason": "\(error)"])
            }
            let lines =
                error.fields.isEmpty
                ? [status == .internalServerError ? "The log of spendwised says why." : error.message]
                : error.fields.map { "\($0.field): \($0.detail)" }
            return try await message(call, status: status, title: title, lines: lines)
        } catch let error as PageProblem {
            return try await message(call, status: error.status, title: error.title, lines: [error.text])
        }
    }

    func message(_ call: PageCall, status: HTTPResponse.Status, title: String, lines: [String]) async throws -> Response
    {
        let back = call.back(otherwise: "/")
        return library.response(
            "message", MessageView(lines: lines, back: back), in: await frame(call, title: title, section: nil),
            status: status)
    }

    func show(
        _ template: String, _ view: Any, _ call: PageCall, title: String, section: PageFrame.Section?,
        status: HTTPResponse.Status = .ok
    ) async -> Response {
        library.response(template, view, in: await frame(call, title: title, section: section), status: status)
    }

    private func frame(_ call: PageCall, title: String, section: PageFrame.Section?) async -> PageFrame {
        let waiting = (try? await services.ledger { try $0.review.lines(limit: 0).total + $0.transfers.proposalCount() }) ?? 0
        let kept = call.query.with([("done", nil), ("undo", nil), ("offer", nil)])
        let notice = PageNotice(
            word: call.query["done"], undo: call.query["undo"],
            back: call.request.uri.path + (kept.isEmpty ? "" : "?" + kept))
        var offer: CategoryOffer?
        var fix: ProfileFix?
        if let id = call.query["offer"].flatMap({ Int64($0) }) {
            (offer, fix) =
                (try? await services.ledger {
                    (try $0.categories.offer(for: id), try ReviewService($0).profileFix(forTransaction: id))
                }) ?? (nil, nil)
        }
        return PageFrame(
            title: title, section: section, waiting: waiting, notice: notice, offer: offer.map(PageOffer.init),
            fix: fix.map { PageFix($0, back: call.request.uri.path) }, formToken: call.context.formToken,
            isLoggedIn: call.context.isLoggedIn,
            mayAdminister: call.context.identity.scopes.allow(.admin), version: services.version)
    }

    /// After an edit: the page is asked for anew, so that loading it again does nothing twice (RFC 9110, section 15.4.4).
    func seeOther(_ path: String, done: String? = nil, undo: String? = nil, offer: String? = nil) -> Response {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = FormFields(query: parts.count > 1 ? String(parts[1]) : nil).with([
            ("done", done), ("undo", undo), ("offer", offer),
        ])
        return Response(
            status: .seeOther,
            headers: [.location: String(parts[0]) + (query.isEmpty ? "" : "?" + query), .cacheControl: "no-store"])
    }

    /// In India's zone, as the banks' days are.
    var today: CalendarDate {
        CalendarDate(daysSince1970: (Int(UnixTime.now.seconds) + NewTransaction.usualOffset) / 86400)
    }
}

struct MessageView {
    var lines: [String]
    var back: String
}

/// Why a request cannot be answered, for the person who made it.
struct PageProblem: Error {
    var status: HTTPResponse.Status
    var title: String
    var text: String

    static func missing(_ what: String) -> PageProblem {
        PageProblem(status: .notFound, title: "Not there", text: "There is no \(what), or it was deleted.")
    }
}
