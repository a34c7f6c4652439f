import Codecs
public import DurableFiles
import Glibc
public import OAuth
public import YAMLSource

/// The mailboxes that were added on the page: `mailboxes.yaml` in a folder that belongs to the mail reader alone.
/// Beside it are their passwords in `mailboxes`, refresh tokens in `tokens`, secrets of OAuth clients in `clients`, and
/// the certificates of private authorities in `authorities`.
public struct AddedMailboxes: Sendable {
    /// What a mailbox logs in with.
    public enum Secret: Sendable {
        case password([UInt8])
        /// - Parameter clientSecret: `nil` for a public client.
        case oauth(refreshToken: Token, clientSecret: Token?)
    }

    /// Absolute path. Outside the ledger's folder, which the web role may open.
    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// `$STATE_DIRECTORY` (systemd.exec(5)), or else a folder for this ledger in `$XDG_STATE_HOME/spendwise` or
    /// `~/.local/state/spendwise`. `nil` without any of them.
    public init?(ledger: String) {
        func folder(_ variable: String) -> String? {
            guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
            return value
        }
        if let given = folder("STATE_DIRECTORY")?.split(separator: ":").first {
            self.folder = String(given)
            return
        }
        guard
            let base = folder("XDG_STATE_HOME") ?? folder("HOME").map({ ($0 == "/" ? "" : $0) + "/.local/state" })
        else { return nil }
        self.folder = base + "/spendwise/" + PercentEncoding.encode(Self.absolute(ledger))
    }

    /// The path with the links in its folder resolved.
    private static func absolute(_ path: String) -> String {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard let real = realpath(folder, nil) else { return path }
        defer { free(real) }
        return String(cString: real) + "/" + (slash.map { path[path.index(after: $0)...] } ?? path[...])
    }

    /// The file of the entries, in the form of `mailboxes:` in the configuration.
    public var path: String { folder + "/mailboxes.yaml" }
    private var place: MailboxPlace { MailboxPlace(folder: folder, state: folder) }
    /// The private key that opens the passwords typed on the page.
    public var key: SecretFile { SecretFile(.mailboxKey, name: folder + "/mailbox-key", folder: folder) }
    public var hasKey: Bool { access(key.path, F_OK) == 0 }
    /// The authority of a mailbox that is being tested.
    public var testedAuthority: String { folder + "/tested-authority" }

    private func password(of name: String) -> SecretFile {
        SecretFile(.password, name: folder + "/" + Self.password(of: name), folder: folder)
    }

    /// The value of `password_file`, which is relative to the folder.
    public static func password(of name: String) -> String { "mailboxes/" + name }
    /// The value of `refresh_token_file`.
    public static func refreshToken(of name: String) -> String { "tokens/" + name }
    /// The value of `client_secret_file`.
    public static func clientSecret(of name: String) -> String { "clients/" + name }
    /// The value of `ca_file`.
    public static func authority(of name: String) -> String { "authorities/" + name }

    /// Makes the folders, which only their owner may open.
    public func makeFolders() throws(SecretError) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
        for path in [folder] + ["mailboxes", "tokens", "clients", "authorities", "sinks"].map({ folder + "/" + $0 }) {
            mkdir(path, 0o700)
            guard access(path, W_OK | X_OK) == 0 else {
                throw SecretError(
                    "\(path) cannot be written: \(String(cString: strerror(errno)))",
                    remedy: "Give it to the user of the mail reader, or set XDG_STATE_HOME.")
            }
        }
    }
}

extension AddedMailboxes {
    /// An entry that is not used.
    public struct Problem: Sendable {
        /// `nil` if the entry has no name.
        public let name: String?
        public let error: SourceError
    }

    /// Reads the entries beside those of the configuration. One that cannot be used does not stop the others.
    ///
    /// - Throws: the fault of the whole file.
    public func read(
        beside settings: Settings
    ) throws(SourceError) -> (
        mailboxes: [MailboxSettings], problems: [Problem]
    ) {
        var entries = settings.entries
        var problems: [Problem] = []
        for node in try list.items() {
            do throws(SourceError) { try entries.addServer(node, in: place) } catch {
                problems.append(Problem(name: try? node.mapping()["name"]?.string(), error: error))
            }
        }
        return (Array(entries.servers.dropFirst(settings.entries.servers.count)), problems)
    }

    /// The settings of a mailbox that is in no file yet.
    public func settings(of draft: MailboxDraft) throws(SourceError) -> MailboxSettings {
        var entries = MailboxEntries.none
        for node in try list.items(of: draft.lines(indentation: 2)) {
            try entries.addServer(node, in: place)
        }
        guard let mailbox = entries.servers.first else {
            throw SourceError(file: path, message: "the entry of '\(draft.name)' is empty")
        }
        return mailbox
    }

    /// Writes the secrets, then the entry. A crash between both leaves secrets without an entry, which the next
    /// attempt replaces.
    ///
    /// - Parameters:
    ///   - draft: its files are ``password(of:)``, or ``refreshToken(of:)`` and ``clientSecret(of:)``; its authority,
    ///     if any, ``authority(of:)``.
    ///   - authority: PEM.
    public func add(_ draft: MailboxDraft, _ secret: Secret, authority: String?) throws {
        try makeFolders()
        let file = try list.adding(draft.lines(indentation: 2))
        if let authority { try write(authority, to: folder + "/" + Self.authority(of: draft.name)) }
        try write(secret, of: draft)
        try list.write(file)
    }

    private func write(_ secret: Secret, of draft: MailboxDraft) throws {
        switch secret {
        case .password(let password): try self.password(of: draft.name).write([password])
        case .oauth(let refreshToken, let clientSecret):
            guard case .oauth(let oauth) = try settings(of: draft).login else {
                throw SourceError(file: path, message: "the entry of '\(draft.name)' has no oauth")
            }
            if let clientSecret { try oauth.clientSecret?.write([Array(clientSecret.value.utf8)]) }
            try oauth.refreshToken.write(refreshToken)
        }
    }

    /// Removes the entry, then its secrets.
    public func remove(_ name: String) throws {
        try list.remove(name)
        let files = [
            Self.password(of: name), Self.refreshToken(of: name), RefreshTokenFile.spare(of: name),
            Self.clientSecret(of: name), Self.authority(of: name),
        ]
        for path in files where unlink(folder + "/" + path) != 0 {
            guard errno == ENOENT else {
                throw SecretError(
                    "\(folder)/\(path) cannot be removed: \(String(cString: strerror(errno)))",
                    remedy: "Remove it as the owner of the folder.")
            }
        }
    }

    /// Writes a public text for this user alone.
    public func write(_ text: String, to path: String) throws(FileWriteError) {
        try FileReplacement(path, mode: .exactly(0o600)).write(Array(text.utf8))
    }

    private var list: EntryList {
        EntryList(
            path: path, key: "mailboxes",
            comment:
                "# Mailboxes that were added on the page. The program writes this file; remove a mailbox on the page.")
    }
}
