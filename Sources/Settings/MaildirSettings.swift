import YAMLSource

/// An entry of `mailboxes:` for a Maildir on this machine.
public struct MaildirSettings: Sendable {
    /// Unique among all mailboxes.
    public var name: String
    /// Folder that holds `cur` and `new`, or folders below it.
    public var path: String
    /// `INBOX` is `path` itself; others are Maildir++ folders: `.Bank.Alerts` is written `Bank/Alerts` or
    /// `Bank.Alerts`.
    public var folders: [String]
    public var authentication: MailboxSettings.Authentication
    /// Number of days that the first pass reads back, by file time.
    public var sinceDays: Int
    /// Polling interval in seconds, needed because a remote file system sends no inotify events.
    public var pollSeconds: Int

    private static let keys = [
        "name", "maildir", "folders", "authserv_id", "authentication", "arc_forwarders", "since", "poll",
    ]
    private static let keysOfServers = [
        "host", "port", "tls", "ca_file", "user", "password_file", "password_command", "oauth",
    ]

    init(_ node: YAMLNode, folder: String) throws(SourceError) {
        for (key, place) in try node.mapping().keys where Self.keysOfServers.contains(key) {
            throw place.error(
                "'\(key)' is for a mailbox on a server, and this one is a Maildir",
                remedy: "Keep 'maildir', or 'host' with its keys.")
        }
        let map = try node.mapping(allowing: Self.keys)
        name = try map.require("name").string()
        guard !name.isEmpty else { throw try map.require("name").error("a mailbox needs a name") }
        path = try Settings.path(try map.require("maildir"), in: folder)
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        folders = try map["folders"]?.strings() ?? ["INBOX"]
        guard !folders.isEmpty else {
            throw (map["folders"] ?? node).error(
                "at least one folder is needed", remedy: "INBOX is the Maildir itself.")
        }
        for name in folders
        where name.isEmpty || name.hasPrefix("/") || name.split(separator: "/").contains("..") || name.contains("\0") {
            throw (map["folders"] ?? node).error(
                "'\(name)' is not the name of a folder",
                remedy: "Write it as the mail program shows it, such as Bank/Alerts.")
        }
        authentication = try MailboxSettings.Authentication(map, node)
        sinceDays = max(1, try map["since"].map { node throws(SourceError) in try node.duration() / 86400 } ?? 90)
        pollSeconds = 300
        if let node = map["poll"] {
            pollSeconds = try node.duration()
            guard pollSeconds >= 1 else {
                throw node.error("a poll of less than 1s is too often", remedy: "5m is usual.")
            }
        }
    }
}
