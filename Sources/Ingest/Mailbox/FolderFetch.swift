import IMAP
import Ledger
import Processes
import Store

extension FolderPass {
    /// Fetches and records, one commit per batch, in order. The cursor moves with the commit, only past what the server
    /// has answered in full.
    func fetch<Stream: ByteStream & ~Copyable>(
        _ wanted: UIDSet, _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        var limit = downloadLimit.map { DownloadLimit(store: store, mailbox: key.mailbox, bytesPerDay: $0) }
        let before = session.receivedBytes
        defer { limit?.ended(received: session.receivedBytes - before) }
        try limit?.check()
        state.beginFetch()
        // What only the start and the login needed makes room for the mails.
        if wanted.count >= Self.muchMail { ProcessMemory.release() }
        let pipeline = RecordingPipeline(
            workers: wanted.count < parallelThreshold ? 0 : RecordingPipeline.usualWorkers, recorder: state.recorder)
        do {
            defer { pipeline.end() }
            try session.fetch(
                wanted, pacing: pacing,
                each: { message in
                    limit?.count(UInt64(message.bytes.count))
                    try state.timed { try receive(message, pipeline, &$0, &limit) }
                }, done: { batch in try state.timed { try close(batch, pipeline, &$0, &limit) } })
            try resolveRefusals(of: wanted, &session, pipeline, &state)
            try state.timed { try note(pipeline.finish(), &$0, &limit) }
        } catch let error as IMAPError where error.mayConcernOneMessage {
            // First the ledger gets what the server has answered in full.
            _ = try pipeline.finish()
            if let next = wanted.first(where: { uid in state.fetch.through.map { uid > $0 } ?? true }) {
                try suspect(next, error, state.recorder)
            }
            throw error
        }
        try recordOversize(&session, &state)
        caution.passed(in: key)
        try resolveMissing(&session, &state)
        state.summary.missing.formUnion(state.fetch.missing)
    }

    /// Number of messages before which memory is released. Measured at 1,000: 1.3 MB less at the peak, no difference in
    /// time beyond the noise.
    private static let muchMail = 256

    private var pacing: FetchPacing {
        var pacing = FetchPacing()
        (pacing.batch, pacing.commands) = caution.isCareful(in: key) ? (1, 1) : (batch, pacing.commands)
        return pacing
    }

    private func receive(
        _ message: FetchedMessage, _ pipeline: RecordingPipeline, _ state: inout PassState,
        _ limit: inout DownloadLimit?
    ) throws {
        state.fetch.hasReceived = true
        if setsAside(message, &state) { return }
        try note(pipeline.append(message), &state, &limit)
    }

    private func close(
        _ batch: FetchedBatch, _ pipeline: RecordingPipeline, _ state: inout PassState, _ limit: inout DownloadLimit?
    ) throws {
        if try withholds(batch, &state) { return }
        let withheld = state.fetch.refused
        state.fetch.refused = []
        for batch in withheld + [batch] { try note(pipeline.close(state.answered(batch)), &state, &limit) }
    }

    /// Counts commits, on the thread that fetches.
    private func note(
        _ commits: [BatchCommit], _ state: inout PassState, _ limit: inout DownloadLimit?
    ) throws {
        for commit in commits {
            state.note(commit)
            progress(state.progress)
            try limit?.check()
        }
    }

    /// Resolves messages that the server did not deliver although it answered OK: as a rule they were expunged after
    /// the search. Messages that it still lists are recorded as failed, so that they are requested again. Until that is
    /// known, the cursor does not pass them.
    private func resolveMissing<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        guard let first = state.fetch.missing.first, let last = state.fetch.missing.last else { return }
        let listed = try session.search(SearchCriteria(first: first, through: last))
        let withheld = state.fetch.missing.intersection(listed)
        if withheld.isEmpty { return }
        let entries = withheld.map {
            state.recorder.failedEntry($0, reason: "the server lists this mail and does not hand it out")
        }
        for row in try store.recording.record(entries) where row.isNew {
            state.summary.outcomes[row.outcome, default: 0] += 1
        }
        state.fetch.missing = state.fetch.missing.subtracting(withheld)
    }

    /// Records a message as failed if it has ended two connections, one of them alone.
    func suspect(_ uid: UID, _ error: IMAPError, _ recorder: FolderRecorder) throws {
        guard caution.ended(at: uid, in: key) else { return }
        _ = try store.recording.record([
            recorder.failedEntry(uid, reason: "the connection ends whenever this mail is fetched: \(error.what)")
        ])
        caution.passed(in: key)
    }
}
