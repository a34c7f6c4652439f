import Codecs
public import IMAP
import YAMLSource

/// Apple's push service, for every registered device.
public struct APNsSettings: Sendable {
    /// Token signing key from Apple, a PEM file (`AuthKey_….p8`).
    public var key: SecretFile
    public var keyID: String
    public var teamID: String
    /// The app's bundle identifier.
    public var topic: String
    /// Replacement of Apple's servers in both environments, for a proxy or a test.
    public var url: String?

    static let keys = ["key_file", "key_id", "team_id", "topic", "url"]

    init(_ map: YAMLMapping, folder: String) throws(SourceError) {
        key = SecretFile(.pushKey, name: try map.file("key_file"), folder: folder)
        keyID = try map.word("key_id", "the ten letters and digits that Apple shows beside the key") {
            Self.isAlphanumeric($0) && $0.count == 10
        }
        teamID = try map.word("team_id", "the ten letters and digits of the developer team") {
            Self.isAlphanumeric($0) && $0.count == 10
        }
        topic = try map.word("topic", "the app's bundle identifier, such as com.example.ledger") {
            $0.allSatisfy { Self.isAlphanumeric([$0]) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        }
        url = try map["url"].map { node throws(SourceError) in try SinkURL.read(node) }
    }

    private static func isAlphanumeric(_ text: [UInt8]) -> Bool {
        text.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }
}

/// A topic of an ntfy server.
public struct NtfySettings: Sendable {
    /// Server address with a trailing slash.
    public var server: String
    public var topic: String
    public var token: SecretSource?
    /// 1 (lowest) to 5; `nil` derives it from the event.
    public var priority: Int?
    public var tags: [String]
    /// Address opened by a tap.
    public var click: String?

    static let keys = ["url", "token_file", "priority", "tags", "click"]

    init(_ map: YAMLMapping, folder: String) throws(SourceError) {
        let node = try map.require("url")
        let url = try SinkURL.read(node)
        guard let parts = Self.parts(of: url) else {
            throw node.error(
                "'\(url)' names no topic", remedy: "Write the address of the topic, such as https://ntfy.sh/my-topic.")
        }
        (server, topic) = parts
        guard Self.isTopic(topic) else {
            throw node.error("'\(topic)' is not a topic", remedy: "A topic has letters, digits, - and _, at most 64.")
        }
        token = try map["token_file"].map { node throws(SourceError) in
            .file(SecretFile(.accessToken, name: try node.string(), folder: folder))
        }
        priority = try map["priority"].map { node throws(SourceError) in
            guard let value = Int(try node.string()), (1...5).contains(value) else {
                throw node.error("a priority from 1 to 5 is expected here")
            }
            return value
        }
        tags = try map["tags"]?.strings() ?? []
        click = try map["click"].map { node throws(SourceError) in
            let text = try node.string()
            guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.contains(":") else {
                throw node.error("'\(text)' is not an address")
            }
            return text
        }
    }
}

extension NtfySettings {
    /// Server and topic of an address; `nil` without a topic.
    static func parts(of url: String) -> (server: String, topic: String)? {
        guard let slash = url.lastIndex(of: "/"), !url.hasSuffix("/"), url[..<slash].contains("://"),
            !url[..<slash].hasSuffix(":/"), !url.contains("?")
        else { return nil }
        return (String(url[...slash]), String(url[url.index(after: slash)...]))
    }

    static func isTopic(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                    || $0 == 0x5F
            }
    }
}

/// A receiver of signed JSON (Standard Webhooks).
public struct WebhookSettings: Sendable {
    public var url: String
    /// Base64, with or without the prefix `whsec_`.
    public var secret: SecretSource

    static let keys = ["url", "secret_file"]

    init(_ map: YAMLMapping, in place: SinkPlace) throws(SourceError) {
        url = try SinkURL.read(map.require("url"))
        if map["secret_file"] == nil, let secret = place.secret {
            self.secret = secret
        } else {
            secret = .file(SecretFile(.signingSecret, name: try map.file("secret_file"), folder: place.folder))
        }
    }

    /// The signing key in a secret: 24 to 64 bytes in Base64, as the standard requires; `nil` for another text.
    public static func key(_ secret: [UInt8]) -> [UInt8]? {
        let prefix = Array("whsec_".utf8)
        let text = secret.starts(with: prefix) ? secret.dropFirst(prefix.count) : secret[...]
        return Base64.standard.decode(text).flatMap { (24...64).contains($0.count) ? $0 : nil }
    }
}

/// Mail through one of the user's servers.
public struct EmailSettings: Sendable {
    public var host: String
    public var port: Int
    public var tls: MailboxSettings.TLS
    public var user: String?
    public var password: SecretSource?
    public var mechanism: LoginMechanism
    public var from: String
    public var to: [String]

