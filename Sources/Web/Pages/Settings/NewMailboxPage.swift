import Access
import Hummingbird
import Settings
import Store

/// Adds and removes mailboxes. The page asks; the mail reader, which alone can read the password, tests the mailbox and
/// takes it into use.
struct NewMailboxPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    /// The known providers, which a test reads.
    private static let providers = try? ProviderFile.shipped()
    /// Seconds after which a browser asks again how far a test is.
    private static let refreshSeconds = 2

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = NewMailboxPage(pages: pages)
        pages.get("/app/settings/mailboxes/new", on: router) { call in try await page.start(call) }
        pages.post("/app/settings/mailboxes/new", on: router) { call in try await page.ask(call) }
        pages.get("/app/settings/mailboxes/remove", on: router) { call in try await page.question(call) }
        pages.post("/app/settings/mailboxes/remove", on: router) { call in try await page.remove(call) }
        pages.get("/app/settings/mailboxes/{id}", on: router) { call in try await page.state(call) }
        pages.post("/app/settings/mailboxes/{id}/accept", on: router) { call in try await page.accept(call) }
        pages.post("/app/settings/mailboxes/{id}/withdraw", on: router) { call in
            let id = try call.number(of: "setup")
            try await pages.services.write { try $0.mailboxSetups.withdraw(id) }
            return pages.seeOther("/app/mailboxes")
        }
    }

    /// Asks for the address, then for the rest.
    private func start(_ call: PageCall) async throws -> Response {
        let address = call.query.text("address") ?? ""
        let names = try await names()
        var view = NewMailboxView(isPossible: try await services.ledger { try $0.mailboxSetups.sealingKey() } != nil)
        view.address = address
        if !address.isEmpty {
            if MailboxDraft.isAddress(address) {
                view.form = MailboxForm(address: address, names: names, call: call, among: Self.providers)
            } else {
                view.problems = [PageText.of("new-mailbox.bad-address")]
            }
        }
        return try await pages.show(.newMailbox, call) { [view] _ in view }
    }

    /// Names of mailboxes that exist or are being added.
    private func names() async throws -> [String] {
        try await services.ledger { [services] store in
            try services.mailboxNames(in: store)
                + store.mailboxSetups.all().filter { $0.state != .refused }.map(\.server.name)
        }
    }

    private func ask(_ call: PageCall) async throws -> Response {
        let key = try await services.ledger { try $0.mailboxSetups.sealingKey() }.flatMap { SealingKey($0) }
        var view = NewMailboxView(isPossible: key != nil)
        var form = MailboxForm(call, among: Self.providers)
        (view.address, view.form) = (form.address, form)
        let isConsent = form.consent != nil
        guard let key, !isConsent || call.form["step"] != "client" else { return try await show(view, call) }
        if !form.address.isEmpty, !MailboxDraft.isAddress(form.address) {
            view.problems.append(PageText.of("new-mailbox.bad-address"))
        }
        let server = form.server(&view.problems, names: try await names())
        var sealed: String?
        if let server, isConsent {
            let isAnswer = call.form["step"] == "answer"
            form.askConsent(for: server, isAnswer ? call.form : nil)
            if isAnswer { form.readConsent(for: server, call.form, key, &view.problems) }
            view.form = form
            guard isAnswer else { return try await show(view, call) }
            sealed = form.consent?.request?.sealedAnswer
        } else if !isConsent {
            sealed = server?.seal(call.form["password"] ?? "", with: key, &view.problems)?.text
        }
        guard view.problems.isEmpty, let server, let sealed else { return try await show(view, call) }
        if call.context.isLoggedIn {
            let check = try await services.check(
                call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context)
            view.problems = [check.problem].compactMap(\.self)
            guard view.problems.isEmpty else { return try await show(view, call) }
        }
        let setup = MailboxSetup(
            server, address: form.address, folder: form.folder, sinceDays: form.sinceDays, sealedTo: key.text,
            sealed: sealed, clientSecret: form.consent.flatMap { $0.hasSecret ? $0.sealedSecret : nil })
        let now = services.access.clock.wall()
        let id: Int64
        do { id = try await services.write { try $0.mailboxSetups.ask(setup, at: now) } } catch let error as StoreError
        {
            guard error.kind == .conflict else { throw error }
            view.problems = [PageText.of("new-mailbox.too-many")]
            return try await show(view, call)
        }
        await services.record("mailbox asked for: \(server.name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings/mailboxes/\(id)")
    }

    private func show(_ view: NewMailboxView, _ call: PageCall) async throws -> Response {
        try await pages.show(.newMailbox, call) { _ in view }
    }

    /// How far a setup, or a new consent, is. The page is loaded again by itself while the mail reader works.
    private func state(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "setup")
        guard let setup = try await services.ledger({ try $0.mailboxSetups.find(id) }) else {
            throw PageProblem.missing(PageText.of("missing.setup"))
        }
        return try await show(setup, call)
    }

    private func show(_ setup: MailboxSetup, _ call: PageCall, problems: [String] = []) async throws -> Response {
        var view = MailboxSetupView(setup)
        view.problems = problems
        if setup.state == .refused, !setup.renews { view.form = MailboxForm(setup, call: call, among: Self.providers) }
        var response = try await pages.show(.mailboxSetup, call) { [view] _ in view }
        if view.isWaiting { response.headers[.refresh] = "\(Self.refreshSeconds)" }
        return response
    }

    private func accept(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "setup")
        guard let setup = try await services.ledger({ try $0.mailboxSetups.find(id) }), setup.state == .tested,
            let finding = setup.finding
        else { return pages.seeOther("/app/settings/mailboxes/\(id)") }
        let folder = call.form["folder"] ?? finding.folder
        let trust = MailboxSetupView.Trust(call.form["trust"] ?? "", offeredBy: finding)
        guard let trust, finding.folders.contains(folder) || folder == finding.folder else {
            return try await show(setup, call, problems: [PageText.of("new-mailbox.choose-trust")])
        }
        let now = services.access.clock.wall()
        try await services.write { ledger in
            try ledger.mailboxSetups.accept(
                id, folder: folder, authservID: trust.authservID, verifies: trust.authservID == nil, at: now)
        }
        await services.record(
            "mailbox accepted: \(setup.server.name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings/mailboxes/\(id)")
    }

    private func question(_ call: PageCall) async throws -> Response {
        let name = call.query["name"] ?? ""
        return try await pages.show(.mailboxRemoval, call) { ledger in
            guard let mailbox = try ledger.mailboxSetups.added().first(where: { $0.name == name }) else {
                throw PageProblem.missing(PageText.of("missing.mailbox", ["name": name]))
            }
            return MailboxRemovalView(name: mailbox.name, host: mailbox.host)
        }
    }

    private func remove(_ call: PageCall) async throws -> Response {
        let (name, now) = (call.form["name"] ?? "", services.access.clock.wall())
        try await services.write { try $0.mailboxSetups.requestRemoval(of: name, at: now) }
        await services.record("mailbox removal asked: \(name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/mailboxes", done: "mailbox-gone")
    }
}

