import ArgumentParser
import Ingest
import InternetMessage
import Settings

/// The options of commands that judge the authenticity of mails in files.
struct AuthenticationOptions: ParsableArguments {
    @Option(
        name: .customLong("authserv-id"),
        help: ArgumentHelp(
            "Trust the Authentication-Results of this name (Gmail: mx.google.com). Default: the authserv_id of the configuration.",
            valueName: "id"))
    var authservID: String?
    @Flag(name: .customLong("no-authserv-id"), help: "Do not use the authserv_id of the configuration.")
    var ignoresConfiguration = false

    func validate() throws {
        if authservID == "" { throw ValidationError("--authserv-id needs a name, such as mx.google.com") }
        if authservID != nil, ignoresConfiguration {
            throw ValidationError("--authserv-id and --no-authserv-id exclude each other")
        }
    }

    /// The policy of the options alone; `nil` if they give none.
    var policy: AuthenticationPolicy? {
        authservID.map { .pinned(authservID: $0) } ?? (ignoresConfiguration ? .unverified : nil)
    }

    /// The policies for mails of files, from the options or the configuration that gives the profiles.
    func policies(of locations: Locations) throws -> FilePolicies {
        if let policy { return FilePolicies(authservIDs: [], otherwise: policy) }
        return FilePolicies(try locations.settingsOfProfiles())
    }
}

/// The policies by which the authenticity of mails in files is judged.
struct FilePolicies {
    /// The names of the configured mail providers, each once.
    let authservIDs: [String]
    let otherwise: AuthenticationPolicy

    init(authservIDs: [String], otherwise: AuthenticationPolicy) {
        self.authservIDs = authservIDs
        self.otherwise = otherwise
    }

    init(_ settings: Settings?) {
        let all = (settings?.mailboxes.map(\.authentication) ?? []) + (settings?.maildirs.map(\.authentication) ?? [])
        var names: [String] = []
        for authentication in all {
            guard let name = authentication.authservID,
                !names.contains(where: { $0.lowercased() == name.lowercased() })
            else { continue }
            names.append(name)
        }
        let verifies = all.contains { if case .verify(nil) = $0 { true } else { false } }
        self.init(
            authservIDs: names,
            otherwise: all.isEmpty ? .unverified : verifies ? .verified(authservID: nil) : .trustDelivery)
    }

    /// The policy of the mailbox that a mail probably came from: of several providers the one that its topmost
    /// Authentication-Results names.
    func policy(for mail: [UInt8]) -> AuthenticationPolicy {
        guard let first = authservIDs.first else { return otherwise }
        guard authservIDs.count > 1, let named = Message(parsing: mail).authservID else {
            return .pinned(authservID: first)
        }
        return .pinned(authservID: authservIDs.first { $0.lowercased() == named } ?? first)
    }
}

extension MailboxSettings.Authentication {
    /// The name of the provider's results, if they count.
    fileprivate var authservID: String? {
        switch self {
        case .authservID(let name): name
        case .verify(let name): name
        case .trustDelivery: nil
        }
    }
}
