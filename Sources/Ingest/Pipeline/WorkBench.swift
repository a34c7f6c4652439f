import Glibc
import IMAP
import Store

/// What lies between the thread that fetches and those that decide and record.
final class WorkBench: @unchecked Sendable {  // `state` is touched only with `mutex` held
    typealias Decide = @Sendable (PassLine.Mail) -> MailEntry
    typealias Fail = @Sendable (IMAPError) -> MailEntry?
    typealias Record = @Sendable ([MailEntry], FolderCursor) throws -> [RecordedMail]

    /// Bytes of mails that wait to be decided: the server is not asked for more meanwhile. One mail always fits.
    static let waitingBytes = 512 << 10
    /// Mails of one commit where many are at hand: pages that every commit writes again, those of an index in no order of time, are written less often.
    static let commitMails = 512
    /// The same in bytes of what is kept of them. Twice as much may be at hand: what is being recorded, and what waits for its turn.
    static let commitBytes = 3 << 19
    /// So long a commit waits for more mails, where they come one by one.
    static let commitPause = Duration.milliseconds(100)
    /// A worker is woken for so many mails at once, and takes no more: one is done sooner than it wakes.
    static let mailsAtOnce = 8

    private struct Closed {
        let batch: PassLine.Batch
        /// Ascending.
        let uids: [UInt32]
        /// Of these, not decided yet.
        var left: Set<UInt32>
        /// What is kept of those that are decided.
        var bytes = 0
    }

    private struct State {
        var mails: [PassLine.Mail] = []
        var waitingBytes = 0
        /// Taken, and in no batch yet.
        var taken: [UInt32] = []
        var decided: [UInt32: MailEntry] = [:]
        var closed: [Closed] = []
        var isRecording = false
        var lastCommit = ContinuousClock.now
        var isEnding = false
        var commits: [PassLine.Commit] = []
        var failure: (any Error)?
    }

    private enum Work {
        case decide(ArraySlice<PassLine.Mail>)
        /// Batches that follow each other, and their mails.
        case record([PassLine.Batch], [MailEntry])
    }

    private let decide: Decide
    private let fail: Fail
    private let record: Record
    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// There is something to do, or no more.
    private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// There is room again.
    private let room = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(decide: @escaping Decide, fail: @escaping Fail, record: @escaping Record) {
        (self.decide, self.fail, self.record) = (decide, fail, record)
        pthread_mutex_init(mutex, nil)
        // Waits for it have a limit, whatever the time of day is set to.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(news, &attributes)
        pthread_condattr_destroy(&attributes)
        pthread_cond_init(room, nil)
    }

