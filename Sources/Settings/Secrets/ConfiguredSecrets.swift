/// The secrets that a configuration names. Only the mail reader reads them.
extension Settings {
    /// The files of passwords, keys and tokens.
    public var secretFiles: [SecretFile] { sources.files }

    /// Files that the mail reader also replaces: refresh tokens.
    public var refreshTokenFiles: [SecretFile] { refreshTokens.flatMap { [$0.configured, $0.spare] } }

    /// A shell command of the user prints a secret. It may need any file.
    public var runsCommands: Bool { sources.hasCommand }

    private var refreshTokens: [RefreshTokenFile] {
        mailboxes.compactMap { if case .oauth(let oauth) = $0.login { oauth.refreshToken } else { nil } }
    }

    private var sources: (files: [SecretFile], hasCommand: Bool) {
        var all: [SecretSource] = statements.map(\.secret)
        for mailbox in mailboxes {
            switch mailbox.login {
            case .password(let source): all.append(source)
            case .oauth(let oauth): all += [oauth.clientSecret].compactMap(\.self).map(SecretSource.file)
            }
        }
        for sink in notifications {
            switch sink.receiver {
            case .apns(let phone): all.append(.file(phone.key))
            case .ntfy(let topic): all += [topic.token].compactMap(\.self)
            case .webhook(let hook): all.append(hook.secret)
            case .email(let mail): all += [mail.password].compactMap(\.self)
            }
        }
        var files: [SecretFile] = []
        for case .file(let file) in all { files.append(file) }
        let hasCommand = all.contains { if case .command = $0 { true } else { false } }
        return (files, hasCommand)
    }
}
