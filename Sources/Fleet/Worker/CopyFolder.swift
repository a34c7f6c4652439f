import DurableFiles
import Glibc

/// The folder of a worker's working copies. One worker uses it at a time.
final class CopyFolder: Sendable {
    private static let prefix = "household-"

    private let path: String
    /// Holds the lock until it is closed, also by the end of the process.
    private let lock: Int32

    /// Makes the folder if there is none, locks it and removes the copies of a former worker that was killed.
    init(_ path: String) throws(FleetError) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.fault(path) }
        lock = Glibc.open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.fault(path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw FleetError("\(path): another worker uses this folder: give each its own 'copies'")
        }
        for name in FolderEntries.names(path) ?? [] where name.hasPrefix(Self.prefix) { unlink("\(path)/\(name)") }
    }

    deinit { if lock >= 0 { close(lock) } }

    /// The file of a lease's copy.
    func file(of lease: Lease) -> String { "\(path)/\(Self.prefix)\(lease.household)-\(lease.fence).db" }

    /// Removes a copy that is closed, with its log.
    func remove(_ file: String) { for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) } }

    private static func fault(_ path: String) -> FleetError {
        FleetError("\(path): cannot be used: \(String(cString: strerror(errno)))")
    }
}
