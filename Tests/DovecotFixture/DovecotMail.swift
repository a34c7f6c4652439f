import Glibc
import MailServerFixture

extension DovecotFixture {
    func home(of user: String) -> String { "\(directory)/users/\(user)" }

    private func maildir(of user: String, _ folder: String) -> String {
        home(of: user) + "/Maildir" + (folder == "INBOX" ? "" : "/.\(folder)")
    }

    /// Delivers a message atomically, like a mail server.
    ///
    /// - Parameter secondsSinceEpoch: INTERNALDATE.
    public func deliver(
        _ bytes: [UInt8], to user: String, folder: String = "INBOX", secondsSinceEpoch: Int? = nil
    ) throws {
        let root = maildir(of: user, folder)
        for path in [home(of: user), maildir(of: user, "INBOX")] { try owner.makeFolder(path) }
        try Maildir(path: root, owner: owner).deliver(bytes, number: next(), secondsSinceEpoch: secondsSinceEpoch)
    }

    public func deliver(_ text: String, to user: String, folder: String = "INBOX") throws {
        try deliver(Array(text.utf8), to: user, folder: folder)
    }

    /// Returns the Maildir to which other programs may deliver, and its owner.
    public func maildir(of user: String) throws -> (path: String, owner: String) {
        let root = maildir(of: user, "INBOX")
        try owner.makeFolder(home(of: user))
        try Maildir(path: root, owner: owner).make()
        return (root, getpwuid(owner.uid).map { String(cString: $0.pointee.pw_name) } ?? "\(owner.uid)")
    }

    /// Records IMAP conversations from now on, for a server with ``Options/keepingConversations``.
    public func keepConversations(of user: String) throws {
        try owner.makeFolder(home(of: user))
        try owner.makeFolder(home(of: user) + "/rawlog")
    }

    /// Returns the recorded conversations after the login, one text a connection, in order.
    /// - Parameter byServer: true for the server's part, false for the client's.
    public func conversations(of user: String, byServer: Bool) -> [String] {
        let folder = home(of: user) + "/rawlog"
        return names(in: folder).filter { $0.hasSuffix(byServer ? ".out" : ".in") }.map {
            String(decoding: (try? contents(of: "\(folder)/\($0)")) ?? [], as: UTF8.self)
        }
    }

    /// Returns the files of all messages in order of delivery.
    public func files(of user: String, folder: String = "INBOX") -> [String] {
        Maildir(path: maildir(of: user, folder), owner: owner).files
    }

    /// Returns the flags of every message by base name: `S` is \Seen. A new message has none.
    public func flags(of user: String, folder: String = "INBOX") -> [String: String] {
        Maildir(path: maildir(of: user, folder), owner: owner).flags
    }

    /// Removes a message, like EXPUNGE of another client.
    public func remove(_ file: String) { unlink(file) }

    /// Changes UIDVALIDITY: all messages get new UIDs from 1. No client may have the folder open.
    public func setUIDValidity(_ value: UInt32, of user: String, folder: String = "INBOX") throws {
        let root = maildir(of: user, folder)
        for name in names(in: root) where name.hasPrefix("dovecot") { unlink("\(root)/\(name)") }
        let list = root + "/dovecot-uidlist"
        try write(Array("3 V\(value) N1 G0123456789abcdef0123456789abcdef\n".utf8), to: list)
        owner.own(list)
    }

    /// The server's log.
    public var log: String { String(decoding: (try? contents(of: directory + "/dovecot.log")) ?? [], as: UTF8.self) }
}
