internal import GRDB

/// The ledger on disk: what every mail became, the transactions, and how far each folder has been read.
///
/// One SQLite file in WAL mode. Any number of processes may open it: writers queue for a few seconds, readers never wait.
/// All calls block; call them from a thread of your own.
public final class Store: Sendable {
    /// Seconds to wait for another process's lock. A batch of 500 mails holds it for some 10 ms.
    public static let busyTimeout = 5

    public let path: String
    public let isReadOnly: Bool
    /// A pool and not a queue: an export or a web page reads its own snapshot while the mailbox threads go on writing.
    let pool: DatabasePool
    /// Seconds since 1970-01-01 UTC.
    let now: @Sendable () -> Int64

    /// Opens the database, makes it if there is none, and brings its schema up to date.
    ///
    /// - Parameter readOnly: opens it as it is, for a user who may not write it. It must exist.
    /// - Throws: `cannotOpen`, `notADatabase`, `newerSchema`, `olderSchema`, `busy`, `readOnly`, `diskFull`, `corrupt`.
    public convenience init(path: String, readOnly: Bool = false) throws(StoreError) {
        try self.init(path: path, readOnly: readOnly, now: Instant.now)
    }

    init(path: String, readOnly: Bool, now: @escaping @Sendable () -> Int64) throws(StoreError) {
        self.path = path
        isReadOnly = readOnly
        self.now = now
        do {
            try DatabaseFile.prepare(path: path, readOnly: readOnly)
            pool = try DatabasePool(path: path, configuration: Connection.configuration(readOnly: readOnly))
            if !readOnly { try Connection.makeDurable(pool) }
            try Schema.bringUpToDate(pool, path: path, readOnly: readOnly)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// One transaction: all of `body`, or nothing of it.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try pool.write(body) } catch { throw StoreError(error, path: path) }
    }

    /// One snapshot: `body` sees the database as of one instant.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
    }

    func notFound(_ what: String) -> StoreError {
        StoreError(kind: .notFound, path: path, message: "there is no \(what)")
    }
}
