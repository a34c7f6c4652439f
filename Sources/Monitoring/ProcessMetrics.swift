public import Chronology
import Glibc

/// Metrics of this process, named as in Prometheus' client libraries.
public struct ProcessMetrics: Sendable {
    var startTime: UnixTime
    var residentBytes: Int64?

    public static func now(startTime: UnixTime) -> ProcessMetrics {
        ProcessMetrics(startTime: startTime, residentBytes: residentBytes)
    }

    /// Appends them to a page.
    public func write(to page: inout Exposition) {
        page.gauge(
            "process_start_time_seconds", "Start of the process since the Unix epoch in seconds.",
            Double(startTime.seconds))
        if let residentBytes {
            page.gauge("process_resident_memory_bytes", "Resident memory size in bytes.", Double(residentBytes))
        }
    }

    /// The resident set size: the second number of /proc/self/statm, in pages (proc(5)).
    private static var residentBytes: Int64? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(file, &buffer, buffer.count)
        let words = buffer.prefix(max(0, count)).split(separator: 0x20)
        return words.count > 1
            ? Int64(String(decoding: words[1], as: UTF8.self)).map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}
