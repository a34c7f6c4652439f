import Settings

extension Household {
    /// The receivers of a household's settings with their sealed secrets.
    ///
    /// One without its secret stays: each message to it is refused with the command that stores the secret.
    func receivers(_ settings: [SinkSettings], with keys: KeyFile?, _ passwords: PasswordTable) -> [SinkSettings] {
        settings.map { sink in
            let place = SealedPassword.Place(household: name, receiver: sink.name, host: sink.host)
            let source = receiverSecrets[sink.name].map {
                SealedSource(place: place, sealed: $0, keys: keys) { try passwords.password(for: place) }
            }
            let secret = ProvidedSecret("the secret of receiver '\(sink.name)'") { () throws(SecretError) in
                do {
                    guard let source else { throw FleetError(missing: place) }
                    return try source.open()
                } catch { throw SecretError("\(error)", remedy: nil) }
            }
            var sink = sink
            switch sink.receiver {
            case .ntfy(var topic):
                // A public topic needs none.
                topic.token = source == nil ? nil : .provided(secret)
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
}
