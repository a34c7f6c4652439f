import DurableFiles
import Glibc
public import Settings
public import YAMLSource

/// The configuration file of a worker, of a replica, and of the commands of a fleet. It holds paths of secrets, never
/// secrets. What only one of them needs may be missing: the value is then the error to report.
public struct FleetConfiguration: Sendable {
    /// Connection string or URI of libpq. A password belongs into a file of mode 0600 that it names as `passfile`.
    public let postgresql: String
    /// Name of this worker, for people; that of the machine if the file gives none.
    public let name: String
    /// Most mailboxes that a worker reads. Fails as well if no key says where it gets passwords.
    public let mailboxes: Result<Int, SourceError>
    /// Folder of the working copies. It needs no backup.
    public let copies: String
    /// Profile folders, as in spendwise.yaml(5).
    public let parsers: [String]
    /// The shipped categories and keywords.
    public let categories: String
    /// Shell command that prints the password of a mailbox without a sealed one. The environment names it in
    /// `SPENDWISE_HOUSEHOLD` and `SPENDWISE_MAILBOX`.
    public let passwordCommand: String?
    /// The private keys that open sealed passwords, for workers.
    public let keyFile: KeyFile?
    /// The key to which passwords are sealed, where they are set.
    public let publicKey: BoxPublicKey?
    /// PEM file of a private certification authority of the mail servers, used instead of the system's.
    public let caFile: String?
    /// Receivers of notifications may be programs on the machine of the worker, which are reached without TLS.
    public let allowsLocalReceivers: Bool
    /// How a replica serves the households.
    public let serving: Result<ServingConfiguration, SourceError>
    /// Where a worker serves its health and metrics.
    public let listen: ListenAddress?

    private static let mostMailboxes = 10_000

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        let status = gethostname(&buffer, buffer.count - 1)
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return status == 0 && !name.isEmpty ? name : "worker"
    }

    /// Reads and checks the file. Relative paths are relative to its folder.
    public init(path: String) throws(SourceError) { try self.init(YAMLFile(path: path)) }

    public init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: [
            "postgresql", "name", "mailboxes", "copies", "parsers", "categories", "password_command", "ca_file",
            "key_file", "public_key", "listen", "serve", "local_receivers",
        ])
        let folder = FilePlace.folder(of: file.path)
        func path(_ node: YAMLNode) throws(SourceError) -> String { try Settings.path(node, in: folder) }
        postgresql = try map.require("postgresql").string()
        name = try map["name"]?.string() ?? Self.hostName
        copies = try path(map.require("copies"))
        parsers = try Settings.paths(map.require("parsers"), in: folder)
        categories = try map["categories"].map(path) ?? InstalledFiles.categories
        passwordCommand = try map["password_command"]?.string()
        keyFile = try map["key_file"].map { node throws(SourceError) in
            KeyFile(name: try node.string(), folder: folder)
        }
        publicKey = try map["public_key"].map { node throws(SourceError) in
            guard let key = BoxPublicKey(try node.string()) else {
                throw node.error(
                    "this is no public key", remedy: "'spendwise-fleet keygen' prints one: 44 letters and digits.")
            }
            return key
        }
        mailboxes = try map.needed("mailboxes") { count throws(SourceError) in
            guard let number = Int(try count.string()), (1...Self.mostMailboxes).contains(number) else {
                throw count.error("a number from 1 to \(Self.mostMailboxes) is expected here")
            }
            return number
        }.flatMap { [keyFile, passwordCommand] number in
            guard keyFile == nil, passwordCommand == nil else { return .success(number) }
            return .failure(
                map.node.error(
                    "neither 'key_file' nor 'password_command' is here: a worker could log in nowhere",
                    remedy:
                        "Add 'key_file: fleet.keys', which 'spendwise-fleet keygen' makes, or 'password_command: …'."
                ))
        }
        caFile = try map["ca_file"].map(path)
        allowsLocalReceivers = try map["local_receivers"]?.flag() ?? false
        listen = try map["listen"].map { node throws(SourceError) in
            try ListenAddress(node, usual: "127.0.0.1:9280")
        }
        serving = try map.needed("serve") { [copies] node throws(SourceError) in
            try ServingConfiguration(node, folder: folder, state: copies)
        }
    }
}

extension YAMLMapping {
    /// The value of a key that not every reader of the file needs. Its absence is a failure; a bad value throws.
    fileprivate func needed<Value>(
        _ key: String, _ read: (YAMLNode) throws(SourceError) -> Value
    ) throws(SourceError) -> Result<Value, SourceError> {
        let node: YAMLNode
        do { node = try require(key) } catch { return .failure(error) }
        return .success(try read(node))
    }
}
