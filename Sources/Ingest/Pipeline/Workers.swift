import Glibc

/// Threads that work at one bench until its end.
struct Workers: ~Copyable {
    static let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private var threads: [pthread_t] = []
    var count: Int { threads.count }

    /// Fewer where the system gives no more, down to none.
    init(_ count: Int, at bench: WorkBench) {
        for _ in 0..<count {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(bench)
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<WorkBench>.fromOpaque(argument).takeRetainedValue().work() }
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
