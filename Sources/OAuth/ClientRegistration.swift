public import Codecs

/// The registration of this program at an authorization server, without its secret: what a request for consent needs.
public struct ClientRegistration: Hashable, Sendable {
    public let server: AuthorizationServer
    /// Visible ASCII and blanks (RFC 6749 appendix A.1).
    public let clientID: String

    public init(server: AuthorizationServer, clientID: String) {
        (self.server, self.clientID) = (server, clientID)
    }

    /// The name of a known server; `nil` for one that its endpoints describe.
    public var provider: String? { AuthorizationServer.known.first { $0.value == server }?.key }

    /// The texts to which a sealed grant of this client is bound.
    public var context: [String] {
        [provider ?? "", server.authorizationEndpoint, server.tokenEndpoint, server.scope ?? "", clientID]
    }

    /// The texts to which its sealed secret is bound: it is sent to this endpoint alone.
    public var secretContext: [String] { ["client secret", server.tokenEndpoint, clientID] }

    /// Reads ``json``; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let clientID = json["client_id"]?.textValue else { return nil }
        if let name = json["provider"]?.textValue {
            guard let known = AuthorizationServer.known[name] else { return nil }
            self.init(server: known, clientID: clientID)
            return
        }
        guard let authorization = json["authorization_endpoint"]?.textValue,
            let token = json["token_endpoint"]?.textValue
        else { return nil }
        self.init(
            server: AuthorizationServer(
                authorizationEndpoint: authorization, tokenEndpoint: token, scope: json["scope"]?.textValue),
            clientID: clientID)
    }

    public var json: JSON {
        if let provider { return .object([("provider", .string(provider)), ("client_id", .string(clientID))]) }
        return .object([
            ("authorization_endpoint", .string(server.authorizationEndpoint)),
            ("token_endpoint", .string(server.tokenEndpoint)), ("scope", JSON(server.scope)),
            ("client_id", .string(clientID)),
        ])
    }
}
