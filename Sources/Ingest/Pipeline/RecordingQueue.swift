import Chronology
import Glibc
import IMAP
import Store

/// Bounded queue between the thread that fetches messages and the threads that decide and record them.
final class RecordingQueue: @unchecked Sendable {  // `state` is accessed only with `mutex` held
    /// Limit of undecided bytes. Above it the fetching thread waits; one message always fits.
    static let waitingBytes = 512 << 10
    /// Messages per commit if many are ready. Each commit rewrites index pages that are in no order of time, so fewer
    /// commits write less.
    static let commitMails = 512
    /// The same limit in retained bytes. Twice as much may be in memory: one part is being written while the next
    /// waits.
    static let commitBytes = 3 << 19
    /// The time a commit waits for more messages while they arrive one by one.
    static let commitPause = Duration.milliseconds(100)
    /// Number of messages that wake a worker, and that it dequeues at once: deciding a message is faster than waking a
    /// thread.
    static let mailsAtOnce = 8

    /// A batch that may be committed when all its messages are decided.
    private struct Closed {
        let answered: AnsweredBatch
        /// Ascending.
        let uids: [UID]
        /// The UIDs not decided yet.
        var left: Set<UID>
        /// Retained bytes of its decided messages.
        var bytes = 0
    }

    private struct State {
        var messages: [FetchedMessage] = []
        var waitingBytes = 0
        /// UIDs that are enqueued and not part of a batch yet.
        var open: [UID] = []
        var decided: [UID: MailEntry] = [:]
        var closed: [Closed] = []
        var isRecording = false
        var lastCommit = ContinuousClock.now
        var isEnding = false
        var commits: [BatchCommit] = []
        var failure: (any Error)?
    }

    private enum Work {
        case decide(ArraySlice<FetchedMessage>)
        case record([AnsweredBatch], [MailEntry])
    }

    private let recorder: FolderRecorder
    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled for the workers: there is work, or the queue ends.
    private let hasWork = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Signalled for the fetching thread: there is room again.
    private let room = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(recorder: FolderRecorder) {
        self.recorder = recorder
        pthread_mutex_init(mutex, nil)
        // Timed waits must not depend on the time of day.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(hasWork, &attributes)
        pthread_condattr_destroy(&attributes)
        pthread_cond_init(room, nil)
    }

