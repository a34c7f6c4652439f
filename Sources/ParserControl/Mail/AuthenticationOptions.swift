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
    @Option(
        name: .customLong("arc-forwarder"), parsing: .singleValue,
        help: ArgumentHelp(
            "With --authserv-id: trust the ARC seals of this domain as well, as arc_forwarders does. May be repeated.",
            valueName: "domain"))
    var arcForwarders: [String] = []
    @Flag(name: .customLong("no-authserv-id"), help: "Do not use the authserv_id of the configuration.")
    var ignoresConfiguration = false

    func validate() throws {
        if authservID == "" { throw ValidationError("--authserv-id needs a name, such as mx.google.com") }
        if authservID != nil, ignoresConfiguration {
            throw ValidationError("--authserv-id and --no-authserv-id exclude each other")
        }
        if authservID == nil, !arcForwarders.isEmpty { throw ValidationError("--arc-forwarder needs --authserv-id") }
        for name in arcForwarders where !MailboxSettings.Authentication.isForwarder(name) {
            throw ValidationError("'\(name)' is not a domain: --arc-forwarder needs one, such as lists.example.org")
        }
    }

    /// The policy of the options alone; `nil` if they give none.
    var policy: AuthenticationPolicy? {
        authservID.map { .pinned(authservID: $0, forwarders: arcForwarders.map { $0.lowercased() }) }
            ?? (ignoresConfiguration ? .unverified : nil)
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
    /// The forwarders of the mailboxes of each name in lower case.
    private let forwarders: [String: [String]]
    let otherwise: AuthenticationPolicy

    init(authservIDs: [String], forwarders: [String: [String]] = [:], otherwise: AuthenticationPolicy) {
        self.authservIDs = authservIDs
        self.forwarders = forwarders
        self.otherwise = otherwise
    }

    init(_ settings: Settings?) {
        let all = (settings?.mailboxes.map(\.authentication) ?? []) + (settings?.maildirs.map(\.authentication) ?? [])
        var names: [String] = []
        var forwarders: [String: [String]] = [:]
        for authentication in all {
            guard let name = authentication.authservID else { continue }
            forwarders[name.lowercased(), default: []] += authentication.forwarders
            if !names.contains(where: { $0.lowercased() == name.lowercased() }) { names.append(name) }
        }
        let verifying = all.filter { if case .verify(nil, _) = $0 { true } else { false } }
        self.init(
            authservIDs: names, forwarders: forwarders,
            otherwise: all.isEmpty
                ? .unverified
                : verifying.isEmpty
                    ? .trustDelivery : .verified(authservID: nil, forwarders: verifying.flatMap(\.forwarders)))
    }

    /// The policy of the mailbox that a mail probably came from: of several providers the one that its topmost
    /// Authentication-Results names.
    func policy(for mail: [UInt8]) -> AuthenticationPolicy {
        guard let first = authservIDs.first else { return otherwise }
        guard authservIDs.count > 1, let named = Message(parsing: mail).authservID else {
            return policy(of: first)
        }
        return policy(of: authservIDs.first { $0.lowercased() == named } ?? first)
    }

    /// The policy of the mailboxes whose provider has this name.
    func policy(of authservID: String) -> AuthenticationPolicy {
        .pinned(authservID: authservID, forwarders: forwarders[authservID.lowercased()] ?? [])
    }
}

extension MailboxSettings.Authentication {
    /// The name of the provider's results, if they count.
    fileprivate var authservID: String? {
        switch self {
        case .authservID(let name, _): name
        case .verify(let name, _): name
        case .trustDelivery: nil
        }
    }
}
