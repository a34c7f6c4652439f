import Store

/// Keeps a mailbox below what its provider lets a person download in 24 hours. Gmail shuts IMAP off for up to a day above 2,500 MB
/// (Google Workspace, "Gmail bandwidth limits"); what other programs of the same person take is not seen here.
struct DownloadLimit {
    let store: Store
    let mailbox: String
    let bytesPerDay: UInt64
    /// Not written down yet.
    private var since: UInt64 = 0
    private var counted: UInt64 = 0

    init(store: Store, mailbox: String, bytesPerDay: UInt64) {
        self.store = store
        self.mailbox = mailbox
        self.bytesPerDay = bytesPerDay
    }

    /// A whole mail.
    mutating func took(_ bytes: UInt64) {
        since += bytes
        counted += bytes
    }

    /// The conversation is over, in whatever way.
    /// - Parameter received: all bytes of it. Those of a mail that broke off, and of mails that could not be recorded, count as well: on a bad line
    ///   they are what is downloaded again and again.
    mutating func ended(received: UInt64) {
        if received > counted { took(received - counted) }
        // Who fetches next finds out by itself that the database cannot be written.
        try? note()
    }

    private mutating func note() throws {
        guard since > 0 else { return }
        try store.mailboxes.addDownload(since, by: mailbox)
        since = 0
    }

    /// Writes down what was taken since the last call. Call it where nothing of it can be lost any more: after the commit.
    /// - Throws: `DownloadLimitReached` where the day's share is used up.
    mutating func check() throws {
        try note()
        let taken = try store.mailboxes.downloads(by: mailbox)
        if let seconds = Self.wait(taken, limit: bytesPerDay, at: Clock.now) {
            throw DownloadLimitReached(limit: bytesPerDay, seconds: seconds)
        }
    }

    /// Seconds until the hours behind have left the last 24 far enough for another tenth of the limit; `nil` where there is room now. Pure.
    static func wait(_ taken: [HourlyDownload], limit: UInt64, at now: Int64) -> Int64? {
        var sum = taken.reduce(0) { $0 + $1.bytes }
        guard sum >= limit else { return nil }
        for hour in taken.sorted(by: { $0.hour < $1.hour }) {
            sum -= hour.bytes
            if sum <= limit - limit / 10 { return max(60, (hour.hour + 24) * 3600 - now) }
        }
        return 60
    }
}

/// Not a fault: the mailbox goes on by itself.
struct DownloadLimitReached: Error, CustomStringConvertible {
    let limit: UInt64
    let seconds: Int64

    var description: String {
        "\(limit / 1_000_000) MB were downloaded in 24 hours, which is this mailbox's download_limit: reading goes on in \(max(1, seconds / 60)) minutes"
    }
}
