import Access
import Codecs
import Hummingbird
import Ledger
import Store

/// Adding a passkey in two steps: the passphrase and a name, then the authenticator. A wrong passphrase leaves no
/// passkey on the device that the ledger does not know.
struct PasskeysPage {
    let pages: Pages
    private var services: WebServices { pages.services }
    private var access: AccessGuard { services.access }

    /// What the steps of one registration have in common.
    private struct Ceremony: Sendable {
        var party: RelyingParty
        var session: String
        var name: String
        /// In base64url.
        var userHandle: String
        /// The stored hash of the passphrase that was checked.
        var secret: String

        /// What the challenge is bound to, so that the second step follows the first one of the same session.
        var purpose: String {
            "registration " + [session, party.id, userHandle, secret, name].joined(separator: "\n")
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = PasskeysPage(pages: pages)
        pages.get("/app/settings/passkeys", on: router) { call in
            try await page.show(PasskeyView(state: page.start(call)), call)
        }
        pages.post("/app/settings/passkeys", on: router) { call in try await page.begin(call) }
        pages.post("/app/settings/passkeys/new", on: router) { call in try await page.finish(call) }
        pages.post("/app/settings/passkeys/{id}/remove", on: router) { call in
            let id = try call.number(of: "passkey")
            let user = call.context.identity.user ?? 0
            let removed = try await pages.services.write { try $0.access.removePasskey(id, of: user) }
            guard let removed else { throw PageProblem.missing(PageText.of("missing.passkey")) }
            await pages.services.record(
                "passkey removed: \(removed.name)", call.context, who: call.context.identity.who)
            return pages.seeOther("/app/settings", done: "passkey-gone")
        }
    }

    private func show(_ view: PasskeyView, _ call: PageCall) async throws -> Response {
        try await pages.show(.passkey, call) { _ in view }
    }

    private func start(_ call: PageCall) -> PasskeyView.State {
        guard call.context.isLoggedIn else { return .impossible(PageText.of("settings.no-login-required")) }
        return access.relyingParty(of: call.request) == nil
            ? .impossible(PageText.of("passkey.none-at-this-address", ["place": PasskeyPlace.sentence]))
            : .asksPassphrase
    }

    /// The first step: checks the passphrase and the name.
    private func begin(_ call: PageCall) async throws -> Response {
        var view = PasskeyView(state: start(call))
        guard case .asksPassphrase = view.state, let party = access.relyingParty(of: call.request),
            let session = call.context.identity.id, let user = call.context.identity.user
        else { return try await show(view, call) }
        view.name = call.form.text("name") ?? ""
        view.problems = AccessName.problems(view.name)
        guard view.problems.isEmpty else { return try await show(view, call) }
        let check = try await services.check(call.form["passphrase"] ?? "", as: user, of: call.context)
        guard case .right(let secret) = check else {
            view.problems = [check.problem].compactMap { $0 }
            return try await show(view, call)
        }
        let known = try await services.ledger { try $0.access.passkeys(of: user) }
        let ceremony = Ceremony(
            party: party, session: session, name: view.name,
            userHandle: known.first?.userHandle ?? PasskeyUserHandle.random(), secret: secret)
        view.state = .asksAuthenticator(
            .init(
                challenge: Base64.urlSafe.encode(access.challenge(for: ceremony.purpose)), party: party.id,
                user: ceremony.userHandle,
                algorithms: PasskeyKey.Algorithm.allCases.map { "\($0.rawValue)" }.joined(separator: " "),
                known: known.filter { $0.relyingParty == party.id }.map(\.credential).joined(separator: " ")))
        return try await show(view, call)
    }

    /// The second step: stores what the authenticator made.
    private func finish(_ call: PageCall) async throws -> Response {
        var view = PasskeyView(state: start(call))
        view.name = call.form.text("name") ?? ""
        guard case .asksPassphrase = view.state, let party = access.relyingParty(of: call.request),
            let session = call.context.identity.id, let handle = call.form["user"],
            let client = call.form.bytes("client_data"),
            let data = call.form.bytes("authenticator_data"), let user = call.context.identity.user,
            let secret = try await services.ledger({ try $0.access.loginSecret(of: user) })
        else { return try await show(view, call) }
        let ceremony = Ceremony(
            party: party, session: session, name: view.name, userHandle: handle, secret: secret)
        let made: PasskeyRegistration
        do throws(PasskeyError) {
            made = try PasskeyRegistration(clientData: client, authenticatorData: data, for: party) {
                access.accept($0, for: ceremony.purpose)
            }
        } catch {
            await services.record(
                "passkey refused: \(error.rawValue)", call.context, who: call.context.identity.who)
            view.problems = [PageText.of("passkey.refused", ["reason": error.rawValue])]
            return try await show(view, call)
        }
        let passkey = Passkey(
            credential: made.id, relyingParty: party.id, user: user, userHandle: handle,
            publicKey: Base64.urlSafe.encode(made.key.bytes), name: ceremony.name, signCount: made.signCount)
        let now = access.clock.wall()
        try await services.write { try $0.access.add(passkey, under: secret, at: now) }
        await services.record("passkey added: \(passkey.name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings", done: "passkey")
    }
}

struct PasskeyView: FormView {
    /// What the page asks for.
    enum State: Sendable {
        /// With the reason.
        case impossible(String)
        case asksPassphrase
        case asksAuthenticator(Options)
    }

    /// The options of `navigator.credentials.create`, in base64url.
    struct Options: Sendable {
        var challenge: String
        var party: String
        var user: String
        /// Numbers of COSE algorithms, and credential IDs that the authenticator must not have yet, with blanks.
        var algorithms: String
        var known: String
    }

    var state: State {
        didSet { read() }
    }
    var name = ""
    var problems: [String] = []
    let script = Assets.shared.passkeyScriptPath

    /// The state, as the template reads it.
    private(set) var reason: String?
    private(set) var asksPassphrase = false
    private(set) var options: Options?

    init(state: State) {
        self.state = state
        read()
    }

    private mutating func read() {
        (reason, asksPassphrase, options) = (nil, false, nil)
        switch state {
        case .impossible(let text): reason = text
        case .asksPassphrase: asksPassphrase = true
        case .asksAuthenticator(let values): options = values
        }
    }
}

/// The rule for names of tokens, devices and passkeys, which appear in lists, in the journal and in the audit log.
enum AccessName {
    static let maximumCharacters = 64

    static func problems(_ name: String) -> [String] {
        var check = FieldCheck()
        check.text("name", name, atMost: maximumCharacters)
        return check.problems.map { $0.sentence() }
    }
}