    deinit {
        pthread_cond_destroy(room)
        pthread_cond_destroy(news)
        pthread_mutex_destroy(mutex)
        room.deallocate()
        news.deallocate()
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// - Parameter waiting: for room.
    func put(_ mail: PassLine.Mail, waiting: Bool) {
        locked {
            while waiting, state.waitingBytes > 0, state.waitingBytes + mail.bytes.count > Self.waitingBytes,
                state.failure == nil
            {
                pthread_cond_broadcast(news)
                pthread_cond_wait(room, mutex)
            }
            state.mails.append(mail)
            state.waitingBytes += mail.bytes.count
            state.taken.append(mail.uid)
            if state.mails.count % Self.mailsAtOnce == 0 { pthread_cond_signal(news) }
        }
    }

    func put(_ batch: PassLine.Batch, waiting: Bool) {
        locked {
            while waiting, isMuch(state.closed), state.failure == nil { pthread_cond_wait(room, mutex) }
            // Mails of several commands under way arrive interleaved: those of later ones wait for their own.
            let uids = state.taken.filter { $0 <= batch.through }.sorted()
            state.taken.removeAll { $0 <= batch.through }
            let left = Set(uids.filter { state.decided[$0] == nil })
            let bytes = uids.reduce(0) { $0 + (state.decided[$1]?.raw?.count ?? 0) }
            state.closed.append(Closed(batch: batch, uids: uids, left: left, bytes: bytes))
            pthread_cond_broadcast(news)
        }
    }

    /// What has been committed since the last call, and why nothing more will be.
    func commits() -> (commits: [PassLine.Commit], failure: (any Error)?) {
        locked {
            defer { state.commits = [] }
            return (state.commits, state.failure)
        }
    }

    /// What is closed is still committed, the rest dropped.
    func end() {
        locked {
            state.isEnding = true
            if let last = state.closed.last?.batch.through {
                state.mails.removeAll { $0.uid > last }
            } else {
                state.mails = []
            }
            pthread_cond_broadcast(news)
        }
    }

    /// A worker's life.
    func work() { while workOnce(waiting: true) {} }

    /// Does what is due, if anything is.
    /// - Returns: whether there may be more.
    func workOnce(waiting: Bool = false) -> Bool {
        guard let next = locked({ next(waiting: waiting) }) else { return false }
        switch next {
        case .decide(let mails):
            let entries = mails.map(decide)
            locked { for entry in entries { put(entry) } }
        case .record(let batches, let entries):
            guard let last = batches.last else { break }
            let result = Result { try record(entries, last.reached) }
            locked { put(result, batches, entries.count) }
        }
        return true
    }

    /// A batch that is complete goes before mails that are not decided: what it holds is given back with its commit.
    private func next(waiting: Bool) -> Work? {
        while true {
            if state.failure != nil { return nil }
            let pause = Self.commitPause - (ContinuousClock.now - state.lastCommit)
            if let count = due(waiting: waiting && pause > .zero) {
                state.isRecording = true
                let done = Array(state.closed[..<count])
                state.closed.removeFirst(count)
                pthread_cond_signal(room)
                return .record(done.map(\.batch), done.flatMap(entries))
            }
            if !state.mails.isEmpty {
                // Of the last few each worker gets some.
                let mails = state.mails.prefix(min(Self.mailsAtOnce, (state.mails.count + 1) / 2))
                state.mails.removeFirst(mails.count)
                for mail in mails { state.waitingBytes -= mail.bytes.count }
                if state.waitingBytes <= Self.waitingBytes / 2 { pthread_cond_signal(room) }
                return .decide(mails)
            }
            if !waiting || (state.isEnding && state.closed.isEmpty) { return nil }
            wait(state.isRecording || state.closed.first?.left.isEmpty != true ? nil : pause)
        }
    }

    /// For news, or until something is due without any.
    private func wait(_ longest: Duration?) {
        guard let longest else {
            pthread_cond_wait(news, mutex)
            return
        }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = Int(longest / .nanoseconds(1)) + time.tv_nsec
        time.tv_sec += nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(news, mutex, &time)
    }

    /// How many batches are to be committed now: those that are complete, when they are enough or nothing else is to be done.
    /// - Parameter waiting: for more of them, as long as more may come.
    private func due(waiting: Bool) -> Int? {
        guard !state.isRecording else { return nil }
        let complete = state.closed.prefix { $0.left.isEmpty }
        guard !complete.isEmpty else { return nil }
        return isMuch(complete) || (state.mails.isEmpty && (state.isEnding || !waiting)) ? complete.count : nil
    }

    private func isMuch(_ closed: some Collection<Closed>) -> Bool {
        var (mails, bytes) = (0, 0)
        for batch in closed { (mails, bytes) = (mails + batch.uids.count, bytes + batch.bytes) }
        return mails >= Self.commitMails || bytes >= Self.commitBytes
    }

    private func entries(of closed: Closed) -> [MailEntry] {
        let decided = closed.uids.compactMap { state.decided.removeValue(forKey: $0) }
        let failed = closed.batch.failed.compactMap(fail)
        if failed.isEmpty { return decided }
        let uids = Set(failed.map(\.uid))
        return (failed + decided.filter { !uids.contains($0.uid) }).sorted { $0.uid < $1.uid }
    }

    private func put(_ entry: MailEntry) {
        state.decided[entry.uid] = entry
        for index in state.closed.indices where state.closed[index].left.remove(entry.uid) != nil {
            state.closed[index].bytes += entry.raw?.count ?? 0
            if state.closed[index].left.isEmpty { pthread_cond_signal(news) }
            return
        }
    }

    private func put(_ result: Result<[RecordedMail], any Error>, _ batches: [PassLine.Batch], _ count: Int) {
        state.isRecording = false
        state.lastCommit = .now
        switch result {
        case .success(let rows): state.commits.append(PassLine.Commit(batches: batches, entries: count, rows: rows))
        case .failure(let error): state.failure = error
        }
        // The next batch may be complete; a failure ends all.
        pthread_cond_broadcast(news)
        pthread_cond_signal(room)
    }
}
