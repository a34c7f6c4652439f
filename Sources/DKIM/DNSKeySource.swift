import Chronology
import Glibc
import Processes

/// Key records from DNS: cached, and looked up on threads of its own, so that no resolver delays a mailbox.
public final class DNSKeySource: KeySource, @unchecked Sendable {  // `state` is accessed only with `mutex` held
    /// Time that one mail waits for its keys.
    public static let waitLimit = Duration.seconds(2)
    /// Lookups at a time. Threads end when nothing is left to look up.
    static let threads = 4
    /// Names that wait for a thread. Further ones are unavailable at once.
    static let waitingNames = 256

    private struct State {
        var cache = KeyCache()
        var waiting: [KeyName] = []
        /// The waiting names and those that are being looked up.
        var pending: Set<KeyName> = []
        var threads = 0
        /// True after a lookup without an answer, until the next answer: no mail waits for its keys meanwhile.
        var isSilent = false
    }

    private let resolver: any TXTResolver
    private let waitLimit: Duration
    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled after each lookup.
    private let isAnswered = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    public init(resolver: any TXTResolver = DNSResolver(), waitLimit: Duration = DNSKeySource.waitLimit) {
        (self.resolver, self.waitLimit) = (resolver, waitLimit)
        pthread_mutex_init(mutex, nil)
        // Timed waits must not depend on the time of day.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(isAnswered, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(isAnswered)
        pthread_mutex_destroy(mutex)
        isAnswered.deallocate()
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    public func answers(for names: [KeyName]) -> [KeyAnswer] {
        locked {
            let now = SystemClock.bootTime.seconds
            let unknown = names.filter { state.cache.answer(for: $0, now: now) == nil }
            for name in unknown { enqueue(name) }
            wait(for: unknown)
            let end = SystemClock.bootTime.seconds
            // An answer that expired during the wait is still one.
            return names.map { state.cache.answer(for: $0, now: min(now, end)) ?? .unavailable }
        }
    }

    private func enqueue(_ name: KeyName) {
        guard !state.pending.contains(name), state.waiting.count < Self.waitingNames else { return }
        state.waiting.append(name)
        state.pending.insert(name)
        guard state.threads < Self.threads else { return }
        do throws(TooFewThreads) {
            try SystemThread { [self] in work() }.detach()
            state.threads += 1
        } catch {
            // Without any thread the next mail tries again.
            if state.threads == 0 { forgetWaiting() }
        }
    }

    private func forgetWaiting() {
        for name in state.waiting { state.pending.remove(name) }
        state.waiting = []
    }

    /// Waits until none of the names is pending, at most ``waitLimit``.
    private func wait(for names: [KeyName]) {
        let end = SystemClock.monotonic.nanoseconds + Int64(waitLimit / .nanoseconds(1))
        var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        while !state.isSilent, names.contains(where: state.pending.contains) {
            if pthread_cond_timedwait(isAnswered, mutex, &time) == ETIMEDOUT {
                if names.contains(where: state.pending.contains) { state.isSilent = true }
                return
            }
        }
    }

    /// Looks names up until none waits.
    private func work() {
        while let name = locked({ dequeue() }) {
            let found = resolver.records(of: name.text)
            locked {
                state.cache.insert(found, for: name, now: SystemClock.bootTime.seconds)
                state.pending.remove(name)
                state.isSilent = found == .failed
                pthread_cond_broadcast(isAnswered)
            }
        }
    }

    private func dequeue() -> KeyName? {
        guard !state.waiting.isEmpty else {
            state.threads -= 1
            return nil
        }
        return state.waiting.removeFirst()
    }
}
