public import Settings

extension Household {
    /// The receivers of a household's settings with their sealed secrets.
    ///
    /// One without its secret stays: each message to it is refused with the command that stores the secret.
    func receivers(_ settings: [SinkSettings], with keys: KeyFile?, _ passwords: PasswordTable) -> [SinkSettings] {
        settings.map { sink in
            let place = SealedPassword.Place(household: name, receiver: sink.name, host: sink.host)
            let sealed = receiverSecrets[sink.name]
            let secret = ProvidedSecret("the secret of receiver '\(sink.name)'", sealed, place, keys, passwords)
            var sink = sink
            switch sink.receiver {
            case .ntfy(var topic):
                // A public topic needs none.
                topic.token = sealed == nil ? nil : .provided(secret)
                sink.receiver = .ntfy(topic)
            case .webhook(var hook):
                hook.secret = .provided(secret)
                sink.receiver = .webhook(hook)
            case .email(var mail):
                if mail.user != nil { mail.password = .provided(secret) }
                sink.receiver = .email(mail)
            case .apns: break
            }
            return sink
        }
    }

    /// The passwords of statements of a household's settings. An entry without its password cannot be read, with the
    /// command that stores it as the reason.
    func statements(
        _ settings: [StatementPassword], with keys: KeyFile?, _ passwords: PasswordTable
    ) -> [StatementPassword] {
        settings.map { entry in
            let place = SealedPassword.Place(household: name, statement: entry.name)
            var entry = entry
            entry.use(
                ProvidedSecret(
                    "the password of statements '\(entry.name)'", statementPasswords[entry.name], place, keys, passwords
                ))
            return entry
        }
    }
}

extension StatementPassword {
    /// Its name within a household: the bank, or the bank and the last digits of the account.
    public var name: String { account.map { "\(bank)-\($0)" } ?? bank }
}

extension ProvidedSecret {
    /// - Parameter sealed: `nil` if none is stored.
    fileprivate init(
        _ description: String, _ sealed: SealedPassword?, _ place: SealedPassword.Place, _ keys: KeyFile?,
        _ passwords: PasswordTable
    ) {
        let source = sealed.map {
            SealedSource(place: place, sealed: $0, keys: keys) { try passwords.password(for: place) }
        }
        self.init(description) { () throws(SecretError) in
            do {
                guard let source else { throw FleetError(missing: place) }
                return try source.open()
            } catch { throw SecretError("\(error)", remedy: nil) }
        }
    }
}
