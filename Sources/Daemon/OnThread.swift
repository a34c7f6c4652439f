import Glibc

/// Runs blocking code on a thread of its own and waits for it without holding one of the cooperative pool, which has as many threads as cores.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            // No thread to be had: better slow than not at all.
            work.takeRetainedValue().body()
            return
        }
        pthread_detach(thread)
    }
}

/// A closure on its way to a thread.
private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
