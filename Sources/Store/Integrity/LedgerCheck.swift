import Chronology
internal import GRDB
import Glibc
import Synchronization

/// A check of the structure of a ledger's file: `PRAGMA quick_check` reads every page once, without comparing indexes
/// with their tables.
///
/// Uses a connection of its own, so that neither readers nor writers wait. Linear in the file's size: 0.05 s for 107 MB
/// in the page cache (100,000 rows, one index).
public final class LedgerCheck: Sendable {
    /// Further defects are rarely of another kind.
    private static let defectLimit = 20

    private let path: String
    private let isStopped = Atomic(false)
    private let running = Mutex<DatabaseQueue?>(nil)

    public init(path: String) { self.path = path }

    /// Runs the check. Blocks.
    ///
    /// - Returns: the defects; `nil` if ``interrupt()`` ended it.
    /// - Throws: `busy`, `cannotOpen`, if the file could not be checked.
    public func run() throws(StoreError) -> [String]? {
        do {
            let queue = try DatabaseQueue(
                path: path, configuration: Connection.configuration(readOnly: true, wait: BusyWait()))
            running.withLock { $0 = queue }
            defer { running.withLock { $0 = nil } }
            return try queue.read { db in
                guard !isStopped.load(ordering: .relaxed) else { return nil }
                return try String.fetchAll(db, sql: "PRAGMA quick_check(\(Self.defectLimit))").flatMap(Self.lines)
            }
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_INTERRUPT: return nil
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR:
                return ["SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "no details")"]
            default: throw StoreError(error, path: path)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Ends the check within the time of one page.
    public func interrupt() {
        isStopped.store(true, ordering: .relaxed)
        running.withLock { $0?.interrupt() }
    }

    /// SQLite reports some defects of one tree in one text of several lines.
    private static func lines(_ text: String) -> [String] {
        text == "ok" ? [] : text.split(separator: "\n").map(String.init)
    }
}

extension Store {
    /// The result of the last check.
    public var lastCheck: CheckRecord { CheckRecord(of: path) }

    /// True once after SQLite found damage in passing.
    public func consumeSuspicion() -> Bool { damage.consumeSuspicion() }

    /// True if nothing was written for a minute.
    public func isQuiet() -> Bool {
        var status = stat()
        guard stat(path + "-wal", &status) == 0 else { return true }
        return now().seconds - Int64(status.st_mtim.tv_sec) >= 60
    }

    /// Reports damage at once: the ledger cannot hold this notification.
    public func reportDamage() {
        if let refusal = lastCheck.refusal(of: path) { notificationPolicy?.databaseFault(refusal) }
    }

    /// - Throws: `corrupt` if the last check failed.
    func refuseIfDamaged() throws(StoreError) {
        do { try damage.pass() } catch {
            notificationPolicy?.databaseFault(error)
            throw error
        }
    }
}
