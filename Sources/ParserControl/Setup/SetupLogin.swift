import Console
import CurlTransport
import IMAP
import Ingest
import OAuth
import Processes
import Profiles
import Settings

/// The login of a set-up, which tests the answers and reads headers.
extension SetupDialogue {
    func surveyWithPassword(
        _ mailbox: inout MailboxDraft, _ provider: EmailProvider?
    ) throws -> (MailboxSurvey, [UInt8]) {
        if let provider, options.passwordFile == nil { prompt.show(provider.passwordSentence + Self.page(provider)) }
        var secret = try password()
        var logins = 0
        while true {
            logins += 1
            do {
                return (
                    try survey(mailbox, provider) { try $0.survey(password: secret, profiles: $1, candidates: $2) },
                    secret
                )
            } catch let fault as IMAPError {
                let message = Self.explained(fault, provider)
                guard fault.kind == .loginDenied, prompt.canRepeat, options.passwordFile == nil,
                    logins < Self.maximumLogins
                else { throw Refused(message) }
                prompt.show(message)
                if options.user == nil {
                    mailbox.user = try prompt.text(.init(text: "User", option: "--user", usual: mailbox.user))
                }
                secret = try password()
            } catch let fault as MissingFolder {
                try askFolder(fault, &mailbox)
            }
        }
    }

    /// The client's secret and the token are read from their files at every login, so they are written first.
    func surveyWithConsent(_ mailbox: inout MailboxDraft, _ provider: EmailProvider?) throws -> MailboxSurvey {
        guard case .oauth(let draft) = mailbox.login else { throw Refused("no OAuth") }
        if let secretName = draft.clientSecretFile, let source = options.oauthClientSecretFile {
            let secret = try SecretFile(.clientSecret, name: SetupPlace.absolute(source), folder: "/").read()
            let path = place.credentials + "/" + secretName
            if SetupPlace.absolute(source) != path {
                if place.hasSecret(secretName), try !prompt.agrees("\(path) exists. Replace the secret in it?") {
                    throw Refused("nothing was changed")
                }
                try place.write(secret: secret, to: path)
            }
        }
        try place.makeFolders()
        guard case .oauth(var oauth) = try settings(mailbox).mailbox.login else { throw Refused("no OAuth") }
        oauth.loginHint = mailbox.user
        try oauth.refreshToken.configured.checkWritable()
        if place.hasFile(draft.refreshTokenFile),
            try !prompt.agrees("\(draft.refreshTokenFile) exists. Replace the refresh token in it?")
        {
            throw Refused("nothing was changed")
        }
        try oauth.refreshToken.write(OAuthConsent(pastes: options.paste).token(for: oauth))
        while true {
            do {
                return try survey(mailbox, provider) {
                    try $0.survey(try $0.credential(), profiles: $1, candidates: $2)
                }
            } catch let fault as IMAPError {
                throw Refused(Self.explained(fault, provider))
            } catch let fault as MissingFolder {
                try askFolder(fault, &mailbox)
            }
        }
    }

    private func password() throws -> [UInt8] {
        guard let path = options.passwordFile else {
            SecretMemory.protect()
            let typed = try prompt.secret(.init(text: "Password (not shown)", option: "--password-file"))
            guard !typed.isEmpty else { throw Refused("an empty password; nothing was changed") }
            return Array(typed.utf8)
        }
        guard path == "-" else {
            return try SecretFile(.password, name: SetupPlace.absolute(path), folder: "/").read()
        }
        SecretMemory.protect()
        guard let line = readLine(), !line.isEmpty else { throw Refused("standard input has no password") }
        return Array(line.utf8)
    }

    private func askFolder(_ fault: MissingFolder, _ mailbox: inout MailboxDraft) throws {
        guard prompt.canRepeat, !options.yes else { throw Refused("\(fault)\nName one of them with --folder.") }
        prompt.show(fault.description)
        mailbox.folder = try prompt.text(.init(text: "Folder", option: "--folder", usual: "INBOX"))
    }

    private func survey(
        _ mailbox: MailboxDraft, _ provider: EmailProvider?,
        _ body: (MailboxCheck, ProfileSet, [String]) throws -> MailboxSurvey
    ) throws -> MailboxSurvey {
        let (settings, entry) = try settings(mailbox)
        let candidates = [options.authservID, provider?.authservID].compactMap(\.self)
        return try body(MailboxCheck(entry), try ProfileSet(onDemand: settings), candidates)
    }

    private func settings(_ mailbox: MailboxDraft) throws -> (all: Settings, mailbox: MailboxSettings) {
        let settings = try place.draft.adding(mailbox).settings
        guard let entry = settings.mailboxes.first(where: { $0.name == mailbox.name }) else {
            throw Refused("the mailbox '\(mailbox.name)' is not in the configuration")
        }
        return (settings, entry)
    }

    /// Adds what a person can do about a fault at this provider.
    static func explained(_ fault: IMAPError, _ provider: EmailProvider?) -> String {
        switch fault.kind {
        case .loginDenied: "\(fault)" + (provider.map { "\n" + $0.passwordSentence + page($0) } ?? "")
        case .certificate: "\(fault)\nA private authority is named with --ca-file."
        case .unresolvedHost, .unreachable, .timedOut, .tls, .startTLSMissing:
            "\(fault)\nThe server is named with --host, --port and --tls; 'parserctl setup --providers' lists those that are known."
        default: "\(fault)"
        }
    }
}
