import Access
import Chronology
import Hummingbird
import Store

/// Changes the passphrase. The form asks for the present one, too.
struct PassphrasePage {
    let pages: Pages
    private var services: WebServices { pages.services }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = PassphrasePage(pages: pages)
        pages.get("/app/settings/passphrase", on: router) { call in
            try await page.show(PassphraseView(isPossible: call.context.isLoggedIn), call)
        }
        pages.post("/app/settings/passphrase", on: router) { call in try await page.change(call) }
    }

    private func show(_ view: PassphraseView, _ call: PageCall) async throws -> Response {
        try await pages.show(.passphrase, call) { _ in view }
    }

    private func change(_ call: PageCall) async throws -> Response {
        var view = PassphraseView(isPossible: call.context.isLoggedIn)
        guard view.isPossible, let user = call.context.identity.user else { return try await show(view, call) }
        view.problems = NewPassphrase.problems(call.form)
        guard view.problems.isEmpty else { return try await show(view, call) }
        let check = try await services.check(call.form["passphrase"] ?? "", as: user, of: call.context)
        guard case .right(let former) = check else {
            view.problems = [check.problem].compactMap { $0 }
            return try await show(view, call)
        }
        guard
            let cookie = try await services.setPassphrase(
                call.form["new"] ?? "", of: user, replacing: former, call.context, who: call.context.identity.who)
        else {
            view.problems = [PageText.of("passphrase.not-changed")]
            return try await show(view, call)
        }
        var response = pages.seeOther("/app/settings", done: "passphrase")
        response.setCookie(cookie)
        return response
    }
}

struct PassphraseView: FormView {
    /// False without a login.
    var isPossible: Bool
    var problems: [String] = []
}

/// The fields `new` and `again` of a form that sets a passphrase.
enum NewPassphrase {
    static func problems(_ form: FormFields) -> [String] {
        let new = form["new"] ?? ""
        var problems: [String] = []
        if let weakness = PassphraseRules.weakness(of: new) {
            problems.append(PageText.of("passphrase.weak", ["weakness": "\(weakness)"]))
        }
        if form["again"] != new { problems.append(PageText.of("passphrase.differ")) }
        return problems
    }
}

extension WebServices {
    /// Sets the passphrase of a user, which ends every login of the user, and begins a login under it.
    ///
    /// - Parameters:
    ///   - former: the hash that must still be stored; `nil` if none may be.
    ///   - who: for the audit log.
    /// - Returns: the cookie of the login; `nil` if the stored hash is another one, or without memory to hash.
    func setPassphrase(
        _ passphrase: String, of user: Int64, replacing former: String?, _ context: WebContext, who: String
    ) async throws -> Cookie? {
        guard let hash = await access.verifier.hash(passphrase) else { return nil }
        let credential = Credential.random(.session)
        let session = LoginSession(
            id: credential.id, digest: credential.digest, user: user, started: access.clock.wall())
        let longest = access.policy.sessions.longest
        let isSet = try await ledger {
            try $0.access.setLoginSecret(hash.text, replacing: former, beginning: session, longest: longest)
        }
        guard isSet else { return nil }
        await record("passphrase set", context, who: who)
        return access.cookie(credential.text)
    }
}
