import Access
import Chronology
import DurableFiles
import IMAP
public import Logging
import OAuth
import Processes
import Profiles
public import Settings
public import Store
import YAMLSource

/// The threads of the mailboxes that are being read.
public protocol MailboxThreads: Sendable {
    /// Starts to read a mailbox, unless one of this name is being read.
    func start(_ mailbox: MailboxSettings) throws
    /// Requests the end of a mailbox.
    ///
    /// - Returns: true once its thread has ended.
    func stop(_ mailbox: String) -> Bool
}

/// Takes mailboxes of the page into use: tests them, writes accepted ones to the mail reader's own files and starts to
/// read them, without a restart. Call it from one thread.
///
/// The page seals a secret with the public key in the ledger; the private key is in a file that only the mail reader
/// may open. A setup stays accepted in the ledger until its files are written, so a crash in between loses nothing.
public final class MailboxAdoption: Sendable {
    let place: AddedMailboxes
    let settings: Settings
    let store: Store
    let profiles: ProfilesInForce
    let logger: Logger
    let key: UnsealingKey
    /// Ends a test.
    let wake = Wake()
    private let fault = PollFault()

    /// Reads the private key, or makes one, and publishes its other half.
    ///
    /// - Throws: ``SecretError``, or the fault of the ledger.
    public init(
        _ place: AddedMailboxes, settings: Settings, store: Store, profiles: ProfilesInForce, logger: Logger
    ) throws {
        (self.place, self.settings, self.store) = (place, settings, store)
        (self.profiles, self.logger) = (profiles, logger)
        SecretMemory.protect()
        try place.makeFolders()
        if let key = try place.hasKey ? UnsealingKey(place.key.read()) : nil {
            self.key = key
        } else {
            key = UnsealingKey()
            try place.key.write([key.text])
        }
        try store.mailboxSetups.setSealingKey(key.sealingKey.text, at: .now)
    }

    /// Ends every wait.
    public func stop() { wake.stop() }

    /// Does what the page asked for.
    public func pass(_ threads: any MailboxThreads) {
        let result = Result {
            let now = UnixTime.now
            guard try store.mailboxSetups.hasWork(at: now) else { return }
            try store.mailboxSetups.expire(at: now)
            for mailbox in try store.mailboxSetups.added() where mailbox.removalRequested != nil {
                try remove(mailbox.name, threads)
            }
            for setup in try store.mailboxSetups.all() where !wake.isStopped {
                do {
                    switch setup.state {
                    case .accepted: try adopt(setup, threads)
                    case .asked: try test(setup)
                    case .tested, .used, .refused: break
                    }
                } catch let error as SourceError {
                    try store.mailboxSetups.refuse(setup.id, .other, "\(error)")
                }
            }
        }
        guard let reason = fault.new(in: result) else { return }
        logger.error("mailboxes of the page wait", metadata: ["reason": "\(reason)"])
    }

    private func remove(_ name: String, _ threads: any MailboxThreads) throws {
        guard !isConfigured(name) else {
            // Its name is that of a mailbox of the configuration, which is read on.
            try place.remove(name)
            return try finishRemoval(of: name)
        }
        guard threads.stop(name) else { return }
        try place.remove(name)
        try finishRemoval(of: name)
    }

    private func finishRemoval(of name: String) throws {
        try store.mailboxSetups.remove(name)
        logger.notice("mailbox removed on the page", metadata: ["mailbox": "\(name)"])
    }

    private func isConfigured(_ name: String) -> Bool {
        settings.mailboxes.contains { $0.name == name } || settings.maildirs.contains { $0.name == name }
    }

    /// Takes an accepted mailbox into use. A fault of the disk leaves it accepted for the next attempt.
    private func adopt(_ setup: MailboxSetup, _ threads: any MailboxThreads) throws {
        let name = setup.server.name
        guard let secret = secret(of: setup), let kept = AddedMailboxes.Secret(secret) else {
            return try refuseSeal(of: setup)
        }
        let present = try place.read(beside: settings).mailboxes.first { $0.name == name }
        if let present {
            // The files were written before a crash. The token may have been replaced since.
            guard present.host == setup.server.host, present.user == setup.server.user,
                AddedMailbox(present).registration == setup.server.registration
            else { return try refuseName(of: setup) }
        } else if isConfigured(name) {
            return try refuseName(of: setup)
        }
        let mailbox = try present ?? write(setup, kept)
        do { try threads.start(mailbox) } catch {
            try place.remove(name)
            return try store.mailboxSetups.refuse(setup.id, .other, "\(error)")
        }
        try store.mailboxSetups.finish(setup.id, AddedMailbox(mailbox))
        logger.notice("mailbox added on the page", metadata: ["mailbox": "\(name)"])
    }

