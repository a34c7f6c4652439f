import Access
import Hummingbird
import Settings
import Store

/// Adds, changes and removes receivers of notifications. The page asks; the mail reader, which alone can read addresses
/// and secrets, takes the receiver into use and sends to it.
struct NotificationPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    static let path = "/app/settings/notifications"

    static func path(_ action: String, _ name: String) -> String {
        "\(path)/\(action)?" + FormFields.encoded([("name", name)])
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = NotificationPage(pages: pages)
        pages.get("/app/settings/notifications/new", on: router) { call in
            let form = NotificationForm(call, isPossible: try await page.key() != nil)
            return try await page.show(form, call)
        }
        pages.post("/app/settings/notifications/new", on: router) { call in try await page.add(call) }
        pages.get("/app/settings/notifications/change", on: router) { call in
            let sink = try await page.sink(call.query["name"])
            let form = NotificationForm(call, changing: sink, isPossible: try await page.key() != nil)
            return try await page.show(form, call)
        }
        pages.post("/app/settings/notifications/change", on: router) { call in try await page.change(call) }
        pages.get("/app/settings/notifications/remove", on: router) { call in
            let sink = try await page.sink(call.query["name"])
            return try await pages.show(.notificationRemoval, call) { _ in
                NotificationRemovalView(name: sink.name, host: sink.host)
            }
        }
        pages.post("/app/settings/notifications/remove", on: router) { call in try await page.remove(call) }
    }

    /// The key that receivers are sealed to; `nil` if the mail reader takes none from the page.
    private func key() async throws -> SealingKey? {
        try await services.ledger { try $0.mailboxSetups.sealingKey() }.flatMap { SealingKey($0) }
    }

    private func sink(_ name: String?) async throws -> AddedSink {
        let sinks = try await services.ledger { try $0.outbox.addedSinks() }
        guard let sink = sinks.first(where: { $0.name == name && $0.removalRequested == nil }) else {
            throw PageProblem.missing(PageText.of("missing.receiver", ["name": name ?? ""]))
        }
        return sink
    }

    private func show(_ form: NotificationForm, _ call: PageCall) async throws -> Response {
        try await pages.show(form.isChange ? .changeNotification : .newNotification, call) { _ in form }
    }

    private func add(_ call: PageCall) async throws -> Response {
        let key = try await key()
        var form = NotificationForm(call, isPossible: key != nil)
        form.read(call.form)
        let names = try await services.ledger {
            try $0.outbox.addedSinks().map(\.name) + $0.outbox.sinkStates().map(\.name)
        }
        guard let key, let sink = form.check(names: names),
            let sealed = seal(form.receiver, for: sink, with: key, &form), try await isAllowed(call, &form)
        else { return try await show(form, call) }
        let now = services.access.clock.wall()
        do {
            try await services.write { try $0.outbox.ask(for: sink, sealed: sealed, to: key.text, at: now) }
        } catch let error as StoreError {
            guard error.kind == .conflict else { throw error }
            form.problems = [PageText.of("notifications.too-many", ["limit": "\(AddedSink.maximum)"])]
            return try await show(form, call)
        }
        await services.record("receiver asked for: \(sink.name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings", done: "receiver-asked")
    }

    private func change(_ call: PageCall) async throws -> Response {
        let (before, key) = (try await sink(call.form["name"]), try await key())
        var form = NotificationForm(call, changing: before, isPossible: key != nil)
        form.read(call.form)
        guard let key, let sink = form.check(names: []) else { return try await show(form, call) }
        var sealed: String?
        if !form.receiver.isEmpty {
            sealed = seal(form.receiver, for: sink, with: key, &form)
            guard sealed != nil else { return try await show(form, call) }
        }
        guard try await isAllowed(call, &form) else { return try await show(form, call) }
        let now = services.access.clock.wall()
        try await services.write { [sealed] in
            try $0.outbox.ask(toChange: sink, receiver: sealed.map { (sealed: $0, to: key.text) }, at: now)
        }
        await services.record(
            "receiver change asked: \(sink.name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings", done: "receiver-asked")
    }

    private func seal(
        _ receiver: TypedReceiver, for sink: AddedSink, with key: SealingKey, _ form: inout NotificationForm
    ) -> String? {
        let sealed = key.seal(receiver.bytes, for: sink.context, in: .grant)
        if sealed == nil { form.problems = [PageText.of("notifications.refused-sealed")] }
        return sealed?.text
    }

    /// Asks for the passphrase again.
    private func isAllowed(_ call: PageCall, _ form: inout NotificationForm) async throws -> Bool {
        guard call.context.isLoggedIn else { return true }
        let check = try await services.check(
            call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context)
        form.problems = [check.problem].compactMap(\.self)
        return form.problems.isEmpty
    }

    private func remove(_ call: PageCall) async throws -> Response {
        let (name, now) = (call.form["name"] ?? "", services.access.clock.wall())
        try await services.write { try $0.outbox.requestRemoval(ofSink: name, at: now) }
        await services.record("receiver removal asked: \(name)", call.context, who: call.context.identity.who)
        return pages.seeOther("/app/settings", done: "receiver-gone")
    }
}

struct NotificationRemovalView: Sendable {
    var name: String
    var host: String
}
