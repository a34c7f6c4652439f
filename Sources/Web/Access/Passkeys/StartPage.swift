import Access
import HTTPTypes
import Hummingbird
import Store
import Synchronization

/// The first passphrase of a user: whoever has the link that the program printed, or that an owner passed on, sets it.
struct StartPage {
    let services: WebServices
    private var access: AccessGuard { services.access }

    private static let template = StandalonePage.template(EmbeddedFile.bytes("start.mustache"))
    /// Limit of the form in bytes.
    private static let maximumBytes = 8192

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let page = StartPage(services: services)
        router.get("/start") { request, context in
            let code = request.uri.queryParameters["code"].map(String.init) ?? ""
            return try await page.user(of: code).map { page.form(code, for: $0) } ?? page.closed()
        }
        router.post("/start") { request, context in try await page.set(request, context) }
    }

    /// The user who sets the passphrase, with the number of enabled users.
    private struct Visitor {
        var user: UserRow
        var users: Int
    }

    private func user(of code: String) async throws -> Visitor? {
        let now = access.clock.wall()
        // Every code is compared.
        let matching = access.startCodes.withLock { Array($0.filter { $0.value.matches(code, at: now) }.keys) }
        guard let id = matching.first else { return nil }
        return try await services.read { ledger in
            guard let user = try ledger.access.user(id), user.isEnabled, !user.hasPassphrase else { return nil }
            return Visitor(user: user, users: try ledger.access.users().count(where: \.isEnabled))
        }
    }

    private func set(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = FormFields(String(buffer: try await request.body.collect(upTo: Self.maximumBytes)))
        let code = form["code"] ?? ""
        guard let visitor = try await user(of: code) else {
            await services.record("first passphrase refused", context, who: "")
            return closed()
        }
        let problems = NewPassphrase.problems(form)
        guard problems.isEmpty else { return self.form(code, for: visitor, problems) }
        let isFirst = visitor.users == 1
        guard
            let cookie = try await services.setPassphrase(
                form["new"] ?? "", of: visitor.user.id, replacing: nil, context,
                who: isFirst ? "first visitor" : Identity.person(visitor.user).who)
        else {
            return closed()
        }
        access.startCodes.withLock { $0[visitor.user.id] = nil }
        var next = "/"
        if isFirst {
            let names = try await services.ledger { [services] in try services.mailboxNames(in: $0) }
            next = names.isEmpty ? "/app/settings/mailboxes/new" : "/app/mailboxes"
        }
        var response = Response(status: .seeOther, headers: [.location: next])
        response.setCookie(cookie)
        return response
    }

    private func form(_ code: String, for visitor: Visitor, _ problems: [String] = []) -> Response {
        var values: [String: Any] = ["code": code, "problems": problems]
        values["name"] = visitor.users > 1 ? visitor.user.name : nil
        return respond(values, problems.isEmpty ? .ok : .unprocessableContent)
    }

    private func closed() -> Response { respond([:], .forbidden) }

    private func respond(_ values: [String: Any], _ status: HTTPResponse.Status) -> Response {
        StandalonePage.response(Self.template, values, status: status)
    }
}

extension WebServices {
    /// Makes the link by which a user sets the first passphrase, in place of an earlier one. It is valid for an hour,
    /// until the program ends, while the user has no passphrase.
    ///
    /// - Parameter address: of the server, without a path.
    public func makeStartLink(at address: String, for user: Int64) -> String {
        let code = StartCode(at: access.clock.wall())
        access.startCodes.withLock { $0[user] = code }
        return "\(address)/start?code=\(code.text)"
    }
}
