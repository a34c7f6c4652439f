import IMAP
import Store

/// A server that refuses every message is at fault, and not the messages.
extension FolderPass {
    /// Refused messages after which the rest is not requested any more.
    private static let refusalLimit = 256

    /// Withholds a batch with refusals as long as no message has arrived.
    ///
    /// - Throws: ``IMAPError`` with the scope of the mailbox after ``refusalLimit`` refusals.
    func withholds(_ batch: FetchedBatch, _ state: inout PassState) throws -> Bool {
        guard !state.fetch.hasReceived, !batch.failed.isEmpty || !state.fetch.refused.isEmpty else { return false }
        state.fetch.refused.append(batch)
        if state.fetch.refused.reduce(0, { $0 + $1.failed.count }) > Self.refusalLimit, let error = batch.failed.first {
            throw refusal(error)
        }
        return true
    }

    /// Decides about the batches that were withheld. If the server delivers a message that was read before, the
    /// refused ones fail.
    ///
    /// - Throws: ``IMAPError`` with the scope of the mailbox if nothing shows that the server delivers any message.
    func resolveRefusals<Stream: ByteStream & ~Copyable>(
        of wanted: UIDSet, _ session: inout Session<Stream>, _ pipeline: RecordingPipeline, _ state: inout PassState
    ) throws {
        guard let error = state.fetch.refused.lazy.compactMap(\.failed.first).first else { return }
        if !wanted.subtracting(state.retries).isEmpty, try !handsOutRecorded(&session, besides: wanted, state) {
            throw refusal(error)
        }
        for batch in state.fetch.refused {
            for commit in try pipeline.close(state.answered(batch)) { state.note(commit) }
        }
        state.fetch.refused = []
    }

    /// Requests the last message that was recorded without a failure.
    private func handsOutRecorded<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, besides wanted: UIDSet, _ state: PassState
    ) throws -> Bool {
        let recorded = try store.mailboxes.lastRecorded(
            of: key, uidValidity: state.recorder.uidValidity.rawValue, limit: 1)
        guard let uid = recorded.first.flatMap({ UID($0.uid) }), !wanted.contains(uid) else { return false }
        var isHandedOut = false
        try session.fetch(UIDSet(uid)) { _ in
            isHandedOut = true
        } done: { _ in
        }
        return isHandedOut
    }

    private func refusal(_ error: IMAPError) -> IMAPError {
        IMAPError(
            error.kind, scope: .mailbox, retry: .later,
            what: "the server refused every new mail of the folder \(ServerText.clean(key.folder)): \(error.what)",
            remedy: "it is retried automatically; the server's log may have details",
            reply: IMAPError.Reply(code: error.code, text: error.serverText))
    }
}
