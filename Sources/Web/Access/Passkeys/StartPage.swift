import Access
import HTTPTypes
import Hummingbird
import Store
import Synchronization

/// The first start: whoever has the link that the program printed sets the passphrase.
struct StartPage {
    let services: WebServices
    private var access: AccessGuard { services.access }

    private static let template = StandalonePage.template(PackageResources.start_mustache)
    /// Limit of the form in bytes.
    private static let maximumBytes = 8192

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let page = StartPage(services: services)
        router.get("/start") { request, context in
            let code = request.uri.queryParameters["code"].map(String.init) ?? ""
            return try await page.isOpen(code) ? page.form(code) : page.closed()
        }
        router.post("/start") { request, context in try await page.set(request, context) }
    }

    private func isOpen(_ code: String) async throws -> Bool {
        let now = access.clock.wall()
        guard access.startCode.withLock({ $0?.matches(code, at: now) ?? false }) else { return false }
        return try await services.ledger { try $0.access.loginSecret() } == nil
    }

    private func set(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = FormFields(String(buffer: try await request.body.collect(upTo: Self.maximumBytes)))
        let code = form["code"] ?? ""
        guard try await isOpen(code) else {
            await services.record("first passphrase refused", context, who: "")
            return closed()
        }
        let problems = NewPassphrase.problems(form)
        guard problems.isEmpty else { return self.form(code, problems) }
        guard let cookie = try await services.setPassphrase(form["new"] ?? "", replacing: nil, context) else {
            return closed()
        }
        access.startCode.withLock { $0 = nil }
        var response = Response(status: .seeOther, headers: [.location: "/app/mailboxes"])
        response.setCookie(cookie)
        return response
    }

    private func form(_ code: String, _ problems: [String] = []) -> Response {
        respond(["code": code, "problems": problems], problems.isEmpty ? .ok : .unprocessableContent)
    }

    private func closed() -> Response { respond([:], .forbidden) }

    private func respond(_ values: [String: Any], _ status: HTTPResponse.Status) -> Response {
        StandalonePage.response(
            Self.template, values.merging(["style": Assets.shared.stylePath]) { $1 }, status: status)
    }
}

extension WebServices {
    /// Makes the link of the first start, in place of an earlier one. It is valid for an hour, while no passphrase is
    /// set.
    ///
    /// - Parameter address: of the server, without a path.
    public func makeStartLink(at address: String) -> String {
        let code = StartCode(at: access.clock.wall())
        access.startCode.withLock { $0 = code }
        return "\(address)/start?code=\(code.text)"
    }
}
