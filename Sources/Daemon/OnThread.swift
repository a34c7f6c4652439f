import Glibc

/// Runs blocking code on a thread of its own and waits for it without holding one of the cooperative pool, which has as many threads as cores.
/// For what is soon over: where the system gives no thread it is done on the caller's, better slow than not at all.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    do { return try await onThreadOfItsOwn(body) } catch { return body() }
}

/// The same for what goes on as long as the process: on a thread of the pool it would keep signals, watchdog and web from theirs.
func onThreadOfItsOwn<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return continuation.resume(throwing: NoThread(reason: String(cString: strerror(status))))
        }
        pthread_detach(thread)
    }
}

/// The system refused to make a thread.
struct NoThread: Error, CustomStringConvertible {
    let reason: String

    /// For what starts threads by itself and cannot go on without: the runtime, its signals and timers, the web side.
    private static let reserve = 16 + 2 * Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Tries whether so many can be had at the same time, and a reserve. Some 20 microseconds each.
    static func probe(_ count: Int) throws(NoThread) {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(gate, nil)
        var threads: [pthread_t] = []
        var status: CInt = 0
        pthread_mutex_lock(gate)
        while threads.count < count + reserve, status == 0 {
            var thread = pthread_t()
            status = pthread_create(
                &thread, nil,
                { gate in
                    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    pthread_mutex_lock(gate)
                    pthread_mutex_unlock(gate)
                    return nil
                }, gate)
            if status == 0 { threads.append(thread) }
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        gate.deallocate()
        if status != 0 {
            throw NoThread(reason: "\(String(cString: strerror(status))) at \(threads.count + 1) of \(count + reserve)")
        }
    }

    var description: String {
        """
        there are too few threads (\(reason)). Each mailbox needs one: raise TasksMax= in the unit \
        ('systemctl edit spendwise-ingest'), 'ulimit -u' elsewhere, or name fewer mailboxes
        """
    }
}

/// A closure on its way to a thread.
fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
