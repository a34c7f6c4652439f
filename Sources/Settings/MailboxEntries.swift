import YAMLSource

/// The entries of `mailboxes:`, each checked against the others.
struct MailboxEntries: Sendable {
    private(set) var servers: [MailboxSettings] = []
    private(set) var maildirs: [MaildirSettings] = []
    /// The place of each name.
    private(set) var names: [String: SourcePlace] = [:]
    /// Connections for each Gmail user.
    private var connections: [String: Int] = [:]

    /// Gmail allows one user 15 connections; the others are left to mail programs.
    private static let gmailConnections = 10

    init(_ nodes: [YAMLNode], in place: MailboxPlace) throws(SourceError) {
        for node in nodes {
            if try node.mapping()["maildir"] != nil {
                let maildir = try MaildirSettings(node, folder: place.folder)
                try claim(maildir.name, node)
                maildirs.append(maildir)
            } else {
                try addServer(node, in: place)
            }
        }
    }

    private init() {}

    static let none = MailboxEntries()

    /// Adds one mailbox on a server, checked against the others. After an error nothing has changed.
    mutating func addServer(_ node: YAMLNode, in place: MailboxPlace) throws(SourceError) {
        let mailbox = try MailboxSettings(node, in: place)
        if mailbox.isGmail { try checkConnections(of: mailbox.user, node) }
        try claim(mailbox.name, node)
        if mailbox.isGmail { connections[mailbox.user.lowercased(), default: 0] += 1 }
        servers.append(mailbox)
    }

    private func checkConnections(of user: String, _ node: YAMLNode) throws(SourceError) {
        guard connections[user.lowercased(), default: 0] < Self.gmailConnections else {
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
        if let other = names[name] {
            let place = other.file == node.file.path ? "" : ", the other one at \(other.description)"
            throw node.error(
                "two mailboxes are named '\(name)'\(place)",
                remedy: "The name identifies the cursor: give each its own.")
        }
        names[name] = node.place
    }
}