struct NewMailboxView: FormView {
    /// False if no mail reader takes mailboxes from the page.
    var isPossible: Bool
    var address = ""
    /// `nil` until the address is known.
    var form: MailboxForm?
    var problems: [String] = []
}

/// A mailbox that is being added: the test, what it found, and the choice.
struct MailboxSetupView: FormView {
    /// What proves that a mail is a bank's.
    struct Trust: Sendable {
        /// `nil` to verify signatures here.
        var authservID: String?
        /// The value of the form.
        var value: String { authservID ?? "verify:" }
        var title: String
        var isChosen: Bool

        /// The choice of a form; `nil` for one that was not offered.
        init?(_ value: String, offeredBy finding: MailboxFinding) {
            guard let found = Self.all(finding).first(where: { $0.value == value }) else { return nil }
            self = found
        }

        private init(_ authservID: String?, _ title: String, _ finding: MailboxFinding) {
            (self.authservID, self.title) = (authservID, title)
            isChosen = authservID == finding.proposed
        }

        static func all(_ finding: MailboxFinding) -> [Trust] {
            var choices = finding.proposals.map { proposal in
                Trust(
                    proposal.authservID,
                    PageText.of(
                        "new-mailbox.confirms",
                        [
                            "name": proposal.authservID, "confirmed": "\(proposal.confirmed)",
                            "mails": PageText.count(proposal.of, "mail"),
                        ]), finding)
            }
            if let proposed = finding.proposed, !choices.contains(where: { $0.authservID == proposed }) {
                choices.append(
                    Trust(proposed, PageText.of("new-mailbox.usual-name", ["name": proposed]), finding))
            }
            return choices + [Trust(nil, PageText.of("new-mailbox.verify"), finding)]
        }
    }

