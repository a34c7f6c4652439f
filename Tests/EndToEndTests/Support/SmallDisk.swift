import Foundation
import Glibc

/// A small tmpfs.
final class SmallDisk {
    let path: String

    init(kilobytes: Int, in scratch: Scratch) throws {
        path = scratch.fresh("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw Failed(description: "mount: \(String(cString: strerror(errno)))")
        }
    }

    func resize(toKilobytes size: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)k") == 0 else {
            throw Failed(description: "remount: \(String(cString: strerror(errno)))")
        }
    }

    var usedKilobytes: Int {
        var figures = statvfs()
        return statvfs(path, &figures) == 0 ? Int(figures.f_blocks - figures.f_bfree) * Int(figures.f_frsize) / 1024 : 0
    }

    /// Makes the file system read-only or writable.
    func freeze(_ on: Bool, kilobytes size: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | (on ? UInt(MS_RDONLY) : 0), "size=\(size)k") == 0 else {
            throw Failed(description: "remount: \(String(cString: strerror(errno)))")
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Root in a container may not mount.
    static let isPossible: Bool = {
        guard getuid() == 0, let scratch = try? Scratch() else { return false }
        return (try? SmallDisk(kilobytes: 64, in: scratch)) != nil
    }()
}
