import Access
import Chronology
import Hummingbird
import Store

/// The members of the household, for owners. Owners themselves are made and changed by `parserctl user`: what took over
/// a browser cannot make itself one.
struct UsersPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    private static let path = "/app/settings/users"

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = UsersPage(pages: pages)
        pages.get("/app/settings/users", on: router) { call in try await page.show(UsersView(call), call) }
        pages.post("/app/settings/users", on: router) { call in try await page.add(call) }
        pages.post("/app/settings/users/{id}", on: router) { call in try await page.change(call) }
        pages.post("/app/settings/users/{id}/disable", on: router) { call in
            let now = pages.services.access.clock.wall()
            return try await page.act(call, "disabled", done: "user-disabled") {
                try $0.access.disableUser($1, at: now)
            }
        }
        pages.post("/app/settings/users/{id}/enable", on: router) { call in
            try await page.act(call, "enabled", done: "user-enabled") { try $0.access.enableUser($1) }
        }
        pages.post("/app/settings/users/{id}/link", on: router) { call in try await page.renewLink(call) }
    }

    private func show(_ view: UsersView, _ call: PageCall) async throws -> Response {
        try await pages.show(.users, call) { ledger in
            var view = view
            view.read(try ledger.access.users(), own: call.context.identity.user, ledger.timeZone)
            return view
        }
    }

    /// The roles that this page gives.
    static let roles: [Role] = [.editor, .reader]

    private static func role(_ call: PageCall) throws -> Role {
        guard let role = call.form["role"].flatMap(Role.init), roles.contains(role) else {
            throw PageProblem.missing(PageText.of("missing.role"))
        }
        return role
    }

    /// A new user, or a new link to the first passphrase, gives access for good, so the passphrase is asked again.
    private func problem(_ call: PageCall) async throws -> String? {
        guard call.context.isLoggedIn else { return nil }
        return try await services.check(
            call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context
        ).problem
    }

    private func add(_ call: PageCall) async throws -> Response {
        var view = UsersView(call)
        let role = try Self.role(call)
        view.problems = AccessName.problems(view.name)
        if view.problems.isEmpty { view.problems = [try await problem(call)].compactMap { $0 } }
        guard view.problems.isEmpty else { return try await show(view, call) }
        let (name, now) = (view.name, services.access.clock.wall())
        let user = try await services.write { try $0.access.addUser(named: name, role, at: now) }
        await record("user added: \(user.name) (\(role.rawValue))", call)
        return try await show(linked(user, view, call), call)
    }

    private func renewLink(_ call: PageCall) async throws -> Response {
        var view = UsersView(call)
        view.problems = [try await problem(call)].compactMap { $0 }
        guard view.problems.isEmpty else { return try await show(view, call) }
        let user = try await user(call)
        let now = services.access.clock.wall()
        if user.hasPassphrase {
            try await services.write { try $0.access.setLoginSecret(nil, of: user.id, at: now) }
            await record("passphrase removed: \(user.name)", call)
        }
        return try await show(linked(user, view, call), call)
    }

    /// The view with a link by which the user sets the passphrase.
    private func linked(_ user: UserRow, _ view: UsersView, _ call: PageCall) async throws -> UsersView {
        var view = view
        let server = try await services.ledger { try $0.access.webServer() }
        let address = server?.url ?? services.access.address(of: call.request)
        view.made = UsersView.Made(name: user.name, link: services.makeStartLink(at: address, for: user.id))
        (view.name, view.problems) = ("", [])
        await record("start link made: \(user.name)", call)
        return view
    }

    private func change(_ call: PageCall) async throws -> Response {
        let (id, name) = (try call.number(of: "user"), call.form.text("name") ?? "")
        var view = UsersView(call)
        view.name = ""
        view.problems = AccessName.problems(name)
        guard view.problems.isEmpty else { return try await show(view, call) }
        let role = call.form["role"] == nil ? nil : try Self.role(call)
        let (before, after) = try await services.write { ledger in
            guard let before = try ledger.access.user(id) else {
                throw PageProblem.missing(PageText.of("missing.user"))
            }
            // One's own name is one's own; other owners are changed by `parserctl`.
            guard before.role != .owner || id == call.context.identity.user, before.role != .owner || role == nil
            else { throw Self.refusal }
            var after = before.name == name ? before : try ledger.access.renameUser(id, to: name)
            if let role, role != before.role { after = try ledger.access.setRole(role, ofUser: id) }
            return (before, after)
        }
        if before.name != after.name { await record("user renamed: \(before.name) to \(after.name)", call) }
        if before.role != after.role { await record("role changed: \(after.name) (\(after.role.rawValue))", call) }
        return pages.seeOther(Self.path, done: "saved")
    }

    private func act(
        _ call: PageCall, _ event: String, done: String,
        _ body: @escaping @Sendable (WriteTransaction, Int64) throws -> UserRow
    ) async throws -> Response {
        let user = try await user(call)
        _ = try await services.write { try body($0, user.id) }
        await record("user \(event): \(user.name)", call)
        return pages.seeOther(Self.path, done: done)
    }

    /// The user of the path, who is no owner.
    private func user(_ call: PageCall) async throws -> UserRow {
        let id = try call.number(of: "user")
        guard let user = try await services.ledger({ try $0.access.user(id) }) else {
            throw PageProblem.missing(PageText.of("missing.user"))
        }
        guard user.role != .owner else { throw Self.refusal }
        return user
    }

    private static var refusal: PageProblem {
        PageProblem(
            status: .forbidden, title: PageText.of("roles.refused"), text: PageText.of("users.owners-by-terminal"))
    }

    private func record(_ event: String, _ call: PageCall) async {
        await services.record(event, call.context, who: call.context.identity.who)
    }
}

