public import YAMLSource

/// An e-mail provider and what a login to its IMAP server needs.
public struct EmailProvider: Sendable, Hashable {
    /// The user name that the server expects.
    public enum UserName: String, Sendable, CaseIterable {
        case address
        case localPart = "local_part"
    }

    public let key: String
    /// The name shown to a person.
    public let name: String
    /// Domains of its addresses, lower case.
    public let domains: [String]
    public let host: String
    public let port: Int
    public let tls: MailboxSettings.TLS
    public let userName: UserName
    /// The authserv-id of its Authentication-Results; `nil` if it is not known.
    public let authservID: String?
    /// The kind of password that the server accepts: a key of `passwords` in the file.
    public let passwordKind: String
    /// A sentence about it.
    public let passwordSentence: String
    /// False if it accepts OAuth only.
    public let acceptsPasswords: Bool
    /// Page on which the password is made or set, or the OAuth client registered.
    public let passwordPage: String?
    /// The value of `oauth: provider:`; `nil` if it offers no OAuth that is known here.
    public let oauth: String?
    /// A sentence about what has to be done first.
    public let note: String?

    /// Returns the user name for an address.
    public func user(ofAddress address: String) -> String {
        guard userName == .localPart, let at = address.lastIndex(of: "@") else { return address }
        return String(address[..<at])
    }
}

/// The known e-mail providers (`config/providers.yaml`, which is built into the program).
public struct ProviderFile: Sendable {
    public let providers: [EmailProvider]

    /// The providers that are built into the program.
    public static func shipped() throws(SourceError) -> ProviderFile {
        try ProviderFile(YAMLFile(path: "config/providers.yaml", bytes: PackageResources.providers_yaml))
    }

    public init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: ["passwords", "providers"])
        let sentences = try map.require("passwords").mapping()
        let entries = try map.require("providers").mapping()
        var providers: [EmailProvider] = []
        var owners: [String: Int] = [:]
        for key in entries.keys {
            let provider = try EmailProvider(key.name, try entries.require(key.name), sentences)
            for domain in provider.domains {
                if let line = owners.updateValue(key.place.line, forKey: domain) {
                    throw key.place.error(
                        "the domain '\(domain)' is of the provider in line \(line) already", remedy: "Keep one of them."
                    )
                }
            }
            providers.append(provider)
        }
        self.providers = providers
    }

    /// The provider of an address, by its domain.
    public func provider(ofAddress address: String) -> EmailProvider? {
        guard let at = address.lastIndex(of: "@") else { return nil }
        let domain = address[address.index(after: at)...].lowercased()
        return providers.first { $0.domains.contains(domain) }
    }

    /// The provider of a server.
    public func provider(ofHost host: String) -> EmailProvider? { providers.first { $0.host == host.lowercased() } }
}

extension EmailProvider {
    private static let keys = [
        "name", "domains", "host", "port", "tls", "user", "authserv_id", "password", "password_page", "oauth", "note",
    ]

    fileprivate init(_ key: String, _ node: YAMLNode, _ sentences: YAMLMapping) throws(SourceError) {
        let map = try node.mapping(allowing: Self.keys)
        self.key = key
        name = try map.require("name").string()
        domains = try map.require("domains").strings()
        host = try map.require("host").string()
        guard domains.allSatisfy({ $0 == $0.lowercased() }), host == host.lowercased() else {
            throw node.error("domains and host are written in lower case")
        }
        port = try map["port"].map { node throws(SourceError) in try Self.port(node) } ?? 993
        tls = try map["tls"].map { node throws(SourceError) in try node.choice() } ?? .implicit
        userName = try map["user"].map { node throws(SourceError) in try node.choice() } ?? .address
        authservID = try map["authserv_id"]?.string()
        let kind = try map.require("password")
        passwordKind = try kind.string()
        guard let sentence = sentences[passwordKind] else {
            throw kind.error("unknown kind '\(passwordKind)'", remedy: "Use a key of 'passwords'.")
        }
        passwordSentence = try sentence.string().replacing("{name}", with: name)
        acceptsPasswords = passwordKind != "none"
        passwordPage = try map["password_page"]?.string()
        oauth = try map["oauth"]?.string()
        note = try map["note"]?.string()
        guard acceptsPasswords || oauth != nil else { throw node.error("neither a password nor oauth is accepted") }
    }

    private static func port(_ node: YAMLNode) throws(SourceError) -> Int {
        guard let value = Int(try node.string()), (1...65535).contains(value) else {
            throw node.error("a port from 1 to 65535 is expected here")
        }
        return value
    }
}
