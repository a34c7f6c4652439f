import Access
import Hummingbird
import OAuth
import Store

/// Asks for a new consent to a mailbox that was added on the page and logs in by OAuth. The mail reader redeems it.
struct RenewalPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    static let path = "/app/settings/mailboxes/consent"

    static func path(for mailbox: String) -> String { path + "?" + FormFields.encoded([("name", mailbox)]) }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = RenewalPage(pages: pages)
        pages.get("/app/settings/mailboxes/consent", on: router) { call in try await page.start(call) }
        pages.post("/app/settings/mailboxes/consent", on: router) { call in try await page.ask(call) }
    }

    /// The mailbox, its client and the mail reader's key.
    private func mailbox(_ name: String) async throws -> (AddedMailbox, ClientRegistration, SealingKey) {
        let (added, key) = try await services.ledger { ledger in
            (try ledger.mailboxSetups.added(), try ledger.mailboxSetups.sealingKey())
        }
        guard let mailbox = added.first(where: { $0.name == name && $0.removalRequested == nil }),
            let registration = mailbox.registration, let key = key.flatMap({ SealingKey($0) })
        else { throw PageProblem.missing(PageText.of("missing.mailbox", ["name": name])) }
        return (mailbox, registration, key)
    }

    private func start(_ call: PageCall) async throws -> Response {
        let (mailbox, registration, _) = try await mailbox(call.query["name"] ?? "")
        let view = RenewalView(mailbox, ConsentRequest(registration, user: mailbox.user, nil), call)
        return try await pages.show(.mailboxConsent, call) { _ in view }
    }

    private func ask(_ call: PageCall) async throws -> Response {
        let (mailbox, registration, key) = try await mailbox(call.form["name"] ?? "")
        var view = RenewalView(mailbox, ConsentRequest(registration, user: mailbox.user, call.form), call)
        view.request.readAnswer(call.form, for: mailbox.server.context, key, &view.problems)
        if view.problems.isEmpty, view.asksPassphrase {
            let check = try await services.check(
                call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context)
            view.problems = [check.problem].compactMap(\.self)
        }
        if view.problems.isEmpty {
            let setup = MailboxSetup(renewing: mailbox, sealedTo: key.text, sealed: view.request.sealedAnswer)
            let now = services.access.clock.wall()
            do {
                let id = try await services.write { try $0.mailboxSetups.ask(setup, at: now) }
                await services.record(
                    "consent asked for: \(mailbox.name)", call.context, who: call.context.identity.who)
                return pages.seeOther("/app/settings/mailboxes/\(id)")
            } catch let error as StoreError {
                guard error.kind == .conflict else { throw error }
                view.problems = [PageText.of("new-mailbox.too-many")]
            }
        }
        return try await pages.show(.mailboxConsent, call) { [view] _ in view }
    }
}

struct RenewalView: FormView {
    var name: String
    var server: String
    var asksPassphrase: Bool
    var request: ConsentRequest
    var problems: [String] = []

    init(_ mailbox: AddedMailbox, _ request: ConsentRequest, _ call: PageCall) {
        name = mailbox.name
        server = "\(mailbox.user) · \(mailbox.host):\(mailbox.port)"
        asksPassphrase = call.context.isLoggedIn
        self.request = request
    }
}
