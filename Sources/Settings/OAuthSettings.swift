public import OAuth
import YAMLSource

/// The `oauth:` of a mailbox, used instead of a password.
public struct OAuthSettings: Sendable {
    public var server: AuthorizationServer
    public var clientID: String
    /// `nil` for a public client.
    public var clientSecret: SecretFile?
    public var refreshToken: RefreshTokenFile
    /// Loopback port of the redirect; `nil` for any free port.
    public var redirectPort: Int?
    /// Login name offered on the login page, such as the mail address.
    public var loginHint: String?
    /// PEM file of a private certification authority for the token endpoint, used instead of the system's.
    public var caFile: String?

    private static let keys = [
        "provider", "authorization_endpoint", "token_endpoint", "client_id", "client_secret_file", "refresh_token_file",
        "scope", "redirect_port", "ca_file",
    ]

    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - state: the folder for the daemon's own files.
    init(_ node: YAMLNode, mailbox: String, folder: String, state: String) throws(SourceError) {
        let map = try node.mapping(allowing: Self.keys)
        if let provider = map["provider"] {
            guard let known = AuthorizationServer.known[try provider.string()] else {
                throw provider.error(
                    "unknown provider '\(try provider.string())'",
                    remedy:
                        "Known here: gmail, outlook. For another leave it out and give authorization_endpoint and token_endpoint."
                )
            }
            server = known
        } else {
            server = AuthorizationServer(
                authorizationEndpoint: try Self.url(map.require("authorization_endpoint")),
                tokenEndpoint: try Self.url(map.require("token_endpoint")))
        }
        if let node = map["authorization_endpoint"] { server.authorizationEndpoint = try Self.url(node) }
        if let node = map["token_endpoint"] { server.tokenEndpoint = try Self.url(node) }
        if let node = map["scope"] { server.scope = try node.string() }
        clientID = try map.require("client_id").string()
        guard Self.isClientID(clientID) else {
            throw try map.require("client_id").error(
                "a client's identifier is expected here",
                remedy: "The provider shows it where the client is registered.")
        }
        clientSecret = try map["client_secret_file"].map { node throws(SourceError) in
            SecretFile(.clientSecret, name: try Self.name(node), folder: folder)
        }
        refreshToken = RefreshTokenFile(
            configured: SecretFile(
                .refreshToken, name: try Self.name(map.require("refresh_token_file")), folder: folder),
            spare: state + "/" + RefreshTokenFile.spare(of: mailbox))
        if let node = map["redirect_port"] {
            guard let value = Int(try node.string()), (1...65535).contains(value) else {
                throw node.error("a port from 1 to 65535 is expected here")
            }
            redirectPort = value
        }
        caFile = try map["ca_file"].map { node throws(SourceError) in try Settings.path(node, in: folder) }
    }

    public var registration: ClientRegistration { ClientRegistration(server: server, clientID: clientID) }

    /// The client, with a fresh copy of its secret.
    public func client() throws(SecretError) -> Client {
        guard let clientSecret else { return Client(id: clientID, secret: nil) }
        guard let secret = Token(String(decoding: try clientSecret.read(), as: UTF8.self)) else {
            throw SecretError(
                "\(clientSecret.description) holds more than letters, digits and signs",
                remedy: "Write the client secret, and nothing else, as its first line.")
        }
        return Client(id: clientID, secret: secret)
    }

    /// True for a client's identifier: visible ASCII and blanks (RFC 6749 appendix A.1).
    public static func isClientID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// True for an https address without a fragment (RFC 6749 section 3.1) and without a user.
    public static func isEndpoint(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.count > 8 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !text.contains("#") && !text.contains("@")
    }

    private static func name(_ node: YAMLNode) throws(SourceError) -> String {
        let text = try node.string()
        guard !text.isEmpty else { throw node.error("a file is expected here") }
        return text
    }

    private static func url(_ node: YAMLNode) throws(SourceError) -> String {
        let text = try node.string()
        guard isEndpoint(text) else {
            throw node.error(
                "'\(text)' is not an https address",
                remedy: "Tokens are never sent without TLS: write it as https://auth.example.com/token.")
        }
        return text
    }
}
