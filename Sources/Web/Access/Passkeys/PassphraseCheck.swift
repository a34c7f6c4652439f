import Access
import Hummingbird
import Store

/// What a check of the passphrase found.
enum PassphraseCheck: Equatable {
    /// - Parameter secret: the stored hash, which a change must still find.
    case right(secret: String)
    case wrong
    /// Not checked, because of the pauses after wrong ones. Seconds.
    case wait(Int)
    /// Not checked, because too many checks wait.
    case busy
    /// None is set.
    case unset

    /// Seconds after which a client may try again when too many checks wait.
    static let busyWait = 5

    /// The problem of a form that asks for the passphrase again; `nil` if it is right.
    var problem: String? {
        switch self {
        case .right: nil
        case .wrong: PageText.of("passphrase.wrong")
        case .wait(let seconds): PageText.of("passphrase.wait", count: seconds)
        case .busy: PageText.of("passphrase.wait", count: Self.busyWait)
        case .unset: PageText.of("passphrase.unset")
        }
    }
}

extension WebServices {
    /// Checks the passphrase of a user, within the limits of ``Throttle``.
    ///
    /// - Parameter user: `nil` for a name that nobody has. Then it is wrong, after the same time.
    func check(_ passphrase: String, as user: Int64?, of context: WebContext) async throws -> PassphraseCheck {
        let text = try await read { ledger in try user.flatMap { try ledger.access.loginSecret(of: $0) } }
        if text == nil, try await !ledger({ try $0.access.hasLoginSecret() }) { return .unset }
        let secret = text.flatMap { PassphraseHash($0) }
        let (client, now) = (context.address, access.clock.wall())
        let wait = try await ledger { try $0.access.reserveAttempt(of: client, as: user, at: now) }
        guard wait == 0 else { return .wait(Int(wait)) }
        guard passphrase.utf8.count <= PassphraseRules.maximumBytes,
            let isRight = await access.verifier.matches(passphrase, secret ?? .ofNone)
        else { return .busy }
        guard isRight, let text else { return .wrong }
        try await ledger { try $0.access.attemptSucceeded(of: client, as: user) }
        return .right(secret: text)
    }

    /// Writes an event about access at once, so that a crash cannot hide it.
    func record(_ event: String, _ context: WebContext, who: String) async {
        access.audit.add(AuditEvent(at: access.clock.wall(), event: event, who: who) { $0.requestID = context.id })
        await access.audit.flush()
    }
}
