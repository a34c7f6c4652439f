import Glibc

/// Gives memory back that only the start has used.
///
/// Parsing the configuration, compiling patterns and opening the database run through most of the program and of its libraries once. Their
/// pages can be read again from the files at any time, so those that are needed no more cost nothing after this.
enum StartupMemory {
    static func release() {
        for mapping in fileMappings() { madvise(mapping.start, mapping.length, MADV_DONTNEED) }
    }

    /// The read-only mappings of files in which no page was changed: code and constants, as they stand in the file.
    private static func fileMappings() -> [(start: UnsafeMutableRawPointer?, length: Int)] {
        guard let file = fopen("/proc/self/smaps", "re") else { return [] }
        defer { fclose(file) }
        var found: [(start: UnsafeMutableRawPointer?, length: Int)] = []
        var mapping: (start: UnsafeMutableRawPointer?, length: Int)?
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        while getline(&buffer, &capacity, file) > 0, let buffer {
            let words = String(cString: buffer).split(whereSeparator: \.isWhitespace)
            if let range = words.first, !range.hasSuffix(":") {
                // `start-end rw-p offset device inode path`, proc_pid_smaps(5).
                mapping = nil
                let ends = range.split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard words.count == 6, words[5].hasPrefix("/"), words[1].hasPrefix("r-"), words[1].hasSuffix("p"), ends.count == 2, ends[0] < ends[1] else { continue }
                mapping = (UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]))
            } else if let known = mapping, words.count == 3, words[0] == "Anonymous:" {
                // Anonymous pages are changed ones: relocated data, a debugger's breakpoints.
                if words[1] == "0" { found.append(known) }
                mapping = nil
            }
        }
        return found
    }
}