    /// Writes the files of a mailbox.
    private func write(_ setup: MailboxSetup, _ secret: AddedMailboxes.Secret) throws -> MailboxSettings {
        let authority = setup.server.authority
        let draft = draft(setup, caFile: authority.map { _ in AddedMailboxes.authority(of: setup.server.name) })
        try place.add(draft, secret, authority: authority)
        return try place.settings(of: draft)
    }
}

extension MailboxAdoption {
    /// What the page sealed; `nil` unless all of it opens with the present key and for this server.
    private func secret(of setup: MailboxSetup) -> Secret? {
        guard let registration = setup.server.registration else { return password(of: setup).map { .password($0) } }
        guard let grant = grant(of: setup) else { return nil }
        guard let text = setup.clientSecret else {
            return .grant(grant, Client(id: registration.clientID, secret: nil))
        }
        guard let sealed = SealedSecret(text), let bytes = key.open(sealed, for: registration.secretContext),
            let secret = Token(String(decoding: bytes, as: UTF8.self))
        else { return nil }
        return .grant(grant, Client(id: registration.clientID, secret: secret))
    }

    private func password(of setup: MailboxSetup) -> [UInt8]? {
        guard let password = opened(setup), !password.isEmpty,
            !password.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
        else { return nil }
        return password
    }

    func grant(of setup: MailboxSetup) -> AuthorizationGrant? { opened(setup).flatMap { AuthorizationGrant($0) } }

    private func opened(_ setup: MailboxSetup) -> [UInt8]? {
        guard setup.sealedTo == key.sealingKey.text, let sealed = setup.sealed.flatMap({ SealedSecret($0) }) else {
            return nil
        }
        return key.open(sealed, for: setup.server.context)
    }

    /// - Returns: `nil` if it is too long.
    func seal(_ grant: AuthorizationGrant, for setup: MailboxSetup) -> String? {
        key.sealingKey.seal(grant.bytes, for: setup.server.context, in: .grant)?.text
    }

    func refuseSeal(of setup: MailboxSetup) throws {
        try store.mailboxSetups.refuse(
            setup.id, .sealed, "the secret is not sealed for this server with the present key")
    }

    private func refuseName(of setup: MailboxSetup) throws {
        try store.mailboxSetups.refuse(setup.id, .name, "a mailbox '\(setup.server.name)' exists")
    }

    private func draft(_ setup: MailboxSetup, caFile: String?) -> MailboxDraft {
        let server = setup.server
        let authentication: MailboxSettings.Authentication =
            setup.verifies
            ? .verify(authservID: setup.authservID)
            : setup.authservID.map { .authservID($0) }
                ?? .verify(authservID: nil)
        let login: MailboxDraft.Login =
            server.registration.map {
                .oauth(OAuthDraft($0, mailbox: server.name, hasSecret: setup.clientSecret != nil, caFile: caFile))
            } ?? .password(file: AddedMailboxes.password(of: server.name))
        return MailboxDraft(
            name: server.name, host: server.host, port: server.port,
            tls: server.tls == .implicit ? .implicit : .starttls, caFile: caFile, user: server.user,
            login: login, folder: setup.folder, authentication: authentication, since: "\(setup.sinceDays)d")
    }

