import Chronology
import Glibc

/// Measures the CPU time of this thread, which other work on the machine does not change.
struct Stopwatch {
    private let start = Self.now()

    /// Seconds since it was created.
    var seconds: Double { Self.now() - start }

    private static func now() -> Double { Double(SystemClock.threadCPUTime.nanoseconds) / 1e9 }
}

/// The resident memory of this process.
enum ResidentMemory {
    /// Bytes, by proc_pid_statm(5); 0 without /proc.
    static var bytes: Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
