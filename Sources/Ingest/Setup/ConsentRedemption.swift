import CurlTransport
import IMAP
import Logging
import OAuth
import Settings
import Store
import YAMLSource

extension MailboxAdoption {
    /// What a setup was sealed with, opened.
    enum Secret {
        case password([UInt8])
        case grant(AuthorizationGrant, Client)

        /// Texts that no message may repeat.
        var words: [String] {
            switch self {
            case .password(let password): [String(decoding: password, as: UTF8.self)]
            case .grant(let grant, let client):
                (grant.secrets + [client.secret].compactMap(\.self)).map(\.value)
            }
        }
    }

    /// The credential of a test, for which a code is redeemed.
    func credential(
        _ secret: Secret, of setup: MailboxSetup, _ mailbox: MailboxSettings
    ) throws -> Credential {
        switch secret {
        case .password(let password):
            return Credential(user: mailbox.user, secret: .password(password), mechanism: mailbox.mechanism)
        case .grant(let grant, let client):
            guard case .oauth(let oauth) = mailbox.login else {
                throw SourceError(file: place.path, message: "the entry of '\(mailbox.name)' has no oauth")
            }
            let tokens = try redeem(grant, client, by: oauth, of: setup)
            return Credential(user: mailbox.user, secret: .bearer(tokens.access.value))
        }
    }

    /// The access token, which no message may repeat.
    static func words(of credential: Credential) -> [String] {
        if case .bearer(let token) = credential.secret { [token] } else { [] }
    }

    /// Redeems a code, or refreshes the token that an earlier test was given. A new refresh token replaces the code in
    /// the ledger, sealed as the code was, before anything else can fail: the code is worth nothing any more.
    ///
    /// - Throws: ``OAuthError``, or the fault of the ledger.
    func redeem(
        _ grant: AuthorizationGrant, _ client: Client, by oauth: OAuthSettings, of setup: MailboxSetup
    ) throws -> (access: Token, refresh: Token) {
        let answer = try oauth.answer(
            to: TokenRequest(redeeming: grant, server: oauth.server, client: client), wake: wake)
        let refresh: Token
        switch (answer.refreshToken, grant) {
        case (let token?, _): refresh = token
        case (nil, .refreshToken(let token)): refresh = token
        case (nil, .code): throw OAuthError(.noRefreshToken, server: oauth.server.name)
        }
        guard let sealed = seal(.refreshToken(refresh), for: setup) else {
            throw OAuthError(.malformedAnswer, server: oauth.server.name, detail: "a refresh token of more than 8 kB")
        }
        try store.mailboxSetups.setSealed(setup.id, sealed)
        return (answer.accessToken, refresh)
    }

    /// Takes a new consent into use for a mailbox that was added before. Its own file decides where the code goes, not
    /// the request; a consent that cannot log in replaces nothing.
    func renew(_ setup: MailboxSetup) throws {
        let name = setup.server.name
        let present = try place.read(beside: settings).mailboxes.first { $0.name == name }
        guard let present, case .oauth(let oauth) = present.login, AddedMailbox(present).server == setup.server else {
            return try store.mailboxSetups.refuse(setup.id, .gone, "no mailbox '\(name)' of the page has this login")
        }
        guard let grant = grant(of: setup) else { return try refuseSeal(of: setup) }
        try answering(setup) { secrets in
            let client = try oauth.client()
            secrets = Secret.grant(grant, client).words
            let tokens = try redeem(grant, client, by: oauth, of: setup)
            secrets += [tokens.access.value, tokens.refresh.value]
            _ = try MailboxCheck(present, wake: wake).folders(
                Credential(user: present.user, secret: .bearer(tokens.access.value)))
            try oauth.refreshToken.write(tokens.refresh)
            try store.mailboxSetups.finishRenewal(setup.id)
            logger.notice("consent renewed on the page", metadata: ["mailbox": "\(name)"])
        }
    }
}

extension OAuthDraft {
    /// - Parameter caFile: of the authority of endpoints that are not known by a name.
    init(_ registration: ClientRegistration, mailbox: String, hasSecret: Bool, caFile: String?) {
        let server = registration.server
        self.init(
            server: registration.provider.map { .known($0) }
                ?? .endpoints(
                    authorization: server.authorizationEndpoint, token: server.tokenEndpoint, scope: server.scope,
                    caFile: caFile),
            clientID: registration.clientID,
            clientSecretFile: hasSecret ? AddedMailboxes.clientSecret(of: mailbox) : nil,
            refreshTokenFile: AddedMailboxes.refreshToken(of: mailbox))
    }
}

extension MailboxSetup.Fault {
    init(_ error: OAuthError) {
        self =
            switch error.kind {
            case .codeRefused, .consentNeeded: .consent
            case .clientRefused: .client
            case .scopeRefused: .scope
            case .redirectRefused: .redirect
            case .noRefreshToken: .refreshToken
            case .unavailable, .unreachable, .malformedAnswer: .tokenServer
            case .refused, .denied, .authorizationRefused, .wrongState, .malformedRedirect: .other
            }
    }
}
