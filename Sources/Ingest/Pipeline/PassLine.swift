import IMAP
import Ledger
import Store

/// The way of a fetch's mails into the ledger: the mailbox's thread takes them from the server, workers decide them side by side, and one of them at a
/// time records a batch, the batches one after the other. So the first of two mails about one event wins whatever thread was faster.
///
/// Used by the thread that fetches. Without workers everything is done within its calls: for a few mails no thread is worth its start.
final class PassLine {
    struct Mail: Sendable {
        let uid: UInt32
        let bytes: [UInt8]
        let receivedAt: Int64?
        let truncatedFrom: UInt64?
        let gmailMessageID: UInt64?

        init(_ fetched: borrowing Fetched) {
            uid = fetched.uid.rawValue
            bytes = Array(fetched.bytes)
            receivedAt = fetched.internalDate?.secondsSinceEpoch
            truncatedFrom = fetched.isTruncated ? fetched.size ?? UInt64(fetched.bytes.count) : nil
            gmailMessageID = fetched.gmailMessageID
        }
    }

    /// What the server has answered in full.
    struct Batch: Sendable {
        let through: UInt32
        let missing: UIDSet
        let failed: [IMAPError]
        /// Where the cursor stands with its commit.
        let reached: FolderCursor

        init(_ batch: FetchedBatch, reached: FolderCursor) {
            (through, missing, failed) = (batch.through.rawValue, batch.missing, batch.failed)
            self.reached = reached
        }
    }

    /// One transaction: batches that follow each other.
    struct Commit: Sendable {
        let batches: [Batch]
        /// How many mails were recorded.
        let entries: Int
        let rows: [RecordedMail]
    }

    /// One for each core: while one waits for the disk the other decides.
    static let usualWorkers = max(1, min(Workers.cores, 4))

    private let bench: WorkBench
    private var workers: Workers
    /// Takes note of a commit, on the thread that fetches.
    private let settle: (Commit) throws -> Void

    init(
        workers count: Int, intake: Intake, store: Store, key: FolderKey, uidValidity: UInt32,
        redeciding: Set<Outcome>,
        settle: @escaping (Commit) throws -> Void
    ) {
        self.settle = settle
        let place = { @Sendable (uid: UInt32) in
            Intake.Place(mailbox: key.mailbox, folder: key.folder, uidValidity: uidValidity, uid: uid)
        }
        bench = WorkBench(
            decide: { mail in
                intake.entry(
                    for: mail.bytes, at: place(mail.uid), receivedAt: mail.receivedAt,
                    truncatedFrom: mail.truncatedFrom, gmailMessageID: mail.gmailMessageID)
            },
            fail: { error in
                guard case .message(let uid) = error.scope else { return nil }
                return intake.failedEntry(at: place(uid.rawValue), reason: error.description)
            },
            record: { try store.recording.record($0, advancing: (key, $1), redeciding: redeciding) })
        workers = Workers(count, at: bench)
    }

    deinit { end() }

    /// - Throws: why a commit failed, after which nothing is committed any more, or what `settle` throws.
    func take(_ mail: Mail) throws {
        bench.put(mail, waiting: workers.count > 0)
        try goOn()
    }

    /// Every mail up to `batch.through` has been taken: they may be committed.
    func close(_ batch: Batch) throws {
        bench.put(batch, waiting: workers.count > 0)
        try goOn()
    }

    /// Waits until everything closed is committed. What was taken beyond is dropped.
    func finish() throws {
        end()
        try note()
    }

    /// The same, without a word. May be called again.
    func end() {
        bench.end()
        workers.join()
    }

    private func goOn() throws {
        if workers.count == 0 { while bench.workOnce() {} }
        try note()
    }

    private func note() throws {
        let (commits, failure) = bench.commits()
        for commit in commits { try settle(commit) }
        if let failure { throw failure }
    }
}