    /// Logs in, opens the folder and reads headers, as `parserctl setup` does.
    private func test(_ setup: MailboxSetup) throws {
        if setup.renews { return try renew(setup) }
        guard let secret = secret(of: setup) else { return try refuseSeal(of: setup) }
        let name = setup.server.name
        let added = try place.read(beside: settings).mailboxes
        guard MailboxDraft.isName(name), !isConfigured(name), !added.contains(where: { $0.name == name }) else {
            return try refuseName(of: setup)
        }
        try answering(setup) { secrets in
            secrets = secret.words
            if let authority = setup.server.authority { try place.write(authority, to: place.testedAuthority) }
            let mailbox = try place.settings(
                of: draft(setup, caFile: setup.server.authority.map { _ in place.testedAuthority }))
            let provider = try ProviderFile.shipped().provider(ofHost: setup.server.host)
            let credential = try credential(secret, of: setup, mailbox)
            secrets += Self.words(of: credential)
            let survey = try MailboxCheck(mailbox, wake: wake).survey(
                credential, profiles: profiles.current, candidates: [provider?.authservID].compactMap(\.self),
                listing: true)
            try store.mailboxSetups.tested(setup.id, MailboxFinding(survey, of: provider))
        }
    }

    /// Does the work of a request and refuses it with the reason, unless the disk or the ledger is at fault.
    ///
    /// - Parameter work: sets the texts that the reason must not repeat.
    func answering(_ setup: MailboxSetup, _ work: (_ secrets: inout [String]) throws -> Void) throws {
        var secrets: [String] = []
        do { try work(&secrets) } catch let error as StoreError {
            throw error
        } catch let error as FileWriteError {
            throw error
        } catch {
            // The next start tests again.
            guard !wake.isStopped else { return }
            try store.mailboxSetups.refuse(setup.id, .init(error), Self.words(of: error, without: secrets))
        }
    }

    /// The error in words. A hostile server may repeat a secret in its answer.
    static func words(of error: any Error, without secrets: [String]) -> String {
        // The remedies of the command line are not those of the page.
        let words = (error as? OAuthError)?.what ?? "\(error)"
        return secrets.contains { words.contains($0) } ? "the server refused the login" : words
    }
}

extension MailboxSetup.Fault {
    init(_ error: any Error) {
        switch error {
        case is MissingFolder: self = .folder
        case let error as OAuthError: self.init(error)
        case let error as IMAPError:
            switch error.kind {
            case .loginDenied: self = .login
            case .certificate: self = .certificate
            case .unresolvedHost, .unreachable, .timedOut, .tls, .startTLSMissing: self = .server
            default: self = .other
            }
        default: self = .other
        }
    }
}

extension MailboxFinding {
    init(_ survey: MailboxSurvey, of provider: EmailProvider?) {
        self.init(
            folder: survey.folder, folders: survey.folders, messages: survey.messages, bankMails: survey.bankMails,
            banks: survey.senders.map {
                Bank(name: $0.bank, mails: $0.count, newest: $0.newest?.day())
            },
            proposals: survey.proposals.map {
                Proposal(authservID: $0.authservID, confirmed: $0.confirmed, of: $0.of)
            }, proposed: survey.proposed(of: provider))
    }
}

extension AddedMailboxes.Secret {
    /// `nil` for a code that was not redeemed.
    fileprivate init?(_ secret: MailboxAdoption.Secret) {
        switch secret {
        case .password(let password): self = .password(password)
        case .grant(.refreshToken(let token), let client):
            self = .oauth(refreshToken: token, clientSecret: client.secret)
        case .grant(.code, _): return nil
        }
    }
}

extension AddedMailbox {
    /// - Parameter problem: why it is not read.
    init(_ mailbox: MailboxSettings, problem: String? = nil) {
        let (id, verifies): (String?, Bool) =
            switch mailbox.authentication {
            case .authservID(let id, _): (id, false)
            case .verify(let id, _): (id, true)
            case .trustDelivery: (nil, false)
            }
        self.init(
            name: mailbox.name, host: mailbox.host, user: mailbox.user, folders: mailbox.folders,
            sinceDays: mailbox.sinceDays, authservID: id, verifies: verifies, problem: problem)
        (port, tls) = (mailbox.port, mailbox.tls == .implicit ? .implicit : .starttls)
        if case .oauth(let oauth) = mailbox.login { registration = oauth.registration }
    }

    /// The trusted source of authentication results.
    public var authentication: MailboxSettings.Authentication {
        verifies ? .verify(authservID: authservID) : authservID.map { .authservID($0) } ?? .trustDelivery
    }
}
