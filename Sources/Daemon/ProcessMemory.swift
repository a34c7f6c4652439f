import CMalloc
import Glibc

/// What the process keeps of the memory that the start, or a pass over many mails, needed once.
enum ProcessMemory {
    /// To be called before threads are started. Each pool that malloc makes for threads keeps what its threads have freed: a few do, where few cores
    /// are to be shared.
    static func prepare() { mallopt(M_ARENA_MAX, 2) }

    /// Pages in memory, of 4 KiB, those of files among them (proc(5), `/proc/pid/statm`).
    static var pages: Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, CInt(text.count), file) != nil else { return 0 }
        return text.withUnsafeBufferPointer { line in
            guard let begin = line.baseAddress, let blank = strchr(begin, 0x20) else { return 0 }
            return strtol(blank + 1, nil, 10)
        }
    }

    /// Gives back what was freed, and pages of programs and libraries.
    static func release() {
        malloc_trim(0)
        releaseProgram()
    }

    /// Code and constants as they stand in the files: what is needed of them again comes back from the page cache. Some tenths of a millisecond;
    /// half of what a start leaves in memory.
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
                // What the dynamic linker changed stands in other mappings: of those that may be read only, the one at the file's beginning has no such page.
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
