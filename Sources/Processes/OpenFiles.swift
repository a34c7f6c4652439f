import Glibc

/// The limit on open files, sockets and pipes of this process. Every mailbox needs some.
public enum OpenFiles {
    /// Two socket pairs for wake-ups, libcurl's own pair, the connection, and one more during a pass.
    public static let perMailbox = 8
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

    /// Returns the reason why that number of mailboxes cannot be watched, or nil.
    public static func problem(mailboxes: Int, allowed: Int) -> String? {
        let needed = others + mailboxes * perMailbox
        guard needed > allowed else { return nil }
        return """
            \(mailboxes) mailboxes need up to \(needed) open files, and this process may have \(allowed). \
            Set LimitNOFILE=\(needed) in the unit ('systemctl edit spendwise-ingest'), 'ulimit -Hn' elsewhere, or name fewer mailboxes
            """
    }
}
