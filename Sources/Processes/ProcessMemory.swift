import CMalloc
import Glibc

/// Release of memory that the start, or a pass over much mail, needed once.
public enum ProcessMemory {
    /// Limits malloc to two arenas: each arena retains memory that its threads have freed. Call before any thread
    /// starts.
    public static func prepare() { mallopt(M_ARENA_MAX, 2) }

    /// Resident pages of 4 KiB, including those of files (proc(5), `/proc/pid/statm`).
    public static var pages: Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, CInt(text.count), file) != nil else { return 0 }
        return text.withUnsafeBufferPointer { line in
            guard let begin = line.baseAddress, let blank = strchr(begin, 0x20) else { return 0 }
            return strtol(blank + 1, nil, 10)
        }
    }

    /// Returns freed memory, and resident pages of the program and its libraries, to the system.
    public static func release() {
        malloc_trim(0)
        releaseProgram()
    }

    /// Drops unmodified pages of code and constants. Pages that are used again come from the page cache. Takes some
    /// tenths of a millisecond and frees half of what a start leaves resident.
    private static func releaseProgram() {
        guard let maps = fopen("/proc/self/maps", "re") else { return }
        defer { fclose(maps) }
        var text = [CChar](repeating: 0, count: 512)
        while fgets(&text, CInt(text.count), maps) != nil {
            text.withUnsafeBufferPointer { line in
                // `start-end r-xp offset device inode path`, proc_pid_maps(5).
                guard let begin = line.baseAddress, let dash = strchr(begin, 0x2D), let mode = strchr(dash, 0x20),
                    let offset = strchr(mode + 1, 0x20),
                    strchr(offset, 0x2F) != nil
                else { return }
                // Pages that the dynamic linker modified are in other mappings: the read-only mapping at the beginning
                // of a file has none.
                guard
                    strncmp(mode, " r-xp", 5) == 0
                        || (strncmp(mode, " r--p", 5) == 0 && strtoul(offset + 1, nil, 16) == 0)
                else { return }
                let (start, end) = (strtoul(begin, nil, 16), strtoul(dash + 1, nil, 16))
                if start < end { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED) }
            }
        }
    }
}

/// Growth of the process since it last returned memory. A release costs the pages that are read again, so it waits
/// until it is worth that.
public struct MemoryGrowth: Sendable {
    /// Growth in pages (4 MB) after which memory is returned.
    private static let limit = 1000

    /// Resident pages after the last release.
    private var pages = 0

    public init() {}

    public func isLarge(at pages: Int = ProcessMemory.pages) -> Bool { pages > self.pages + Self.limit }

    /// Returns memory to the system, and measures further growth from here.
    public mutating func release() {
        ProcessMemory.release()
        pages = ProcessMemory.pages
    }
}
