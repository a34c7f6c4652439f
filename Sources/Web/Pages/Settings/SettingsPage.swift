import Access
import Chronology
import Glibc
import Hummingbird
import Store

/// Who has access: logins, tokens of programs and paired devices, and phones that are told of news. Each can be taken
/// away.
enum SettingsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/settings", on: router) { call in
            let rules = pages.services.access.policy.sessions
            let audit = pages.services.access.audit
            let view = try await pages.services.ledger { [own = call.context.identity.id] in
                try SettingsView(in: $0, own: own, now: UnixTime.now.seconds) { session, now in
                    rules.isLive(
                        started: session.started,
                        lastSeen: max(session.lastSeen, audit.lastSeen(session: session.id) ?? 0), at: now)
                }
            }
            return await pages.show("settings", view, call, title: "Settings", section: nil)
        }
        pages.post("/app/settings/tokens/{id}/revoke", on: router) { call in
            try await pages.services.ledger { store in
                _ = try store.access.revokeToken(named: call.parameter("id"), at: UnixTime.now.seconds)
            }
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/sessions/{id}/end", on: router) { call in
            let id = call.parameter("id")
            try await pages.services.ledger { try $0.access.endSession(id: id) }
            pages.services.access.audit.forget(session: id)
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/devices/{id}/delete", on: router) { call in
            try await pages.services.ledger { store in
                guard let device = try store.devices.all().first(where: { $0.id == call.parameter("id") }) else {
                    throw PageProblem.missing("device of this number")
                }
                try store.devices.delete(token: device.token)
            }
            return pages.seeOther("/app/settings", done: "revoked")
        }
    }
}

struct SettingsView: Sendable {
    struct Line: Sendable {
        var id: String
        var name: String
        var about: String
        /// The login that looks at the page.
        var isOwn = false
    }

    var sessions: [Line]
    var tokens: [Line]
    var devices: [Line]

    /// - Parameter isLive: those that have ended by themselves are kept until the next login.
    init(in store: Store, own: String?, now: Int64, isLive: (LoginSession, Int64) -> Bool) throws {
        func day(_ instant: Int64) -> String { DayText.instant(Store.timestamp(instant)) }
        sessions = try store.access.sessions().filter { $0.id == own || isLive($0, now) }.map {
            Line(
                id: $0.id, name: $0.id == own ? "This login" : "A login",
                about: "since \(day($0.started)), last seen \(day($0.lastSeen))", isOwn: $0.id == own)
        }
        tokens = try store.access.tokens().filter { $0.revoked == nil && !$0.isExpired(at: now) }.map { token in
            let parts = [
                token.kind == .device ? "paired device" : "token", "may \(token.scopes)",
                token.lastUsed.map { "last used \(day($0))" } ?? "never used",
                token.expires.map { "until \(day($0))" },
            ]
            return Line(id: token.id, name: token.name, about: parts.compactMap { $0 }.joined(separator: " · "))
        }
        devices = try store.devices.all().map { device in
            Line(
                id: device.id, name: device.name ?? "A device",
                about: [
                    device.osVersion, device.environment, device.isActive ? nil : "not reachable any more",
                    "since \(DayText.text(iso: device.createdAt))",
                ].compactMap { $0 }.joined(separator: " · "))
        }
    }
}
