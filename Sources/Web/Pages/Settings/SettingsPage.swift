import Access
import Chronology
import Glibc
import Hummingbird
import Store

/// Logins, tokens of programs and paired devices, and phones that receive notifications. Each can be revoked.
enum SettingsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/settings", on: router) { call in
            let access = pages.services.access
            let (rules, audit, now) = (access.policy.sessions, access.audit, access.clock.wall())
            return try await pages.show(.settings, call) { [own = call.context.identity.id] ledger in
                try SettingsView(in: ledger, own: own, now: now) { session, now in
                    rules.isLive(
                        started: session.started,
                        lastSeen: max(session.lastSeen, audit.lastSeen(session: session.id) ?? .epoch), at: now)
                }
            }
        }
        pages.post("/app/settings/tokens/{id}/revoke", on: router) { call in
            let now = pages.services.access.clock.wall()
            try await pages.services.write { ledger in
                _ = try ledger.access.revokeToken(named: call.parameter("id"), at: now)
            }
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/sessions/{id}/end", on: router) { call in
            let id = call.parameter("id")
            try await pages.services.write { try $0.access.endSession(id: id) }
            pages.services.access.audit.forget(session: id)
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/devices/{id}/delete", on: router) { call in
            try await pages.services.write { ledger in
                guard let device = try ledger.devices.all().first(where: { $0.id == call.parameter("id") }) else {
                    throw PageProblem.missing(PageText.of("missing.device"))
                }
                try ledger.devices.delete(token: device.token)
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
        /// True for the login that requests the page.
        var isOwn = false
    }

    var sessions: [Line]
    var tokens: [Line]
    var devices: [Line]

    /// - Parameter isLive: returns false for expired logins, which the ledger keeps until the next login.
    init(in ledger: Snapshot, own: String?, now: UnixTime, isLive: (LoginSession, UnixTime) -> Bool) throws {
        func day(_ instant: UnixTime) -> String { DayText.instant(instant, ledger.timeZone) }
        sessions = try ledger.access.sessions().filter { $0.id == own || isLive($0, now) }.map {
            Line(
                id: $0.id, name: $0.id == own ? PageText.of("settings.this-login") : PageText.of("settings.a-login"),
                about: PageText.of("settings.since-last-seen", ["since": day($0.started), "seen": day($0.lastSeen)]),
                isOwn: $0.id == own)
        }
        tokens = try ledger.access.tokens().filter { $0.revoked == nil && !$0.isExpired(at: now) }.map { token in
            let parts = [
                token.kind == .device ? PageText.of("settings.paired-device") : PageText.of("settings.token"),
                PageText.of("settings.may", ["scopes": "\(token.scopes)"]),
                token.lastUsed.map { PageText.of("settings.last-used", ["at": day($0)]) }
                    ?? PageText.of("settings.never-used"),
                token.expires.map { PageText.of("settings.until", ["at": day($0)]) },
            ]
            return Line(id: token.id, name: token.name, about: parts.compactMap { $0 }.joined(separator: " · "))
        }
        devices = try ledger.devices.all().map { device in
            Line(
                id: device.id, name: device.name ?? PageText.of("settings.a-device"),
                about: [
                    device.osVersion, device.environment, device.isActive ? nil : PageText.of("settings.unreachable"),
                    PageText.of("settings.since", ["day": DayText.text(ledger.timeZone.day(of: device.createdAt))]),
                ].compactMap { $0 }.joined(separator: " · "))
        }
    }
}
