import Glibc

extension DovecotFixture {
    func home(of user: String) -> String { "\(directory)/users/\(user)" }

    private func maildir(of user: String, _ folder: String) -> String {
        home(of: user) + "/Maildir" + (folder == "INBOX" ? "" : "/.\(folder)")
    }

    func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FixtureError(description: "\(path): \(String(cString: strerror(errno)))")
        }
        chown(path, owner.uid, owner.gid)
    }

    /// Delivers a message atomically, like a mail server.
    ///
    /// - Parameter secondsSinceEpoch: INTERNALDATE.
    public func deliver(
        _ bytes: [UInt8], to user: String, folder: String = "INBOX", secondsSinceEpoch: Int? = nil
    ) throws {
        let root = maildir(of: user, folder)
        for path in [home(of: user), maildir(of: user, "INBOX"), root] + ["/tmp", "/new", "/cur"].map({ root + $0 }) {
            try makeFolder(path)
        }
        var number = String(next())
        while number.utf8.count < 8 { number = "0" + number }
        let name = "\(time(nil)).M\(number)P\(getpid()).test"
        try write(bytes, to: "\(root)/tmp/\(name)")
        chown("\(root)/tmp/\(name)", owner.uid, owner.gid)
        if let secondsSinceEpoch {
            var times = [
                timeval(tv_sec: secondsSinceEpoch, tv_usec: 0), timeval(tv_sec: secondsSinceEpoch, tv_usec: 0),
            ]
            utimes("\(root)/tmp/\(name)", &times)
        }
        guard rename("\(root)/tmp/\(name)", "\(root)/new/\(name)") == 0 else {
            throw FixtureError(description: "\(name): \(String(cString: strerror(errno)))")
        }
    }

    public func deliver(_ text: String, to user: String, folder: String = "INBOX") throws {
        try deliver(Array(text.utf8), to: user, folder: folder)
    }

    /// Returns the Maildir to which other programs may deliver, and its owner.
    public func maildir(of user: String) throws -> (path: String, owner: String) {
        let root = maildir(of: user, "INBOX")
        for path in [home(of: user), root] + ["/tmp", "/new", "/cur"].map({ root + $0 }) { try makeFolder(path) }
        return (root, getpwuid(owner.uid).map { String(cString: $0.pointee.pw_name) } ?? "\(owner.uid)")
    }

    /// Records IMAP conversations from now on, for a server with ``Options/keepingConversations``.
    public func keepConversations(of user: String) throws {
        try makeFolder(home(of: user))
        try makeFolder(home(of: user) + "/rawlog")
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
        ["/new", "/cur"].flatMap { part in
            names(in: maildir(of: user, folder) + part).map { maildir(of: user, folder) + part + "/" + $0 }
        }
        .sorted { $0.split(separator: "/").last ?? "" < $1.split(separator: "/").last ?? "" }
    }

    /// Returns the flags of every message by base name: `S` is \Seen. A new message has none.
    public func flags(of user: String, folder: String = "INBOX") -> [String: String] {
        var flags: [String: String] = [:]
        for path in files(of: user, folder: folder) {
            let name = path.split(separator: "/").last ?? ""
            let parts = name.split(separator: ":", maxSplits: 1)
            let base = parts.first.flatMap { $0.split(separator: ",").first } ?? ""
            flags[String(base)] = parts.count > 1 ? String(parts[1].dropFirst(2)) : ""
        }
        return flags
    }

    /// Removes a message, like EXPUNGE of another client.
    public func remove(_ file: String) { unlink(file) }

    /// Changes UIDVALIDITY: all messages get new UIDs from 1. No client may have the folder open.
    public func setUIDValidity(_ value: UInt32, of user: String, folder: String = "INBOX") throws {
        let root = maildir(of: user, folder)
        for name in names(in: root) where name.hasPrefix("dovecot") { unlink("\(root)/\(name)") }
        let list = root + "/dovecot-uidlist"
        try write(Array("3 V\(value) N1 G0123456789abcdef0123456789abcdef\n".utf8), to: list)
        chown(list, owner.uid, owner.gid)
    }

    /// The server's log.
    public var log: String { String(decoding: (try? contents(of: directory + "/dovecot.log")) ?? [], as: UTF8.self) }
}
