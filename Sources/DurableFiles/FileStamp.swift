public import Glibc

/// The state of a file or folder (stat(2)): it differs for another file of the same name, and for a changed one.
///
/// Times have a resolution of some milliseconds, on FAT of two seconds: a file that changes twice within that time may
/// keep its stamp, see ``isSettled(at:)``.
public struct FileStamp: Hashable, Sendable {
    public let device: Int64
    public let inode: Int64
    /// Bytes.
    public let size: Int64
    /// The last modification, in nanoseconds since 1970-01-01 UTC.
    public let modifiedAt: Int64
    /// The last change of the inode, in nanoseconds since 1970-01-01 UTC. No program can set it.
    public let changedAt: Int64

    private static let coarsestTime: Int64 = 2_000_000_000

    public init(device: Int64, inode: Int64, size: Int64, modifiedAt: Int64, changedAt: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
    }

    public init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        self.init(
            device: Int64(truncatingIfNeeded: status.st_dev), inode: Int64(truncatingIfNeeded: status.st_ino),
            size: Int64(status.st_size), modifiedAt: nanoseconds(status.st_mtim),
            changedAt: nanoseconds(status.st_ctim))
    }

    /// The file that the path leads to; `nil` if none is there or it cannot be reached, with the reason in `errno`.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// True if a change from now on will show in the stamp.
    ///
    /// - Parameter seconds: now, in seconds since 1970-01-01 UTC.
    public func isSettled(at seconds: Int64) -> Bool {
        max(modifiedAt, changedAt) < seconds &* 1_000_000_000 &- Self.coarsestTime
    }
}