    deinit {
        pthread_cond_destroy(room)
        pthread_cond_destroy(hasWork)
        pthread_mutex_destroy(mutex)
        room.deallocate()
        hasWork.deallocate()
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// - Parameter waiting: blocks while the queue is full.
    func enqueue(_ message: FetchedMessage, waiting: Bool) {
        locked {
            while waiting, state.waitingBytes > 0, state.waitingBytes + message.bytes.count > Self.waitingBytes,
                state.failure == nil
            {
                pthread_cond_broadcast(hasWork)
                pthread_cond_wait(room, mutex)
            }
            state.messages.append(message)
            state.waitingBytes += message.bytes.count
            state.open.append(message.uid)
            if state.messages.count % Self.mailsAtOnce == 0 { pthread_cond_signal(hasWork) }
        }
    }

    func enqueue(_ answered: AnsweredBatch, waiting: Bool) {
        locked {
            while waiting, isLarge(state.closed), state.failure == nil { pthread_cond_wait(room, mutex) }
            // Messages of several FETCH commands arrive interleaved. Messages of later commands wait for the batch of
            // their command.
            let through = answered.batch.through
            let uids = state.open.filter { $0 <= through }.sorted()
            state.open.removeAll { $0 <= through }
            let left = Set(uids.filter { state.decided[$0] == nil })
            let bytes = uids.reduce(0) { $0 + (state.decided[$1]?.raw?.count ?? 0) }
            state.closed.append(Closed(answered: answered, uids: uids, left: left, bytes: bytes))
            pthread_cond_broadcast(hasWork)
        }
    }

    /// Removes and returns the commits since the last call, with the error that stopped the queue, if any.
    func removeCommits() -> (commits: [BatchCommit], failure: (any Error)?) {
        locked {
            defer { state.commits = [] }
            return (state.commits, state.failure)
        }
    }

    /// Ends the queue. Closed batches are still committed; messages of no batch are dropped.
    func end() {
        locked {
            state.isEnding = true
            if let last = state.closed.last?.answered.batch.through {
                state.messages.removeAll { $0.uid > last }
            } else {
                state.messages = []
            }
            pthread_cond_broadcast(hasWork)
        }
    }

    /// Runs a worker until the queue ends.
    func work() { while workOnce(waiting: true) {} }

    /// Does one piece of work.
    ///
    /// - Parameter waiting: blocks until there is work.
    /// - Returns: false if there was no work.
    func workOnce(waiting: Bool = false) -> Bool {
        guard let next = locked({ dequeue(waiting: waiting) }) else { return false }
        switch next {
        case .decide(let messages):
            let entries = messages.map { ($0.uid, recorder.entry(for: $0)) }
            locked { for (uid, entry) in entries { add(entry, for: uid) } }
        case .record(let batches, let entries):
            guard let last = batches.last else { break }
            let result = Result { try recorder.record(entries, advancing: last.cursor) }
            locked { add(result, batches, entries.count) }
        }
        return true
    }

    /// Prefers a complete batch to undecided messages: its commit frees memory.
    private func dequeue(waiting: Bool) -> Work? {
        while true {
            if state.failure != nil { return nil }
            let pause = Self.commitPause - (ContinuousClock.now - state.lastCommit)
            if let count = due(waiting: waiting && pause > .zero) {
                state.isRecording = true
                let done = Array(state.closed[..<count])
                state.closed.removeFirst(count)
                pthread_cond_signal(room)
                return .record(done.map(\.answered), done.flatMap(entries))
            }
            if !state.messages.isEmpty {
                // The last few are divided among the workers.
                let messages = state.messages.prefix(min(Self.mailsAtOnce, (state.messages.count + 1) / 2))
                state.messages.removeFirst(messages.count)
                for message in messages { state.waitingBytes -= message.bytes.count }
                if state.waitingBytes <= Self.waitingBytes / 2 { pthread_cond_signal(room) }
                return .decide(messages)
            }
            if !waiting || (state.isEnding && state.closed.isEmpty) { return nil }
            wait(atMost: state.isRecording || state.closed.first?.left.isEmpty != true ? nil : pause)
        }
    }

    private func wait(atMost limit: Duration?) {
        guard let limit else {
            pthread_cond_wait(hasWork, mutex)
            return
        }
        let end = SystemClock.monotonic.nanoseconds + Int64(limit / .nanoseconds(1))
        var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        pthread_cond_timedwait(hasWork, mutex, &time)
    }

    /// The number of batches to commit now: all complete ones, if they are large enough or no message is left to
    /// decide; otherwise `nil`.
    ///
    /// - Parameter waiting: more messages may come, and the commit waits for them.
    private func due(waiting: Bool) -> Int? {
        guard !state.isRecording else { return nil }
        let complete = state.closed.prefix { $0.left.isEmpty }
        guard !complete.isEmpty else { return nil }
        return isLarge(complete) || (state.messages.isEmpty && (state.isEnding || !waiting)) ? complete.count : nil
    }

    private func isLarge(_ closed: some Collection<Closed>) -> Bool {
        var (mails, bytes) = (0, 0)
        for batch in closed { (mails, bytes) = (mails + batch.uids.count, bytes + batch.bytes) }
        return mails >= Self.commitMails || bytes >= Self.commitBytes
    }

    /// The entries of a batch in ascending order, those of refused messages included.
    private func entries(of closed: Closed) -> [MailEntry] {
        let decided = closed.uids.compactMap { state.decided.removeValue(forKey: $0) }
        let failed = closed.answered.batch.failed.compactMap(recorder.failedEntry)
        if failed.isEmpty { return decided }
        let uids = Set(failed.map(\.uid))
        return (failed + decided.filter { !uids.contains($0.uid) }).sorted { $0.uid < $1.uid }
    }

    private func add(_ entry: MailEntry, for uid: UID) {
        state.decided[uid] = entry
        for index in state.closed.indices where state.closed[index].left.remove(uid) != nil {
            state.closed[index].bytes += entry.raw?.count ?? 0
            if state.closed[index].left.isEmpty { pthread_cond_signal(hasWork) }
            return
        }
    }

    private func add(_ result: Result<[RecordedMail], any Error>, _ batches: [AnsweredBatch], _ entries: Int) {
        state.isRecording = false
        state.lastCommit = .now
        switch result {
        case .success(let rows): state.commits.append(BatchCommit(batches: batches, entries: entries, rows: rows))
        case .failure(let error): state.failure = error
        }
        // The next batch may be complete; after a failure all threads end.
        pthread_cond_broadcast(hasWork)
        pthread_cond_signal(room)
    }
}
