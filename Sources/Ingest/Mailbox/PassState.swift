import IMAP
import Store

/// The state of a pass while it transfers messages.
struct PassState {
    var recorder: FolderRecorder
    var summary: PassSummary
    /// The cursor as last committed; `nil` before the first commit of a first pass.
    var cursor: FolderCursor?
    /// Failed messages that are attempted again.
    let retries: UIDSet
    /// Messages to transfer.
    var total = 0
    /// The state of the present fetch.
    var fetch = Fetch()
    private let firstDomains: Set<String>

    /// Responses of the server in one fetch.
    struct Fetch {
        /// Every UID up to it has been answered.
        var through: UID?
        /// Answered, but not recorded yet. The cursor does not pass them.
        var unresolved = UIDSet()
        /// Requested, but without a response.
        var missing = UIDSet()
        /// Messages above the size limit, each only with its beginning.
        var oversize: [FetchedMessage] = []
        /// Batches with refusals, while no message has arrived.
        var refused: [FetchedBatch] = []
        var hasReceived = false
        /// The cursor at the beginning of the fetch, if it belongs to this numbering.
        fileprivate var start: FolderCursor?
    }

    init(plan: PassPlan, recorder: FolderRecorder) {
        self.init(
            recorder: recorder, cursor: plan.cursor, domains: plan.sync.end.searchedDomains, retries: plan.retries)
        summary = PassSummary(mailbox: plan.key.mailbox, folder: plan.key.folder, selected: plan.selected)
        if let cursor, plan.isRenumbered {
            summary.renumbered = (cursor.uidValidity, plan.uidValidity.rawValue)
        }
    }

    /// - Parameter domains: the sender domains that a first cursor names.
    init(recorder: FolderRecorder, cursor: FolderCursor?, domains: Set<String>, retries: UIDSet = UIDSet()) {
        (self.recorder, self.cursor, self.retries, firstDomains) = (recorder, cursor, retries, domains)
        summary = PassSummary(mailbox: recorder.key.mailbox, folder: recorder.key.folder)
    }

    var progress: PassProgress {
        PassProgress(mailbox: summary.mailbox, folder: summary.folder, done: summary.done, total: total)
    }

    mutating func beginFetch() {
        fetch = Fetch()
        fetch.start = cursor.flatMap { $0.uidValidity == recorder.uidValidity.rawValue ? $0 : nil }
    }

    /// Accepts a batch.
    ///
    /// - Returns: the batch with its cursor, which does not pass an unresolved message.
    mutating func answered(_ batch: FetchedBatch) -> AnsweredBatch {
        fetch.through = batch.through
        fetch.missing.formUnion(batch.missing)
        fetch.unresolved.formUnion(batch.missing)
        let next = min(batch.through.next, fetch.unresolved.first ?? .max)
        return AnsweredBatch(
            batch: batch,
            cursor: FolderCursor(
                uidValidity: recorder.uidValidity.rawValue, nextUID: max(fetch.start?.nextUID ?? 1, next.rawValue),
                searchedDomains: fetch.start?.searchedDomains ?? firstDomains))
    }

    mutating func note(_ commit: BatchCommit) {
        cursor = commit.batches.last?.cursor ?? cursor
        for row in commit.rows where row.isNew || row.was != nil { summary.outcomes[row.outcome, default: 0] += 1 }
        summary.changed += commit.rows.count { $0.was != nil }
        summary.done += commit.entries + commit.batches.reduce(0) { $0 + $1.batch.missing.count }
    }

    /// Adds the time of `body` to the time in which nothing was waited for.
    mutating func timed<Result>(_ body: (inout PassState) throws -> Result) rethrows -> Result {
        let begun = ContinuousClock.now
        defer { summary.worked += ContinuousClock.now - begun }
        return try body(&self)
    }
}
