public import Chronology
internal import GRDB
public import Ledger
import Synchronization

/// The handle of the ledger's database file.
///
/// The ledger is one SQLite file in WAL mode. Any number of processes may open it: writers wait for each other up to
/// ``busyTimeout``, readers never wait. All calls block, and reads through one handle wait for each other; call them
/// from a thread of your own.
///
/// Repositories, one for each part of the ledger, hold the queries: `store.transactions.find(7)`. Each such call is one
/// snapshot or transaction. ``ReadScope/read(_:)`` and ``WriteScope/write(_:)`` put several calls into one:
/// ```
/// try store.write { store in
///     try store.review.accept(id, by: actor)
///     try store.audit.append(event)
/// }
/// ```
public final class Store: WriteScope, Sendable {
    /// Seconds to wait for another process's lock. A batch of 500 mails holds it for about 10 ms.
    public static let busyTimeout = 5

    public let path: String
    public let isReadOnly: Bool
    /// Two connections, which WAL allows to work at the same time: an export reads its snapshot while the mailbox
    /// threads write. GRDB's pool does the same for 2.5 MB more and a slower start. If opened read-only, both are one.
    let writer: DatabaseQueue
    let reader: DatabaseQueue
    let now: @Sendable () -> UnixTime
    /// The zone in which a day begins and a transaction is entered by hand: `timezone` of the configuration.
    let zone: IANATimeZone
    /// The currency of totals over several accounts: `home_currency` of the configuration.
    let homeCurrency: Currency
    private let policy: Mutex<NotificationPolicy?>
    /// `backup_due` of the configuration.
    let backupDays = Mutex<Int?>(nil)
    let damage: DamageGate
    /// Set if the file is a working copy of rows in another database.
    let copy: WorkingCopy?
    let wait: BusyWait
    let idle = IdleCheck()
    /// Events that this process writes for its sinks.
    var notificationPolicy: NotificationPolicy? { policy.withLock { $0 } }

    /// Opens the database, creates it if there is none, and migrates its schema.
    ///
    /// - Parameter readOnly: opens it without changes, for a user who may not write it. It must exist.
    /// - Throws: `cannotOpen`, `notADatabase`, `newerSchema`, `olderSchema`, `busy`, `readOnly`, `diskFull`, `corrupt`.
    public convenience init(
        path: String, readOnly: Bool = false, timeZone: IANATimeZone = .kolkata, homeCurrency: Currency = .inr
    ) throws(StoreError) {
        try self.init(
            path: path, readOnly: readOnly, timeZone: timeZone, homeCurrency: homeCurrency, now: { UnixTime.now })
    }

    init(
        path: String, readOnly: Bool, wait: BusyWait = BusyWait(), timeZone: IANATimeZone = .kolkata,
        homeCurrency: Currency = .inr, primary: (any LedgerPrimary)? = nil, now: @escaping @Sendable () -> UnixTime
    ) throws(StoreError) {
        self.wait = wait
        self.path = path
        isReadOnly = readOnly
        self.now = now
        zone = timeZone
        self.homeCurrency = homeCurrency
        policy = Mutex(nil)
        damage = DamageGate(path: path)
        do {
            let configuration = Connection.configuration(readOnly: readOnly, wait: wait, isCopy: primary != nil)
            writer = try Schema.retryingWhileBusy(wait) {
                try DatabaseFile.prepare(path: path, readOnly: readOnly, wait: wait)
                let writer = try DatabaseQueue(path: path, configuration: configuration)
                if readOnly { try DatabaseFile.examine(writer, path: path) }
                try Schema.bringUpToDate(writer, path: path, readOnly: readOnly)
                return writer
            }
            copy = try primary.map { [writer] in try WorkingCopy(writer, of: $0, wait: wait) }
            reader =
                readOnly
                ? writer
                : try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: true, wait: wait))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The ledger of another handle as a user sees it.
    init(_ whole: Store, viewedBy user: Int64) throws(StoreError) {
        (path, isReadOnly, now, zone) = (whole.path, whole.isReadOnly, whole.now, whole.zone)
        (homeCurrency, wait, damage, copy) = (whole.homeCurrency, whole.wait, whole.damage, whole.copy)
        policy = Mutex(nil)
        let view = LedgerView(user: user)
        do {
            writer = try DatabaseQueue(
                path: path,
                configuration: Connection.configuration(
                    readOnly: isReadOnly, wait: wait, view: view, isCopy: copy != nil))
            reader =
                isReadOnly
                ? writer
                : try DatabaseQueue(
                    path: path, configuration: Connection.configuration(readOnly: true, wait: wait, view: view))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    public var access: DatabaseAccess { DatabaseAccess(store: self, open: nil) }

    /// Makes each further write also write the events of `policy`, in the same transaction. `nil` disables this, at no
    /// cost.
    public func announce(_ policy: NotificationPolicy?) { self.policy.withLock { $0 = policy } }

    /// Ends all present and later waits for another process's lock within half a second; such calls throw `busy`. Used
    /// for a stop.
    public func interrupt() { wait.interrupt() }

    /// Releases cached pages, prepared statements and the parsed schema of each connection: about a megabyte of an idle
    /// ledger. The next statement reads the schema again, which takes some milliseconds.
    public func releaseMemory() {
        for connection in writer === reader ? [writer] : [writer, reader] {
            connection.releaseMemory()
            Connection.forgetTables(connection)
        }
        copy?.releaseMemory()
    }
}

extension Store {
    /// Runs `body` in one transaction.
    func writeDatabase<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try refuseIfDamaged()
        do {
            return try commit { db in
                let result = try body(db)
                try AuditChain.seal(db)
                return result
            }
        } catch {
            throw reported(StoreError(error, path: path))
        }
    }

    /// One transaction of the writing connection; every write goes through it.
    func commit<Result>(_ body: (Database) throws -> Result) throws -> Result {
        guard let copy else { return try writer.write(body) }
        return try copy.write(on: writer, body)
    }

    /// Runs `body` in one snapshot.
    func readDatabase<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try reader.read(body) } catch {
            let error = StoreError(error, path: path)
            if error.kind == .corrupt { damage.suspect() }
            throw error
        }
    }

    /// The writing connection outside a transaction, for statements that SQLite refuses within one.
    func withoutTransaction(_ body: (Database) throws -> Void) throws(StoreError) {
        do { try writer.writeWithoutTransaction(body) } catch { throw StoreError(error, path: path) }
    }

    /// Converts database errors to ``StoreError``; the caller's errors pass unchanged.
    func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError { throw reported(StoreError(error, path: path)) }
    }

    /// Reports a fault that needs a person directly, because the outbox needs a writable database.
    func reported(_ error: StoreError) -> StoreError {
        if error.kind == .corrupt { damage.suspect() }
        switch error.kind {
        case .diskFull, .corrupt, .readOnly: notificationPolicy?.databaseFault(error)
        default: break
        }
        return error
    }
}
