import YAMLSource

/// The entries of `mailboxes:`, each checked against the others.
struct MailboxEntries {
    private(set) var servers: [MailboxSettings] = []
    private(set) var maildirs: [MaildirSettings] = []
    private var names: Set<String> = []
    /// Connections for each Gmail user.
    private var connections: [String: Int] = [:]

    /// Gmail allows one user 15 connections; the others are left to mail programs.
    private static let gmailConnections = 10

    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - state: the folder for the daemon's own files.
    init(_ nodes: [YAMLNode], folder: String, state: String) throws(SourceError) {
        for node in nodes {
            if try node.mapping()["maildir"] != nil {
                let maildir = try MaildirSettings(node, folder: folder)
                try claim(maildir.name, node)
                maildirs.append(maildir)
            } else {
                let mailbox = try MailboxSettings(node, folder: folder, state: state)
                if mailbox.isGmail { try countConnection(of: mailbox.user, node) }
                try claim(mailbox.name, node)
                servers.append(mailbox)
            }
        }
    }

    private mutating func countConnection(of user: String, _ node: YAMLNode) throws(SourceError) {
        connections[user.lowercased(), default: 0] += 1
        guard connections[user.lowercased(), default: 0] <= Self.gmailConnections else {
            throw node.error(
                "more than \(Self.gmailConnections) mailboxes of one Gmail user, each with its own connection",
                remedy: "Gmail allows 15, and mail programs need some: list several folders in one mailbox.")
        }
    }

    private mutating func claim(_ name: String, _ node: YAMLNode) throws(SourceError) {
        guard !name.hasPrefix("import:") else {
            throw node.error(
                "'\(name)' is a name of 'parserctl import'",
                remedy: "Choose a name that does not begin with 'import:'.")
        }
        guard names.insert(name).inserted else {
            throw node.error(
                "two mailboxes are named '\(name)'", remedy: "The name identifies the cursor: give each its own.")
        }
    }
}
