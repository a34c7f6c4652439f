import Chronology
import Store

/// Keeps a mailbox below its provider's limit of downloads in 24 hours. Above 2,500 MB Gmail disables IMAP for up to a
/// day (Google Workspace, "Gmail bandwidth limits"). Downloads by other programs of the same person are not known here.
struct DownloadLimit {
    let store: Store
    let mailbox: String
    let bytesPerDay: UInt64
    /// Bytes not written to the database yet.
    private var since: UInt64 = 0
    private var counted: UInt64 = 0

    init(store: Store, mailbox: String, bytesPerDay: UInt64) {
        self.store = store
        self.mailbox = mailbox
        self.bytesPerDay = bytesPerDay
    }

    /// Counts a whole message.
    mutating func count(_ bytes: UInt64) {
        since += bytes
        counted += bytes
    }

    /// Counts the rest of a fetch, however it ended.
    ///
    /// - Parameter received: all its bytes. Those of incomplete messages, and of messages that could not be recorded,
    ///   count as well: on a bad connection they are downloaded again and again.
    mutating func ended(received: UInt64) {
        if received > counted { count(received - counted) }
        // The next fetch reports a database that cannot be written.
        try? note()
    }

    private mutating func note() throws {
        guard since > 0 else { return }
        try store.mailboxes.addDownload(since, by: mailbox)
        since = 0
    }

    /// Writes the bytes counted since the last call to the database. Call it after the commit of the messages.
    ///
    /// - Throws: ``DownloadLimitReached``.
    mutating func check() throws {
        try note()
        let used = try store.mailboxes.downloads(by: mailbox)
        if let seconds = Self.wait(used, limit: bytesPerDay, at: UnixTime.now) {
            throw DownloadLimitReached(limit: bytesPerDay, seconds: seconds)
        }
    }

    /// The seconds until the last 24 hours leave room for a tenth of the limit; `nil` if there is room now. Pure.
    static func wait(_ used: [HourlyDownload], limit: UInt64, at now: UnixTime) -> Int64? {
        var sum = used.reduce(0) { $0 + $1.bytes }
        guard sum >= limit else { return nil }
        for hour in used.sorted(by: { $0.hour < $1.hour }) {
            sum -= hour.bytes
            if sum <= limit - limit / 10 { return max(60, (hour.hour + 24) * 3600 - now.seconds) }
        }
        return 60
    }
}

/// No fault: reading continues after a pause.
struct DownloadLimitReached: Error, CustomStringConvertible {
    let limit: UInt64
    let seconds: Int64

    var description: String {
        "\(limit / 1_000_000) MB were downloaded in 24 hours, which is this mailbox's download_limit: reading continues in \(max(1, seconds / 60)) minutes"
    }
}
