import DurableFiles
import Glibc
import Store
import Synchronization

/// The folder of a process's working copies. One process uses it at a time.
public final class CopyFolder: Sendable {
    private static let prefix = "household-"

    private let path: String
    /// Holds the lock until it is closed, also by the end of the process.
    private let lock: Int32
    private let number = Atomic(0)

    /// Makes the folder if there is none, locks it and removes the copies of a former process that was killed.
    public init(_ path: String) throws(FleetError) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.fault(path) }
        lock = Glibc.open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.fault(path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw FleetError("\(path): another process uses this folder: give each its own 'copies'")
        }
        for name in FolderEntries.names(path) ?? [] where name.hasPrefix(Self.prefix) { unlink("\(path)/\(name)") }
    }

    deinit { if lock >= 0 { close(lock) } }

    /// The file of a lease's copy.
    func file(of lease: Lease) -> String { "\(path)/\(Self.prefix)\(lease.household)-\(lease.fence).db" }

    /// A file for a replica's next copy of a household, which may be open a second time while the former one is closed.
    public func file(of household: Int64) -> String {
        "\(path)/\(Self.prefix)\(household)-r\(number.add(1, ordering: .relaxed).newValue).db"
    }

    /// Removes a copy that is closed, with its log.
    public func remove(_ file: String) { LedgerFiles.remove(file) }

    private static func fault(_ path: String) -> FleetError {
        FleetError("\(path): cannot be used: \(String(cString: strerror(errno)))")
    }
}