struct UsersView: FormView {
    struct Line: Sendable {
        var id: String
        var name: String
        var about: String
        /// Empty for an owner.
        var roles: [SelectChoice]
        var mayRename: Bool
        var isDisabled: Bool
        var hasPassphrase: Bool
        /// True if the page may change more than the name.
        var mayChange: Bool
    }

    /// The link that is shown once.
    struct Made: Sendable {
        var name: String
        var link: String
    }

    var name: String
    var asksPassphrase: Bool
    var problems: [String] = []
    var made: Made?
    var users: [Line] = []
    var roles: [SelectChoice]
    /// The name that the login will ask for, once there is a second user.
    var onlyName: String?

    init(_ call: PageCall) {
        name = call.form.text("name") ?? ""
        asksPassphrase = call.context.isLoggedIn
        let chosen = call.form["role"] ?? Role.editor.rawValue
        roles = Self.choices(chosen)
    }

    private static func choices(_ chosen: String) -> [SelectChoice] {
        UsersPage.roles.map { SelectChoice($0.rawValue, PageText.of("roles.\($0.rawValue)"), chosen: chosen) }
    }

    mutating func read(_ rows: [UserRow], own: Int64?, _ zone: IANATimeZone) {
        onlyName = rows.count == 1 ? rows.first?.name : nil
        users = rows.map { row in
            let parts = [
                PageText.of("roles.\(row.role.rawValue)"),
                row.disabled.map { PageText.of("users.disabled-since", ["at": DayText.instant($0, zone)]) },
                row.hasPassphrase ? nil : PageText.of("users.no-passphrase"),
                row.id == own ? PageText.of("users.you") : nil,
            ]
            return Line(
                id: "\(row.id)", name: row.name, about: parts.compactMap { $0 }.joined(separator: " · "),
                roles: row.role == .owner ? [] : Self.choices(row.role.rawValue),
                mayRename: row.role != .owner || row.id == own, isDisabled: !row.isEnabled,
                hasPassphrase: row.hasPassphrase, mayChange: row.role != .owner)
        }
    }
}
