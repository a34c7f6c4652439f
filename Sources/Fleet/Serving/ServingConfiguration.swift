import DurableFiles
public import Settings
import YAMLSource

/// `serve:` of a fleet's configuration: how a replica serves households.
public struct ServingConfiguration: Sendable {
    /// A household is served under `NAME.domain`.
    public let domain: String
    /// Most households whose copies are open at a time.
    public let households: Int
    /// Address, certificate and limits, as for one household.
    public let web: WebSettings

    private static let mostHouseholds = 10_000
    private static let usualHouseholds = 200
    /// Keys of `web:` that the domain decides, or that a fleet does not have.
    private static let refused = ["names", "authentication", "add_mailboxes"]

    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - state: the folder of a self-signed certificate.
    init(_ node: YAMLNode, folder: String, state: String) throws(SourceError) {
        let map = try node.mapping(allowing: ["domain", "households", "web"])
        let name = try map.require("domain")
        domain = try name.string().lowercased()
        guard HostedName.isDomain(domain) else {
            throw name.error("'\(domain)' is not a domain", remedy: "Write a name such as books.example.")
        }
        households =
            try map["households"].map { count throws(SourceError) in
                guard let number = Int(try count.string()), (1...Self.mostHouseholds).contains(number) else {
                    throw count.error("a number from 1 to \(Self.mostHouseholds) is expected here")
                }
                return number
            } ?? Self.usualHouseholds
        let web = try map.require("web")
        let keys = try web.mapping()
        for key in Self.refused {
            guard let node = keys[key] else { continue }
            throw node.error("'\(key)' is not allowed in a fleet", remedy: "Remove it: 'domain' names the hosts.")
        }
        self.web = try WebSettings(web, names: [domain, "*.\(domain)"], folder: folder, state: state)
    }
}
