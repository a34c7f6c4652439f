import Glibc

/// How many files, sockets and pipes this process may have open: every mailbox needs some.
enum OpenFiles {
    /// Two socket pairs to be woken by, libcurl's own and the connection; two more for a moment, where a pass opens something.
    static let perMailbox = 8
    /// The database, the log, the web side's clients and what the runtime itself opens.
    static let others = 160

    /// Takes as many as the system allows: the usual 1024 are a limit for programs that call select(2), which nothing here does.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static var allowed: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            ? Int(clamping: limit.rlim_cur) : .max
    }

    /// Why so many mailboxes cannot be watched; `nil` where they can.
    static func problem(mailboxes: Int, allowed: Int) -> String? {
        let needed = others + mailboxes * perMailbox
        guard needed > allowed else { return nil }
        return """
            \(mailboxes) mailboxes need up to \(needed) open files, and this process may have \(allowed). \
            Set LimitNOFILE=\(needed) in the unit ('systemctl edit spendwise-ingest'), 'ulimit -Hn' elsewhere, or name fewer mailboxes
            """
    }
}
