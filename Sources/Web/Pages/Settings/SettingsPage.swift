import Access
import Chronology
import Glibc
import Hummingbird
import Ledger
import Store

/// Logins, passkeys, tokens of programs and paired devices, and phones that receive notifications. Each can be revoked.
enum SettingsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/settings", on: router) { call in
            let access = pages.services.access
            let (rules, audit, now) = (access.policy.sessions, access.audit, access.clock.wall())
            let isHere = access.relyingParty(of: call.request) != nil
            return try await pages.show(.settings, call) { [identity = call.context.identity] ledger in
                try SettingsView(in: ledger, identity, hasPasskeys: isHere, now: now) { session, now in
                    rules.isLive(
                        started: session.started,
                        lastSeen: max(session.lastSeen, audit.lastSeen(session: session.id) ?? .epoch), at: now)
                }
            }
        }
        pages.post("/app/settings/tokens/{id}/revoke", on: router) { call in
            let (now, owned) = (pages.services.access.clock.wall(), call.context.identity.ownedAccess)
            let token = try await pages.services.write { ledger in
                try ledger.access.revokeToken(named: call.parameter("id"), of: owned, at: now)
            }
            await pages.services.record("token revoked: \(token.name)", call.context, who: call.context.identity.who)
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/sessions/{id}/end", on: router) { call in
            let (id, owned) = (call.parameter("id"), call.context.identity.ownedAccess)
            try await pages.services.write { ledger in
                guard let session = try ledger.access.session(id: id), owned == nil || session.user == owned else {
                    throw PageProblem.missing(PageText.of("missing.login"))
                }
                try ledger.access.endSession(id: id)
            }
            pages.services.access.audit.forget(session: id)
            return pages.seeOther("/app/settings", done: "revoked")
        }
        pages.post("/app/settings/sinks/test", on: router) { call in
            let (name, now) = (call.form["sink"] ?? "", pages.services.access.clock.wall())
            try await pages.services.write { try $0.outbox.requestTrial(of: name, at: now) }
            return pages.seeOther("/app/settings", done: "trial")
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

extension Identity {
    /// The user whose logins and tokens the caller may end; `nil` for those of all.
    fileprivate var ownedAccess: Int64? { scopes.allow(.admin) ? nil : user ?? 0 }
}

struct SettingsView: Sendable {
    struct Line: Sendable {
        var id: String
        var name: String
        var about: String
        /// True for the login that requests the page.
        var isOwn = false
    }

    /// A receiver of notifications.
    struct Sink: Sendable {
        var name: String
        var facts: [String]
        /// False for one that is not in use yet.
        var canTest: Bool
        /// Why it is not used, or why a change was refused.
        var problem: String?
        /// The pages that change and remove it; `nil` for one of the configuration.
        var change: String?
        var removal: String?
    }

    var sessions: [Line]
    /// True for a login with a passphrase, which can be changed.
    var hasPassphrase: Bool
    /// False at an address for which browsers have no passkeys.
    var canHavePasskeys: Bool
    let passkeyPlace = PasskeyPlace.sentence
    var passkeys: [Line]
    var tokens: [Line]
    var sinks: [Sink]
    /// True if receivers can be added here.
    var canAddSinks: Bool
    var devices: [Line]

    /// - Parameters:
    ///   - hasPasskeys: true if browsers have passkeys for the address of the page.
    ///   - isLive: returns false for expired logins, which the ledger keeps until the next login.
    init(
        in ledger: Snapshot, _ identity: Identity, hasPasskeys: Bool, now: UnixTime,
        isLive: (LoginSession, UnixTime) -> Bool
    ) throws {
        let (own, owned) = (identity.id, identity.ownedAccess)
        let users = try ledger.access.users()
        // Names tell logins and tokens apart if there is more than one user.
        let names = users.count > 1 ? Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.name) }) : [:]
        hasPassphrase = identity.kind == .person
        canHavePasskeys = hasPasskeys && hasPassphrase
        func day(_ instant: UnixTime) -> String { DayText.instant(instant, ledger.timeZone) }
        sessions = try ledger.access.sessions().filter {
            ($0.id == own || isLive($0, now)) && (owned == nil || owned == $0.user)
        }.map { session in
            let times = PageText.of(
                "settings.since-last-seen", ["since": day(session.started), "seen": day(session.lastSeen)])
            return Line(
                id: session.id,
                name: session.id == own ? PageText.of("settings.this-login") : PageText.of("settings.a-login"),
                about: [names[session.user], times].compactMap { $0 }.joined(separator: " · "),
                isOwn: session.id == own)
        }
        passkeys = try ledger.access.passkeys(of: identity.user).map { passkey in
            Line(
                id: "\(passkey.id)", name: passkey.name,
                about: PageText.of(
                    "settings.passkey-about",
                    [
                        "site": passkey.relyingParty, "since": day(passkey.created),
                        "used": passkey.lastUsed.map { PageText.of("settings.last-used", ["at": day($0)]) }
                            ?? PageText.of("settings.never-used"),
                    ])
            )
        }
        tokens = try ledger.access.tokens().filter {
            $0.isValid(at: now) && (owned == nil || owned == $0.user)
        }.map { token in
            let parts = [
                names[token.user],
                token.kind == .device ? PageText.of("settings.paired-device") : PageText.of("settings.token"),
                PageText.of("settings.may", ["scopes": "\(token.scopes)"]),
                token.lastUsed.map { PageText.of("settings.last-used", ["at": day($0)]) }
                    ?? PageText.of("settings.never-used"),
                token.expires.map { PageText.of("settings.until", ["at": day($0)]) },
            ]
            return Line(id: token.id, name: token.name, about: parts.compactMap { $0 }.joined(separator: " · "))
        }
        let canAdd = try ledger.mailboxSetups.sealingKey() != nil
        canAddSinks = canAdd
        let (states, added) = (try ledger.outbox.sinkStates(), try ledger.outbox.addedSinks())
        let waiting = added.filter { sink in !states.contains { $0.name == sink.name } }
        sinks =
            states.map { state in
                Self.sink(state.name, state, added.first { $0.name == state.name }, canChange: canAdd, day)
            } + waiting.map { Self.sink($0.name, nil, $0, canChange: canAdd, day) }
        devices = try ledger.devices.all().map { device in
            Line(
                id: device.id, name: device.name ?? PageText.of("settings.a-device"),
                about: [
                    device.osVersion, device.environment, device.isActive ? nil : PageText.of("settings.unreachable"),
                    PageText.of("settings.since", ["day": DayText.text(ledger.timeZone.day(of: device.createdAt))]),
                ].compactMap { $0 }.joined(separator: " · "))
        }
    }

    /// - Parameters:
    ///   - state: `nil` for one that is not in use yet.
    ///   - added: `nil` for one of the configuration.
    private static func sink(
        _ name: String, _ state: SinkState?, _ added: AddedSink?, canChange: Bool, _ day: (UnixTime) -> String
    ) -> Sink {
        let test = state.map { state in
            let result = state.trialAt.map { at in
                state.trialProblem.map { PageText.of("settings.test-refused", ["at": day(at), "problem": $0]) }
                    ?? PageText.of("settings.test-accepted", ["at": day(at)])
            }
            return state.trialRequestedAt.map { PageText.of("settings.test-requested", ["at": day($0)]) } ?? result
                ?? PageText.of("settings.never-tested")
        }
        let isRemoved = added?.removalRequested != nil
        let progress =
            isRemoved
            ? PageText.of("notifications.is-removed")
            : added?.asked.map { _ in PageText.of("notifications.is-taken-over") }
        let isChangeable = canChange && added != nil && !isRemoved
        return Sink(
            name: name,
            facts: [added.map { PageText.of("notifications.kind-\($0.kind.rawValue)") }, added?.host, progress, test]
                .compactMap { $0 }.filter { !$0.isEmpty },
            canTest: state != nil && !isRemoved, problem: added?.asked == nil ? added?.fault?.sentence : nil,
            change: isChangeable ? NotificationPage.path("change", name) : nil,
            removal: isChangeable ? NotificationPage.path("remove", name) : nil)
    }
}
