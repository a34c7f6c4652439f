import Glibc
import Processes

/// Threads that work on a ``RecordingQueue`` until it ends.
struct RecordingWorkers: ~Copyable {
    static let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private var threads: [SystemThread] = []
    var count: Int { threads.count }

    /// Starts fewer threads, down to none, if the system refuses more.
    init(_ count: Int, for queue: RecordingQueue) {
        for _ in 0..<count {
            guard let thread = try? SystemThread({ queue.work() }) else { return }
            threads.append(thread)
        }
    }

    mutating func join() {
        for thread in threads { thread.join() }
        threads = []
    }
}
