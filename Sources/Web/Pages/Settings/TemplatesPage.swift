import Access
import Chronology
import Hummingbird
import Ledger
import Profiles
import Review
import Store

/// Templates that were drafted on the page and are used: the requests, their results, and the end of their use.
///
/// This role writes no profile. It asks the mail reader, which proves the template once more and writes its file.
struct TemplatesPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = TemplatesPage(pages: pages)
        pages.get("/app/settings/templates", on: router) { call in try await page.show(call) }
        pages.post("/app/settings/templates", on: router) { call in try await page.ask(call) }
        pages.get("/app/settings/templates/{id}/deactivate", on: router) { call in
            let id = try call.number(of: "activation")
            return try await page.show(call) { view, ledger in
                view.ask(about: try ledger.templateActivations.find(id))
            }
        }
        pages.post("/app/settings/templates/{id}/deactivate", on: router) { call in
            let (id, now) = (try call.number(of: "activation"), pages.services.access.clock.wall())
            let activation = try await pages.services.write { try $0.templateActivations.withdraw(id, at: now) }
            await pages.services.record(
                "template to be deactivated: \(activation.template)", call.context, who: call.context.identity.who)
            return pages.seeOther("/app/settings/templates", done: "template-ends")
        }
        pages.post("/app/settings/templates/{id}/seen", on: router) { call in
            let (id, now) = (try call.number(of: "activation"), pages.services.access.clock.wall())
            try await pages.services.write { try $0.templateActivations.acknowledge(id, at: now) }
            return pages.seeOther("/")
        }
    }

    private func show(
        _ call: PageCall, _ change: @escaping @Sendable (inout TemplatesView, Snapshot) throws -> Void = { _, _ in }
    ) async throws -> Response {
        let names = Dictionary(services.profiles().banks.map { ($0.key, $0.name) }) { first, _ in first }
        return try await pages.show(.templates, call) { ledger in
            var view = try TemplatesView(in: ledger, banks: names)
            try change(&view, ledger)
            return view
        }
    }

    /// The template that a form asks for, with what proves it.
    private func request(_ call: PageCall) async throws -> TemplateUse {
        let item = ReviewID(call.form["item"] ?? "")
        let asksPassphrase = call.context.isLoggedIn
        return try await services.ledger { store in
            let mail: ReviewedMail
            do { mail = try TemplateEditor(store, folders: []).mail(of: item) } catch let error as TemplateEditorError {
                throw PageProblem(error)
            }
            return TemplateUse(
                mail, TemplateForm(mail, call.form), template: call.form["template"] ?? "",
                // Browsers send the ends of lines as CR LF.
                yaml: (call.form["yaml"] ?? "").replacing("\r\n", with: "\n"), asksPassphrase: asksPassphrase)
        }
    }

    private func ask(_ call: PageCall) async throws -> Response {
        let use = try await request(call)
        guard use.isOfBank else { throw PageProblem.missing(PageText.of("missing.template")) }
        if use.asksPassphrase,
            let problem = try await services.check(
                call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context
            ).problem
        {
            return try await show(call) { view, _ in view.ask(again: use, problem) }
        }
        let (who, now) = (call.context.identity.who, services.access.clock.wall())
        do {
            try await services.write { ledger in
                try ledger.templateActivations.ask(
                    use.template, yaml: use.yaml, provenBy: use.mail, use.expected, by: who, at: now)
            }
        } catch let error as StoreError where error.kind == .conflict {
            return try await show(call) { view, _ in view.problems = [error.message] }
        }
        await services.record("template asked for: \(use.template)", call.context, who: who)
        return pages.seeOther("/app/settings/templates", done: "template-asked")
    }
}

/// A proven template that a person may have used, with the fields of its form.
struct TemplateUse: Sendable {
    struct Value: Sendable {
        var name: String
        var value: String
    }

    var item: String
    var template: String
    var yaml: String
    var want: String
    var values: [Value]
    var asksPassphrase: Bool
    /// ID of the mail by which it is proven.
    let mail: String
    /// The values that it must read; `nil` if it must ignore the mail.
    let expected: [Field: String]?
    /// True for a valid name of a template of the mail's bank.
    let isOfBank: Bool

    init(_ mail: ReviewedMail, _ form: TemplateForm, template: String, yaml: String, asksPassphrase: Bool) {
        item = mail.id.argument
        self.template = template
        self.yaml = yaml
        self.asksPassphrase = asksPassphrase
        self.mail = mail.mail.id
        want = form.ignores ? "ignore" : "read"
        values = TemplateForm.fields.map { Value(name: $0.field.rawValue, value: form.values[$0.field] ?? "") }
        expected = form.ignores ? nil : form.values
        let parts = template.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        isOfBank = parts.count == 2 && parts[0] == mail.bank && parts.allSatisfy(TemplateKey.isValid)
    }
}

struct TemplatesView: FormView {
    struct Line: Sendable {
        var id: String
        var name: String
        var about: String
        /// Why it is refused or left out.
        var reason: String?
        var mayEnd: Bool
    }

    struct Question: Sendable {
        var id: String
        var name: String
    }

    var lines: [Line]
    var problems: [String] = []
    /// The form that asks for the passphrase again.
    private(set) var use: TemplateUse?
    private(set) var question: Question?
    private(set) var showsList = true

    /// - Parameter banks: names of banks by their keys.
    init(in ledger: Snapshot, banks: [String: String]) throws {
        let counts = try ledger.templateActivations.mailCounts()
        let zone = ledger.timeZone
        lines = try ledger.templateActivations.all().map { activation in
            let bank = banks[activation.bank] ?? activation.bank
            let parts: [String?] = [
                bank, activation.words(zone),
                activation.state == .active ? PageText.count(counts[activation.id] ?? 0, "mail-by-template") : nil,
            ]
            return Line(
                id: "\(activation.id)", name: activation.template,
                about: parts.compactMap(\.self).joined(separator: " · "),
                reason: activation.reason ?? activation.fault,
                mayEnd: activation.withdrawAskedAt == nil && [.active, .asked].contains(activation.state))
        }
    }

    mutating func ask(about activation: TemplateActivation) {
        showsList = false
        question = Question(id: "\(activation.id)", name: activation.template)
    }

    mutating func ask(again use: TemplateUse, _ problem: String) {
        showsList = false
        self.use = use
        problems = [problem]
    }
}

extension TemplateActivation {
    /// The state with its time.
    fileprivate func words(_ zone: IANATimeZone) -> String {
        func text(_ key: String, _ instant: UnixTime?) -> String {
            PageText.of(key, ["at": DayText.instant(instant ?? askedAt, zone)])
        }
        if withdrawAskedAt != nil, [.active, .asked].contains(state) { return text("templates.ends", withdrawAskedAt) }
        return switch state {
        case .asked: text("templates.waits", askedAt)
        case .active: fault == nil ? text("templates.since", decidedAt) : text("templates.left-out", decidedAt)
        case .refused: text("templates.refused", decidedAt)
        case .replaced: text("templates.replaced", decidedAt)
        case .withdrawn: text("templates.ended", decidedAt)
        }
    }
}
