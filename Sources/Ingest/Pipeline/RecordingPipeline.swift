import IMAP
import Store

/// A batch that the server has answered in full, and the cursor that its commit writes.
struct AnsweredBatch: Sendable {
    let batch: FetchedBatch
    let cursor: FolderCursor
}

/// One transaction of the ledger: consecutive batches.
struct BatchCommit: Sendable {
    let batches: [AnsweredBatch]
    /// The number of messages recorded.
    let entries: Int
    let rows: [RecordedMail]
}

/// The path of a fetch's messages into the ledger. The thread of the mailbox appends them, workers decide them in
/// parallel, and one worker at a time commits a batch, in order. So the first of two messages about one event wins,
/// whichever thread is faster.
///
/// For the thread that fetches. Without workers that thread does all the work: for a few messages no thread is worth
/// its start.
final class RecordingPipeline {
    /// One per core, at most four: while one waits for the disk, the other decides.
    static let usualWorkers = max(1, min(RecordingWorkers.cores, 4))

    private let queue: RecordingQueue
    private var workers: RecordingWorkers

    init(workers count: Int, recorder: FolderRecorder) {
        queue = RecordingQueue(recorder: recorder)
        workers = RecordingWorkers(count, for: queue)
    }

    deinit { end() }

    /// - Returns: the commits since the last call.
    /// - Throws: the error of a commit, after which nothing more is committed.
    func append(_ message: FetchedMessage) throws -> [BatchCommit] {
        queue.enqueue(message, waiting: workers.count > 0)
        return try advance()
    }

    /// Allows the messages up to `batch.batch.through` to be committed. All of them have been appended.
    func close(_ batch: AnsweredBatch) throws -> [BatchCommit] {
        queue.enqueue(batch, waiting: workers.count > 0)
        return try advance()
    }

    /// Waits until every closed batch is committed. Messages beyond the last one are dropped.
    func finish() throws -> [BatchCommit] {
        end()
        return try commits()
    }

    /// Does the same without reporting errors. May be called again.
    func end() {
        queue.end()
        workers.join()
    }

    private func advance() throws -> [BatchCommit] {
        if workers.count == 0 { while queue.workOnce() {} }
        return try commits()
    }

    private func commits() throws -> [BatchCommit] {
        let (commits, failure) = queue.removeCommits()
        if let failure { throw failure }
        return commits
    }
}