    static let keys = ["host", "port", "tls", "user", "password_file", "password_command", "mechanism", "from", "to"]

    init(_ map: YAMLMapping, in place: SinkPlace) throws(SourceError) {
        let hostNode = try map.require("host")
        host = try hostNode.string()
        guard Self.isHost(host) else {
            throw hostNode.error(
                "'\(host)' is not a host name",
                remedy: "Write the name alone, such as smtp.example.com; the port has its own key.")
        }
        tls = try map["tls"].map(Self.tls) ?? .implicit
        port = tls == .implicit ? 465 : 587
        if let node = map["port"] {
            guard let value = Int(try node.string()), (1...65535).contains(value) else {
                throw node.error("a port from 1 to 65535 is expected here")
            }
            port = value
        }
        user = try map["user"].map { node throws(SourceError) in try node.string() }
        switch (map["password_file"], map["password_command"]) {
        case (let file?, nil): password = .file(SecretFile(.password, name: try file.string(), folder: place.folder))
        case (nil, let command?): password = .command(try command.string())
        case (nil, nil): password = user == nil ? nil : place.secret
        case (_, let second?):
            throw second.error("two sources of one password", remedy: "Keep password_file or password_command.")
        }
        guard (user == nil) == (password == nil) else {
            throw map.node.error(
                "user and password_file must be set together",
                remedy: "Add user and password_file, or leave both out if the server requires no login.")
        }
        mechanism = try map["mechanism"].map(LoginMechanism.init(node:)) ?? .automatic
        if user == nil, let node = map["mechanism"] {
            throw node.error("mechanism without user and password", remedy: "Add both, or remove this line.")
        }
        from = try Self.address(map.require("from"))
        to = []
        let node = try map.require("to")
        for item in node.isScalar ? [node] : try node.list() { to.append(try Self.address(item)) }
        guard !to.isEmpty else { throw node.error("at least one address is needed") }
    }

    private static func tls(_ node: YAMLNode) throws(SourceError) -> MailboxSettings.TLS {
        let text = try node.string()
        guard let value = MailboxSettings.TLS(rawValue: text) else {
            throw node.error(
                "unknown value '\(text)'",
                remedy: "Use implicit (port 465) or starttls (port 587); mail is never sent without TLS.")
        }
        return value
    }

    private static func address(_ node: YAMLNode) throws(SourceError) -> String {
        let text = try node.string()
        guard isAddress(text) else {
            throw node.error("'\(text)' is not a mail address", remedy: "Write it alone, as someone@example.com.")
        }
        return text
    }

    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && !text.contains { "/@?#\"<>\\".contains($0) } && (!text.contains(":") || text.contains("::"))
    }

    /// A dot-atom on either side (RFC 5322 section 3.4.1), so that an address cannot end a line, a header or an SMTP
    /// command.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.count <= 254
            && parts.allSatisfy { part in
                part.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                    !atom.isEmpty
                        && atom.utf8.allSatisfy {
                            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                                || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
                        }
                }
            }
    }
}

/// A server reached over TLS, or a program on this machine.
enum SinkURL {
    /// Server and port of an address; `nil` unless it is an http or https address.
    static func authority(of text: String) -> Substring? {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, !text.contains("#"), let scheme = ["https://", "http://"].first(where: text.hasPrefix) else {
            return nil
        }
        return text.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" }
    }

    static func read(_ node: YAMLNode) throws(SourceError) -> String {
        let text = try node.string()
        guard let authority = authority(of: text) else {
            throw node.error("'\(text)' is not an https address", remedy: "Write it as https://example.com/path.")
        }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw node.error(
                "'\(text)' is not an address of a server",
                remedy: "Remove user and password from the address: secrets belong in files.")
        }
        guard text.hasPrefix("https://") || isLoopback(authority) else {
            throw node.error(
                "'\(text)' would be sent without TLS",
                remedy: "Use https; http is for programs on this machine only, such as http://127.0.0.1:8080/hook.")
        }
        return text
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let host = authority.prefix { $0 != ":" }
        if host == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension YAMLMapping {
    fileprivate func file(_ key: String) throws(SourceError) -> String {
        let node = try require(key)
        let text = try node.string()
        guard !text.isEmpty else { throw node.error("a file is expected here") }
        return text
    }

    fileprivate func word(_ key: String, _ what: String, _ isOne: ([UInt8]) -> Bool) throws(SourceError) -> String {
        let node = try require(key)
        let text = try node.string()
        guard !text.isEmpty, isOne(Array(text.utf8)) else { throw node.error("'\(text)' is not \(what)") }
        return text
    }
}
