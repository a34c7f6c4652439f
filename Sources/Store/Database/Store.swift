internal import GRDB
import Ledger
import Synchronization

/// The ledger on disk: what every mail became, the transactions, and how far each folder has been read.
///
/// One SQLite file in WAL mode. Any number of processes may open it: writers queue for a few seconds, readers never wait.
/// All calls block, and calls that read wait for each other within one `Store`; call them from a thread of your own.
public final class Store: Sendable {
    /// Seconds to wait for another process's lock. A batch of 500 mails holds it for some 10 ms.
    public static let busyTimeout = 5

    public let path: String
    public let isReadOnly: Bool
    /// Two connections, which WAL lets work at the same time: an export reads its snapshot while the mailbox threads go on writing.
    /// GRDB's pool would do the same for 2.5 MB more and a slower start. Opened read-only, both are one.
    let writer: DatabaseQueue
    private let reader: DatabaseQueue
    /// Seconds since 1970-01-01 UTC.
    let now: @Sendable () -> Int64
    private let announced: Mutex<Announcing?>
    /// What this process announces.
    var announcing: Announcing? { announced.withLock { $0 } }
    /// The transaction that every call is a part of, see ``together(_:)``; only the thread that runs it has this store.
    private nonisolated(unsafe) let open: Database?

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
        announced = Mutex(nil)
        open = nil
        do {
            try DatabaseFile.prepare(path: path, readOnly: readOnly)
            writer = try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: readOnly))
            try Schema.bringUpToDate(writer, path: path, readOnly: readOnly)
            reader =
                readOnly
                ? writer : try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: true))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private init(_ store: Store, within db: Database) {
        path = store.path
        isReadOnly = store.isReadOnly
        writer = store.writer
        reader = store.reader
        now = store.now
        announced = Mutex(store.announcing)
        open = db
    }

    /// Several calls as one transaction: all of what `body` does through the store that it is given, or nothing of it. It reads what it has written.
    ///
    /// - Parameter body: does not keep that store, does not call this one, and lets no error of a call pass: what that call did before it stands otherwise.
    /// - Throws: what `body` throws; otherwise a ``StoreError``.
    public func together<Result>(_ body: (Store) throws -> Result) throws -> Result {
        if open != nil { return try body(self) }
        do { return try writer.write { db in try body(Store(self, within: db)) } } catch let error as DatabaseError {
            throw told(StoreError(error, path: path))
        }
    }

    /// From now on each write also writes down what is to be told of it, in the same transaction. `nil`: nothing is, and nothing is paid for it.
    public func announce(_ announcing: Announcing?) { announced.withLock { $0 = announcing } }

    /// One transaction: all of `body`, or nothing of it.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try open.map(body) ?? writer.write(body) } catch { throw told(StoreError(error, path: path)) }
    }

    /// Trouble that a person must mend is announced past the database, which cannot be written.
    private func told(_ error: StoreError) -> StoreError {
        switch error.kind {
        case .diskFull, .corrupt, .readOnly: announcing?.trouble(error)
        default: break
        }
        return error
    }

    /// The writing connection outside of a transaction, for what SQLite refuses within one.
    func withoutTransaction(_ body: (Database) throws -> Void) throws(StoreError) {
        do { try writer.writeWithoutTransaction(body) } catch { throw StoreError(error, path: path) }
    }

    /// One snapshot: `body` sees the database as of one instant.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try open.map(body) ?? reader.read(body) } catch { throw StoreError(error, path: path) }
    }

    /// Gives back cached pages and prepared statements: after a pass over many mails, little of it is needed soon.
    public func releaseMemory() {
        writer.releaseMemory()
        if reader !== writer { reader.releaseMemory() }
    }

    func notFound(_ what: String) -> StoreError {
        StoreError(kind: .notFound, path: path, message: "there is no \(what)")
    }

    func conflict(_ what: String) -> StoreError { StoreError(kind: .conflict, path: path, message: what) }

    /// The values could stand in the ledger if it had what they name.
    func missing(_ field: String, _ detail: String) -> StoreError {
        StoreError(kind: .conflict, path: path, message: "\(field): \(detail)", fields: [FieldProblem(field, detail)])
    }

    func invalid(_ problems: [FieldProblem]) -> StoreError {
        StoreError(
            kind: .invalid, path: path, message: problems.map { "\($0.field): \($0.detail)" }.joined(separator: "; "),
            fields: problems)
    }
}
