public import IMAP
import YAMLSource

/// What the entries of `mailboxes:` have in common.
struct MailboxPlace: Sendable {
    /// The configuration's folder.
    let folder: String
    /// The folder for the daemon's own files.
    let state: String
    /// The command for the entries that name no login; `nil` if each must name one.
    var passwordCommand: String?
}

/// One entry of `mailboxes:`.
public struct MailboxSettings: Sendable {
    public enum TLS: String, Sendable, CaseIterable { case implicit, starttls }

    /// The trusted source of authentication results.
    ///
    /// `forwarders` are the domains whose ARC seals count if the sender is not confirmed otherwise (RFC 8617), in lower
    /// case.
    public enum Authentication: Sendable, Equatable {
        /// `Authentication-Results` written under this authserv-id (RFC 8601).
        case authservID(String, forwarders: [String] = [])
        /// The receiving server rejects forgeries before delivery.
        case trustDelivery
        /// The program verifies DKIM signatures itself, and compares the server's results if they are named.
        case verify(authservID: String?, forwarders: [String] = [])

        /// The domains whose ARC seals count.
        public var forwarders: [String] {
            switch self {
            case .authservID(_, let forwarders), .verify(_, let forwarders): forwarders
            case .trustDelivery: []
            }
        }
    }

    /// Secret of the login.
    public enum Login: Sendable {
        case password(SecretSource)
        case oauth(OAuthSettings)
    }

    /// Unique; names the mailbox in the database.
    public var name: String
    public var host: String
    public var port: Int
    public var tls: TLS
    /// PEM file of a private certification authority, used instead of the system's.
    public var caFile: String?
    public var user: String
    public var login: Login
    /// Mechanism of a password login.
    public var mechanism: LoginMechanism
    /// Folder names in Unicode, as the user writes them.
    public var folders: [String]
    public var authentication: Authentication
    /// Number of days that the first pass reads back.
    public var sinceDays: Int
    /// Seconds between passes if the server has no IDLE.
    public var pollSeconds: Int
    /// Longest time in seconds between probes of an idle connection.
    public var probeSeconds: Int
    /// Read timeout in seconds while an answer is due; a search has five times as long.
    public var timeoutSeconds: Int
    public var compress: Compression
    /// Most bytes of mail downloaded in 24 hours; `nil` means no limit.
    public var downloadLimit: UInt64?

    /// Use of COMPRESS=DEFLATE (RFC 4978) if the server offers it.
    public enum Compression: String, Sendable, CaseIterable {
        /// Compression only on a slow connection.
        case auto
        case on, off
    }

    /// Gmail blocks a mailbox for a day above 2,500 MB; the rest is left to the user's other programs.
    private static let gmailDownloadLimit: UInt64 = 2_000_000_000

    /// True if Gmail's limits apply.
    var isGmail: Bool { ["imap.gmail.com", "imap.googlemail.com"].contains(host.lowercased()) }

    private static let keys = [
        "name", "host", "port", "tls", "ca_file", "user", "password_file", "password_command", "mechanism", "oauth",
        "folders", "authserv_id", "authentication", "arc_forwarders", "since", "poll", "probe", "timeout", "compress",
        "download_limit",
    ]

    init(_ node: YAMLNode, in place: MailboxPlace) throws(SourceError) {
        let map = try node.mapping(allowing: Self.keys)
        name = try map.require("name").string()
        guard !name.isEmpty else { throw try map.require("name").error("a mailbox needs a name") }
        host = try Self.host(try map.require("host"))
        let tls = try map["tls"].map(Self.tls) ?? .implicit
        self.tls = tls
        port = try map["port"].map(Self.port) ?? (tls == .implicit ? 993 : 143)
        caFile = try map["ca_file"].map { node throws(SourceError) in try Settings.path(node, in: place.folder) }
        user = try map.require("user").string()
        login = try Login(map, node, mailbox: name, in: place)
        mechanism = try map["mechanism"].map(LoginMechanism.init(node:)) ?? .automatic
        if case .oauth = login, let node = map["mechanism"] {
            throw node.error("oauth needs no mechanism", remedy: "Remove this line: it is for passwords.")
        }
        folders = try map["folders"]?.strings() ?? ["INBOX"]
        guard !folders.isEmpty else {
            throw (map["folders"] ?? node).error("at least one folder is needed", remedy: "INBOX is usual.")
        }
        authentication = try Authentication(map, node)
        sinceDays = max(1, try map["since"].map { node throws(SourceError) in try node.duration() / 86400 } ?? 90)
        // RFC 2177 section 3: a server may close a session that was silent for half an hour.
        let longestProbe = 1740
        pollSeconds = try Self.seconds(map["poll"], or: 300, 10...Int.max, "a poll of less than 10s is too often", "5m")
        probeSeconds = try Self.seconds(
            map["probe"], or: 240, 5...longestProbe, "a probe from 5s to 29m is expected here", "4m")
        timeoutSeconds = try Self.seconds(
            map["timeout"], or: 60, 2...60, "a timeout from 2s to 60s is expected here", "60s")
        compress = try map["compress"].map(Self.compression) ?? .auto
        downloadLimit = isGmail ? Self.gmailDownloadLimit : nil
        if let node = map["download_limit"] { downloadLimit = try node.string() == "none" ? nil : try node.byteCount() }
    }

    /// True for a text that can be a host name or an address, without a port.
    public static func isHost(_ text: String) -> Bool {
        !text.isEmpty && (!text.contains { $0.isWhitespace || "/@:?#".contains($0) } || text.contains("::"))
    }

