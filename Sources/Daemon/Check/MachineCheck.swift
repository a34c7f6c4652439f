import CTimex
import Glibc

/// The disk of the ledger and the clock.
enum MachineCheck {
    /// Bytes. A first pass of a year writes some 100 MB, and a migration copies the ledger; a full disk stops reading.
    private static let littleSpace: UInt64 = 500_000_000
    private static let noSpace: UInt64 = 20_000_000

    /// - Parameter folder: that of the ledger.
    static func disk(_ folder: String) -> Finding {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            return Finding(level: .failed, subject: "disk", detail: "\(folder): \(String(cString: strerror(errno)))")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let detail = "\(free / 1_000_000) MB free in \(folder)"
        if status.f_flag & UInt(ST_RDONLY) != 0 {
            return Finding(level: .failed, subject: "disk", detail: "\(folder) is mounted read-only")
        }
        if free < noSpace { return Finding(level: .failed, subject: "disk", detail: detail) }
        // Some file systems have no inodes to count.
        let isWithoutFiles = status.f_files > 0 && status.f_favail < 100
        return free < littleSpace || isWithoutFiles
            ? .warning("disk", isWithoutFiles ? "\(detail), but hardly any inodes" : detail) : .ok("disk", detail)
    }

    /// Asks the kernel, which every time service keeps informed.
    static func clock() -> Finding {
        var state = timex()
        guard adjtimex(&state) >= 0 else {
            return .warning("clock", "its state is unknown: \(String(cString: strerror(errno)))")
        }
        return state.status & STA_UNSYNC == 0
            ? .ok("clock", "set by a time service")
            : .warning("clock", "no time service sets it; dates of mails and TLS need it: timedatectl set-ntp true")
    }
}