    /// A choice as the template reads it.
    struct TrustChoice: Sendable {
        var value: String
        var title: String
        var isChosen: Bool
    }

    struct Finding: Sendable {
        var summary: String
        var banks: [String]
        var folders: [SelectChoice]
        var choices: [TrustChoice]
    }

    var id: String
    var name: String
    var server: String
    var isWaiting: Bool
    /// What the mail reader does.
    var progress: String
    var finding: Finding?
    var isUsed: Bool
    /// The end, in words.
    var outcome: String
    /// Why it was refused.
    var refusal: String?
    var refusalTitle: String
    /// The page that asks for a consent again, if that was refused.
    var renewal: String?
    /// The same as the program reported it, in English.
    var reason: String?
    /// The fields to correct.
    var form: MailboxForm?
    var problems: [String] = []

    init(_ setup: MailboxSetup) {
        id = "\(setup.id)"
        name = setup.server.name
        server = "\(setup.server.user) · \(setup.server.host):\(setup.server.port)"
        isWaiting = setup.state == .asked || setup.state == .accepted
        progress = PageText.of(setup.state == .accepted ? "new-mailbox.is-taken-over" : "new-mailbox.is-tested")
        isUsed = setup.state == .used
        outcome = PageText.of(setup.renews ? "consent.is-renewed" : "new-mailbox.is-used")
        refusal = setup.fault.map { $0.text(isOAuth: setup.server.registration != nil) }
        refusalTitle = PageText.of(setup.renews ? "consent.not-renewed" : "new-mailbox.not-added")
        renewal = setup.renews && setup.state == .refused ? RenewalPage.path(for: setup.server.name) : nil
        reason = setup.reason
        guard setup.state == .tested, let found = setup.finding else { return }
        let folders = found.folders.contains(found.folder) ? found.folders : [found.folder] + found.folders
        finding = Finding(
            summary: PageText.of(
                "new-mailbox.found",
                [
                    "mails": PageText.count(found.messages, "mail"), "folder": found.folder,
                    "bankmails": "\(found.bankMails)", "days": PageText.count(setup.sinceDays, "day"),
                ]),
            banks: found.banks.map { bank in
                let mails = "\(bank.name): \(PageText.count(bank.mails, "mail"))"
                return bank.newest.map {
                    mails + ", " + PageText.of("new-mailbox.newest", ["day": DayText.text($0)])
                } ?? mails
            },
            folders: folders.map { SelectChoice($0, $0, chosen: found.folder) },
            choices: Trust.all(found).map { TrustChoice(value: $0.value, title: $0.title, isChosen: $0.isChosen) })
    }
}

struct MailboxRemovalView: Sendable {
    var name: String
    var host: String
}

extension WebServices {
    /// Names of the mailboxes of the configuration and of those that were added on the page.
    func mailboxNames(in ledger: some ReadScope) throws -> [String] {
        mailboxes + (try ledger.mailboxSetups.added().map(\.name).filter { !mailboxes.contains($0) })
    }
}
