import ArgumentParser
import Console
import Ingest
import Settings

/// The questions of `parserctl setup`, in their order, and the login between them. Files are written at the end; those
/// of OAuth before the login, which needs them.
struct SetupDialogue {
    let options: SetupOptions
    let providers: ProviderFile
    let place: SetupPlace
    let prompt: any SetupPrompt

    /// Largest number of logins with another password, so that the provider does not lock the account.
    static let maximumLogins = 3

    func run() throws -> SetupResult {
        try place.checkWritable()
        let address = try self.address()
        var (mailbox, provider) = try mailbox(address)
        try askConsents(mailbox)
        explain(mailbox, provider)
        let survey: MailboxSurvey
        var secret: [UInt8]?
        switch mailbox.login {
        case .password: (survey, secret) = try surveyWithPassword(&mailbox, provider)
        case .oauth: survey = try surveyWithConsent(&mailbox, provider)
        }
        prompt.show(SetupResult.text(of: survey, since: options.since))
        mailbox.authentication = try authentication(survey, provider)
        let (file, _) = try place.draft.adding(mailbox)
        var written: [String] = []
        if let secret, case .password(let name) = mailbox.login {
            let path = place.credentials + "/" + name
            if options.passwordFile.map(SetupPlace.absolute) != path { try place.write(secret: secret, to: path) }
            written.append(path)
        }
        try place.write(file)
        return SetupResult(
            mailbox: mailbox, provider: provider?.name, survey: survey, place: place,
            written: written + [place.configuration])
    }

    private func address() throws -> String {
        let address = try options.address ?? prompt.text(.init(text: "E-mail address", option: "--address"))
        guard MailboxDraft.isAddress(address) else {
            throw Refused("'\(address)' is not an e-mail address", kind: .invalid)
        }
        return address
    }

    private func mailbox(_ address: String) throws -> (MailboxDraft, EmailProvider?) {
        let host =
            try options.host ?? providers.provider(ofAddress: address)?.host
            ?? prompt.text(.init(text: "IMAP server", option: "--host"))
        let server = ServerProposal(
            address: address, host: host, port: options.port, tls: options.tls.flatMap(MailboxSettings.TLS.init),
            user: options.user, among: providers)
        let name = try name(address)
        return (
            MailboxDraft(
                name: name, host: host, port: server.port, tls: server.tls,
                caFile: options.caFile.map(SetupPlace.absolute), user: server.user,
                login: try login(name, server.provider), folder: options.folder ?? "INBOX",
                authentication: .trustDelivery, since: options.since), server.provider
        )
    }

    private func name(_ address: String) throws -> String {
        if let name = options.name {
            guard !place.mailboxes.contains(name) else {
                throw Refused(
                    "\(place.configuration) has a mailbox '\(name)' already\nA new password goes into its password_file; "
                        + "another mailbox needs another --name.")
            }
            return name
        }
        let free = ["personal", MailboxDraft.name(ofAddress: address)].compactMap(\.self).first {
            !place.mailboxes.contains($0)
        }
        return try free ?? prompt.text(.init(text: "Name of the mailbox", option: "--name"))
    }

    private func login(_ name: String, _ provider: EmailProvider?) throws -> MailboxDraft.Login {
        let asksOAuth = options.oauthClientID != nil || options.oauthTokenEndpoint != nil
        guard asksOAuth || provider?.acceptsPasswords == false else {
            return .password(file: place.secret(name).name)
        }
        if options.json { throw Refused("OAuth needs a person with a browser; leave out --json") }
        if options.passwordFile != nil, let provider { throw Refused(provider.passwordSentence + Self.page(provider)) }
        let server = try authorizationServer(provider)
        if options.oauthClientID == nil, let provider { prompt.show(provider.passwordSentence + Self.page(provider)) }
        let client =
            try options.oauthClientID
            ?? prompt.text(.init(text: "Identifier of your OAuth client", option: "--oauth-client-id"))
        return .oauth(
            OAuthDraft(
                server: server, clientID: client,
                clientSecretFile: options.oauthClientSecretFile.map { _ in place.secret(name + "-client-secret").name },
                refreshTokenFile: place.refreshToken(name)))
    }

