import Glibc

/// Threads that work on a ``RecordingQueue`` until it ends.
struct RecordingWorkers: ~Copyable {
    static let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private var threads: [pthread_t] = []
    var count: Int { threads.count }

    /// Starts fewer threads, down to none, if the system refuses more.
    init(_ count: Int, for queue: RecordingQueue) {
        for _ in 0..<count {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(queue)
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<RecordingQueue>.fromOpaque(argument).takeRetainedValue().work() }
                    return nil
                }, argument.toOpaque())
            guard status == 0 else {
                argument.release()
                return
            }
            threads.append(thread)
        }
    }

    mutating func join() {
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }
}
