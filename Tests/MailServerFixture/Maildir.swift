import Glibc

/// One folder of a server that keeps mail in Maildirs.
public struct Maildir {
    public let path: String
    private let owner: MailOwner

    public init(path: String, owner: MailOwner) { (self.path, self.owner) = (path, owner) }

    /// Creates the folder, unless it exists.
    public func make() throws {
        for part in ["", "/tmp", "/new", "/cur"] { try owner.makeFolder(path + part) }
    }

    /// Delivers a message atomically, like a mail server.
    ///
    /// - Parameters:
    ///   - number: different for each message.
    ///   - secondsSinceEpoch: INTERNALDATE.
    /// - Returns: the path of the file.
    @discardableResult
    public func deliver(_ bytes: [UInt8], number: Int, secondsSinceEpoch: Int? = nil) throws -> String {
        try make()
        var number = String(number)
        while number.utf8.count < 8 { number = "0" + number }
        let name = "\(time(nil)).M\(number)P\(getpid()).test"
        try write(bytes, to: "\(path)/tmp/\(name)")
        owner.own("\(path)/tmp/\(name)")
        if let secondsSinceEpoch {
            var times = [
                timeval(tv_sec: secondsSinceEpoch, tv_usec: 0), timeval(tv_sec: secondsSinceEpoch, tv_usec: 0),
            ]
            utimes("\(path)/tmp/\(name)", &times)
        }
        guard rename("\(path)/tmp/\(name)", "\(path)/new/\(name)") == 0 else {
            throw FixtureError(description: "\(name): \(String(cString: strerror(errno)))")
        }
        return "\(path)/new/\(name)"
    }

    /// The files of all messages in order of delivery.
    public var files: [String] {
        ["/new", "/cur"].flatMap { part in names(in: path + part).map { path + part + "/" + $0 } }
            .sorted { $0.split(separator: "/").last ?? "" < $1.split(separator: "/").last ?? "" }
    }

    /// The flags of every message by base name: `S` is \Seen. A new message has none.
    public var flags: [String: String] {
        var flags: [String: String] = [:]
        for file in files {
            let name = file.split(separator: "/").last ?? ""
            let parts = name.split(separator: ":", maxSplits: 1)
            let base = parts.first.flatMap { $0.split(separator: ",").first } ?? ""
            flags[String(base)] = parts.count > 1 ? String(parts[1].dropFirst(2)) : ""
        }
        return flags
    }

    /// Removes a delivered message, which the server may have moved to `cur` and renamed.
    public func remove(_ file: String) {
        let name = file.split(separator: "/").last ?? ""
        for file in files where file.split(separator: "/").last?.hasPrefix(name) ?? false { unlink(file) }
    }
}
