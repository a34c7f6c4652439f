import Glibc

/// The limit on open files, sockets and pipes of this process. Every mailbox needs some.
public enum OpenFiles {
    /// Two socket pairs for wake-ups, libcurl's own pair, the connection, and one more during a pass.
    public static let perMailbox = 8
    /// Three connections to the working copy of a ledger, with at most three files each.
    public static let perCopy = 9
    /// The database, the log, web clients and the runtime.
    public static let others = 160

    /// Raises the soft limit to the hard limit. The usual 1024 protects programs that call select(2), which this one
    /// does not.
    public static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    public static var allowed: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            ? Int(clamping: limit.rlim_cur) : .max
    }

    /// Returns the reason why that number of mailboxes and copies cannot be open, or nil.
    ///
    /// - Parameters:
    ///   - sockets: further ones.
    ///   - unit: of systemd, for the remedy.
    public static func problem(
        mailboxes: Int = 0, copies: Int = 0, sockets: Int = 0, unit: String = "spendwise-ingest", allowed: Int
    ) -> String? {
        let needed = others + sockets + mailboxes * perMailbox + copies * perCopy
        guard needed > allowed else { return nil }
        let what = [(mailboxes, "mailboxes"), (copies, "working copies")].filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return """
            \(what.joined(separator: " and ")) need up to \(needed) open files, and this process may have \(allowed). \
            Set LimitNOFILE=\(needed) in the unit ('systemctl edit \(unit)'), 'ulimit -Hn' elsewhere, or configure fewer
            """
    }
}
