import Glibc

/// Runs blocking code on a new thread, so that it does not occupy a thread of the cooperative pool, which has one per
/// core. For short work: if the system refuses a thread, the work runs on the caller's.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    do { return try await onDedicatedThread(body) } catch { return body() }
}

/// Like ``onThread(_:)``, for work that lasts as long as the process. Throws if the system refuses a thread: on a
/// thread of the pool such work would block signals, watchdog and web server.
public func onDedicatedThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        do throws(TooFewThreads) { try SystemThread { continuation.resume(returning: body()) }.detach() } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// A thread that runs one closure. Call either ``join()`` or ``detach()``, once.
public struct SystemThread: Sendable {
    private let thread: pthread_t

    /// Throws if the system refuses a thread. Nothing runs then.
    public init(_ body: @escaping @Sendable () -> Void) throws(TooFewThreads) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            throw TooFewThreads(reason: String(cString: strerror(status)))
        }
        self.thread = thread
    }

    /// Waits until the closure has returned.
    public func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself.
    public func detach() { pthread_detach(thread) }
}

/// Error: the system refused to create a thread.
public struct TooFewThreads: Error, CustomStringConvertible {
    let reason: String

    /// Threads for the runtime, its signals and timers, and the web server.
    private static let reserve = 16 + 2 * Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Creates `count` threads and a reserve at the same time, and ends them. Throws if the system refuses one. Takes
    /// about 20 microseconds a thread.
    public static func probe(_ count: Int) throws(TooFewThreads) {
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
            throw TooFewThreads(
                reason: "\(String(cString: strerror(status))) at \(threads.count + 1) of \(count + reserve)")
        }
    }

    public var description: String {
        """
        too few threads (\(reason)). Each mailbox needs one: raise TasksMax= in the unit \
        ('systemctl edit spendwise-ingest'), 'ulimit -u' elsewhere, or name fewer mailboxes
        """
    }
}

/// A closure passed through a `void *`.
fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
