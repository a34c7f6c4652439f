import Glibc

/// Gives back what only the start and the first pass have used.
enum IdleMemory {
    /// The program's own pages of code and constants: those that watching needs come back from the page cache, a third of them.
    static func release() {
        guard let maps = fopen("/proc/self/maps", "re") else { return }
        defer { fclose(maps) }
        // The program stands first (proc_pid_maps(5)): `start-end r-xp …`. Pages that were changed, by the dynamic linker, stand in other mappings.
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, CInt(line.count), maps) != nil else { return }
        line.withUnsafeBufferPointer { line in
            guard let begin = line.baseAddress, let dash = strchr(begin, 0x2D), let blank = strchr(dash, 0x20), strncmp(blank + 1, "r-xp", 4) == 0 else { return }
            let (start, end) = (strtoul(begin, nil, 16), strtoul(dash + 1, nil, 16))
            if start < end { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED) }
        }
    }
}