    private static func host(_ node: YAMLNode) throws(SourceError) -> String {
        let host = try node.string()
        guard isHost(host) else {
            throw node.error(
                "'\(host)' is not a host name",
                remedy: "Write the name alone, such as imap.gmail.com; the port has its own key.")
        }
        return host
    }

    private static func tls(_ node: YAMLNode) throws(SourceError) -> TLS {
        let text = try node.string()
        guard let value = TLS(rawValue: text) else {
            throw node.error(
                "unknown value '\(text)'",
                remedy: "Use implicit (port 993) or starttls (port 143); mail is never read without TLS.")
        }
        return value
    }

    private static func port(_ node: YAMLNode) throws(SourceError) -> Int {
        guard let value = Int(try node.string()), (1...65535).contains(value) else {
            throw node.error("a port from 1 to 65535 is expected here")
        }
        return value
    }

    private static func compression(_ node: YAMLNode) throws(SourceError) -> Compression {
        let text = try node.string()
        guard let value = Compression(rawValue: text) else {
            throw node.error("unknown value '\(text)'", remedy: "Use auto, on or off.")
        }
        return value
    }

    private static func seconds(
        _ node: YAMLNode?, or usual: Int, _ range: ClosedRange<Int>, _ message: String, _ usualText: String
    ) throws(SourceError) -> Int {
        guard let node else { return usual }
        let value = try node.duration()
        guard range.contains(value) else { throw node.error(message, remedy: "\(usualText) is usual.") }
        return value
    }
}

extension MailboxSettings.Login {
    /// - Parameter node: the mailbox, for the place of an error.
    fileprivate init(
        _ map: YAMLMapping, _ node: YAMLNode, mailbox: String, in place: MailboxPlace
    ) throws(SourceError) {
        switch (map["password_file"], map["password_command"], map["oauth"]) {
        case (let file?, nil, nil):
            self = .password(.file(SecretFile(.password, name: try file.string(), folder: place.folder)))
        case (nil, let command?, nil): self = .password(.command(try command.string()))
        case (nil, nil, let oauth?):
            self = .oauth(try OAuthSettings(oauth, mailbox: mailbox, folder: place.folder, state: place.state))
        case (nil, nil, nil):
            if let command = place.passwordCommand {
                self = .password(.command(command))
                return
            }
            throw node.error(
                "no password is named here",
                remedy: "Add password_file (a file of mode 0600, or a systemd credential), password_command or oauth.")
        case (_, _, let second?):
            throw second.error(
                "oauth replaces the password", remedy: "Keep oauth, or password_file, or password_command.")
        case (_, let second?, nil):
            throw second.error("two sources of one password", remedy: "Keep password_file or password_command.")
        }
    }
}

extension MailboxSettings.Authentication {
    /// True for a domain name in ASCII, of two labels or more, as in `d=` of a seal.
    public static func isForwarder(_ name: String) -> Bool {
        guard let labels = name.domainLabels else { return false }
        return labels.joined().allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
        }
            && labels.last?.contains { !(0x30...0x39).contains($0) } == true
    }

    /// The domains of `arc_forwarders`.
    private static func forwarders(_ map: YAMLMapping) throws(SourceError) -> [String] {
        guard let node = map["arc_forwarders"] else { return [] }
        var names: [String] = []
        for name in try node.strings() {
            guard isForwarder(name) else {
                throw node.error(
                    "'\(name)' is not the domain of a forwarder",
                    remedy: "Write the domain after 'd=' in the forwarder's ARC-Seal header, such as lists.example.org."
                )
            }
            if !names.contains(name.lowercased()) { names.append(name.lowercased()) }
        }
        if map["authserv_id"] == nil, try map["authentication"]?.string() != "verify" {
            throw node.error(
                "arc_forwarders needs authserv_id or 'authentication: verify'",
                remedy: "Remove this line: with trust-delivery every mail is trusted already.")
        }
        return names
    }

    /// - Parameter node: the mailbox, for the place of an error.
    init(_ map: YAMLMapping, _ node: YAMLNode) throws(SourceError) {
        let id = try map["authserv_id"].map { node throws(SourceError) in
            let text = try node.string()
            guard !text.isEmpty else {
                throw node.error("an authserv-id is expected here", remedy: "For Gmail it is mx.google.com.")
            }
            return text
        }
        let forwarders = try Self.forwarders(map)
        switch (id, map["authentication"], try map["authentication"]?.string()) {
        case (let id?, nil, _): self = .authservID(id, forwarders: forwarders)
        case (_, _?, "verify"?): self = .verify(authservID: id, forwarders: forwarders)
        case (nil, _?, "trust-delivery"?): self = .trustDelivery
        case (_?, let mode?, "trust-delivery"?):
            throw mode.error("authserv_id and trust-delivery exclude each other", remedy: "Keep one of them.")
        case (_, let mode?, let text):
            throw mode.error(
                "unknown value '\(text ?? "")'", remedy: "Use trust-delivery or verify, or authserv_id alone.")
        case (nil, nil, _):
            throw node.error(
                "no source of authentication results is configured",
                remedy:
                    "Add 'authserv_id: mx.google.com' (Gmail), the first word of your provider's Authentication-Results header, or 'authentication: trust-delivery' for your own server that rejects forged mail."
            )
        }
    }
}

extension LoginMechanism {
    /// The value of a key `mechanism`.
    init(node: YAMLNode) throws(SourceError) {
        let text = try node.string()
        guard let value = LoginMechanism(rawValue: text.lowercased()) else {
            throw node.error("unknown value '\(text)'", remedy: "Use auto, plain, login, cram-md5 or digest-md5.")
        }
        self = value
    }
}