    private func authorizationServer(_ provider: EmailProvider?) throws -> OAuthDraft.Server {
        if let authorization = options.oauthAuthorizationEndpoint, let token = options.oauthTokenEndpoint {
            return .endpoints(
                authorization: authorization, token: token, scope: options.oauthScope,
                caFile: options.caFile.map(SetupPlace.absolute))
        }
        guard let name = provider?.oauth else {
            throw Refused(
                "OAuth of this provider is not known\n"
                    + "Give --oauth-authorization-endpoint, --oauth-token-endpoint and --oauth-scope.")
        }
        return .known(name)
    }

    /// Asks before anything that exists is changed.
    private func askConsents(_ mailbox: MailboxDraft) throws {
        var questions: [String] = []
        if place.isEdited {
            questions.append(
                place.draft.replacing != nil
                    ? "\(place.configuration) exists. Put the mailbox '\(mailbox.name)' in the place of its example?"
                    : "\(place.configuration) has \(place.mailboxes.isEmpty ? "no mailbox" : "the mailboxes " + place.mailboxes.joined(separator: ", ")). Add '\(mailbox.name)'?"
            )
        }
        if case .password(let name) = mailbox.login, place.hasSecret(name),
            options.passwordFile.map(SetupPlace.absolute) != place.credentials + "/" + name
        {
            questions.append("\(place.credentials)/\(name) exists. Replace the password in it?")
        }
        for question in questions where try !prompt.agrees(question) { throw Refused("nothing was changed") }
    }

    private func explain(_ mailbox: MailboxDraft, _ provider: EmailProvider?) {
        prompt.show(
            "\(provider?.name ?? "Server"): \(mailbox.host), port \(mailbox.port), \(mailbox.tls.rawValue) TLS, user \(mailbox.user)"
        )
        if let note = provider?.note { prompt.show(note) }
    }

    static func page(_ provider: EmailProvider) -> String {
        provider.passwordPage.map { "\n\($0)" } ?? ""
    }

    private func authentication(
        _ survey: MailboxSurvey, _ provider: EmailProvider?
    ) throws -> MailboxSettings.Authentication {
        if options.trustDelivery { return .trustDelivery }
        if let id = try options.authservID.map(Self.checked) {
            return options.verify ? .verify(authservID: id) : .authservID(id)
        }
        if options.verify { return .verify(authservID: nil) }
        let usual = survey.proposed(of: provider) ?? "verify"
        if let best = survey.proposals.first {
            prompt.show(
                "Authentication-Results of '\(best.authservID)' confirm the sender of \(best.confirmed) of \(best.of) mails."
            )
        } else {
            prompt.show(
                "No mail has Authentication-Results that confirm its sender. Answer 'verify' to have DKIM signatures verified here."
            )
        }
        let answer = try prompt.text(
            .init(
                text: "authserv-id, verify, or trust-delivery if your own server refuses forged mail",
                option: "--authserv-id", usual: usual))
        // A plain yes to the proposal.
        switch ["y", "yes"].contains(answer.lowercased()) ? usual : answer {
        case "trust-delivery": return .trustDelivery
        case "verify": return .verify(authservID: nil)
        case let name: return .authservID(try Self.checked(name))
        }
    }

    /// A name as in mails, or `*.` and a domain.
    private static func checked(_ authservID: String) throws -> String {
        guard MailboxDraft.isAuthservID(authservID) else {
            throw Refused(
                "'\(authservID)' is not an authserv-id\nIt is the first word of Authentication-Results.", kind: .invalid
            )
        }
        return authservID
    }
}
