import YAMLSource

/// The value of `oauth:` before it is written.
public struct OAuthDraft: Sendable {
    public enum Server: Sendable {
        /// One that the program knows by its name.
        case known(String)
        case endpoints(authorization: String, token: String, scope: String?, caFile: String?)
    }

    public var server: Server
    public var clientID: String
    /// The name of a file; `nil` for a public client.
    public var clientSecretFile: String?
    public var refreshTokenFile: String

    public init(server: Server, clientID: String, clientSecretFile: String?, refreshTokenFile: String) {
        self.server = server
        self.clientID = clientID
        self.clientSecretFile = clientSecretFile
        self.refreshTokenFile = refreshTokenFile
    }

    var pairs: [(String, String)] {
        var pairs: [(String, String?)]
        switch server {
        case .known(let name): pairs = [("provider", name)]
        case .endpoints(let authorization, let token, let scope, let caFile):
            pairs = [
                ("authorization_endpoint", authorization), ("token_endpoint", token), ("scope", scope),
                ("ca_file", caFile),
            ]
        }
        pairs += [
            ("client_id", clientID), ("client_secret_file", clientSecretFile),
            ("refresh_token_file", refreshTokenFile),
        ]
        return pairs.compactMap { key, value in value.map { (key, $0) } }
    }
}

/// An entry of `mailboxes:` before it is written.
public struct MailboxDraft: Sendable {
    public enum Login: Sendable {
        case password(file: String)
        case oauth(OAuthDraft)
    }

    public var name: String
    public var host: String
    public var port: Int
    public var tls: MailboxSettings.TLS
    public var caFile: String?
    public var user: String
    public var login: Login
    public var folder: String
    public var authentication: MailboxSettings.Authentication
    public var since: String

    public init(
        name: String, host: String, port: Int, tls: MailboxSettings.TLS, caFile: String? = nil, user: String,
        login: Login, folder: String, authentication: MailboxSettings.Authentication, since: String
    ) {
        (self.name, self.host, self.port, self.tls, self.caFile) = (name, host, port, tls, caFile)
        (self.user, self.login, self.folder) = (user, login, folder)
        (self.authentication, self.since) = (authentication, since)
    }

    /// True for a name that can be a file's and a systemd credential's.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
    }

    /// A name made of the part of an address before the @.
    public static func name(ofAddress address: String) -> String? {
        let name = String(
            decoding: address.utf8.prefix { $0 != UInt8(ascii: "@") }.map {
                isLetterOrDigit($0) || ".-_".utf8.contains($0) ? $0 : UInt8(ascii: "-")
            }, as: UTF8.self)
        return isName(name) ? name : nil
    }

    /// True for a text with both parts of an e-mail address.
    public static func isAddress(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@") else { return false }
        return at != text.startIndex && text.index(after: at) != text.endIndex
            && !text.contains { $0.isWhitespace || $0.isNewline }
    }

    /// True for a name as in the mails' `Authentication-Results`, or `*.` and a domain.
    public static func isAuthservID(_ text: String) -> Bool {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        return name.utf8.count > 1 && name.utf8.count <= 255
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"*;\"'()".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The entry in block style, indented.
    public func lines(indentation: Int) -> [String] {
        var pairs: [(String, String)] = [
            ("name", Self.scalar(name)), ("host", Self.scalar(host)), ("port", "\(port)"), ("tls", tls.rawValue),
        ]
        if let caFile { pairs.append(("ca_file", Self.scalar(caFile))) }
        pairs.append(("user", Self.scalar(user)))
        switch login {
        case .password(let file): pairs.append(("password_file", Self.scalar(file)))
        case .oauth(let oauth):
            pairs.append(
                ("oauth", "{ " + oauth.pairs.map { "\($0): \(Self.scalar($1))" }.joined(separator: ", ") + " }"))
        }
        pairs.append(("folders", "[\(Self.scalar(folder))]"))
        switch authentication {
        case .authservID(let id, _): pairs.append(("authserv_id", Self.scalar(id)))
        case .trustDelivery: pairs.append(("authentication", "trust-delivery"))
        case .verify(let id, _):
            if let id { pairs.append(("authserv_id", Self.scalar(id))) }
            pairs.append(("authentication", "verify"))
        }
        if !authentication.forwarders.isEmpty {
            let names = authentication.forwarders.map(Self.scalar).joined(separator: ", ")
            pairs.append(("arc_forwarders", "[\(names)]"))
        }
        pairs.append(("since", Self.scalar(since)))
        let blanks = String(repeating: " ", count: indentation)
        return pairs.enumerated().map { blanks + ($0.offset == 0 ? "- " : "  ") + "\($0.element.0): \($0.element.1)" }
    }

    /// A host name, an address or a path as it is; any other text in quotes.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map(isLetterOrDigit) ?? false
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-/".utf8.contains($0) }
            && text.utf8.contains { $0 >= 0x41 } && text.utf8.count > 5
        return isPlain ? text : YAMLValue.text(text).flow
    }
}
