import CMalloc
import Glibc

/// Release of memory that the start, or a pass over much mail, needed once.
public enum ProcessMemory {
    /// Allocations of more bytes are returned to the system when they are freed. This is malloc's own limit, which it
    /// would raise to the largest of them, to retain those below in an arena.
    private static let returned: CInt = 128 << 10

    /// Limits malloc to two arenas: each arena retains memory that its threads have freed. Call before any thread
    /// starts.
    public static func prepare() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, returned)
    }

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

    /// Drops pages of code and constants. Pages that are used again come from the page cache. Takes some tenths of a
    /// millisecond and frees half of what a start leaves resident.
    private static func releaseProgram() {
        // All headers of files are read before: that maps their pages again, with 15 around each.
        spendwise_with_segments { segments, count in
            // The program, which runs this, comes first in the list.
            for segment in UnsafeBufferPointer(start: segments, count: count).reversed() {
                guard let pages = ProcessMemory.unmodifiedPages(of: segment.address, segment.size, segment.flags) else {
                    continue
                }
                madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED)
            }
        }
    }

    /// The addresses of the whole pages of a segment that nothing writes, not even the dynamic linker: it writes into
    /// segments that are writable in the file, some of which it protects afterwards.
    ///
    /// - Parameter flags: those in the file, `PF_W` for a writable one (elf(5)).
    static func unmodifiedPages(of address: UInt, _ size: UInt, _ flags: UInt32) -> Range<UInt>? {
        guard flags & UInt32(PF_W) == 0 else { return nil }
        let page = UInt(getpagesize())
        // Not the rest of a page at either end, which may belong to the next segment.
        let (first, last) = ((address + page - 1) / page * page, (address + size) / page * page)
        return first < last ? first..<last : nil
    }
}

/// Growth of the process since it last returned memory. A release costs the pages that are read again, so it waits
/// until it is worth that.
public struct MemoryGrowth: Sendable {
    /// Growth in pages (4 MB) after which memory is returned.
    private static let limit = 1000
    /// Pages (8 MB) that a waiting process may read again after a release: they are in regular use.
    private static let regular = 2000

    /// Resident pages right after the last release.
    private var released = 0
    /// Resident pages from which growth is measured; `nil` until the first measurement after a release.
    private var base: Int? = 0

    public init() {}

    /// Call at intervals of some seconds.
    public mutating func isLarge(at pages: Int = ProcessMemory.pages) -> Bool {
        let base = base ?? min(pages, released + Self.regular)
        self.base = base
        return pages > base + Self.limit
    }

    /// Returns memory to the system, and measures further growth from the next measurement.
    public mutating func release() {
        ProcessMemory.release()
        wasReleased(leaving: ProcessMemory.pages)
    }

    mutating func wasReleased(leaving pages: Int) { (released, base) = (pages, nil) }
}
