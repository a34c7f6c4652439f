import Chronology

/// The division of a fetch into commands.
public struct FetchPacing: Hashable, Sendable {
    /// Messages per command, and so per commit.
    public var batch = 256
    /// Commands in flight. Dovecot reads four ahead; more only fill buffers.
    public var commands = 4

    public init() {}
}

extension Session where Stream: ~Copyable {
    /// Fetches whole messages (`UID FETCH … (UID INTERNALDATE RFC822.SIZE BODY.PEEK[])`, RFC 9051 section 6.4.5) with
    /// several commands in flight.
    ///
    /// - Parameters:
    ///   - each: called once per message, in the order in which the server sends them.
    ///   - done: called for each batch in ascending order, after the OK of it and of all before it. Messages of later
    ///     batches may already have been passed to `each`.
    /// - Throws: ``IMAPError``, or the error of a callback. The session is over then, except after a refusal that
    ///   concerns the whole folder.
    public mutating func fetch(
        _ uids: UIDSet, pacing: FetchPacing = FetchPacing(), each: (FetchedMessage) throws -> Void,
        done: (FetchedBatch) throws -> Void
    ) throws {
        var queue = FetchQueue(uids, size: pacing.batch, commandBytes: WireLimits.commandBytes - 200)
        var unrelated = 0
        while true {
            while queue.inFlight.count < max(pacing.commands, 1), let request = queue.next() {
                queue.sent(
                    request, tag: try send("UID FETCH \(request.wire) \(fetchItems)", .after(timing.silence)),
                    asksForPart: parts != .refused)
            }
            if queue.isDone { return }
            // At the beginning, and after each response to one of the commands.
            if unrelated == 0 { reader.expectProgress(within: timing.search) }
            guard case .response(let response) = try receive(.idle(timing.silence)) else { throw fail(timedOut()) }
            if try deliver(response, &queue, each, done) {
                unrelated = 0
                continue
            }
            if case .fetch = response { unaskedAnswers += 1 }
            unrelated += 1
            if unrelated > unrelatedLimit { throw fail(flooded()) }
        }
    }

    /// Passes on the content of a response.
    ///
    /// - Returns: false for a response to none of the commands in flight.
    private mutating func deliver(
        _ response: Response, _ queue: inout FetchQueue, _ each: (FetchedMessage) throws -> Void,
        _ done: (FetchedBatch) throws -> Void
    ) throws -> Bool {
        switch response {
        case .fetch(let answer):
            if case .absent = answer.body { return false }
            guard let uid = answer.uid else {
                queue.noteMissingUID()
                return false
            }
            guard case .text = answer.body else {
                queue.noteMissingText(uid)
                return false
            }
            guard queue.claim(uid), let message = message(UID(unchecked: uid), answer) else { return false }
            do { try each(message) } catch { throw interrupted(error) }
            return true
        case .tagged(let tag, let status):
            guard let request = queue.dequeue(tag: tag) else { throw fail(malformed("an answer to no command")) }
            try complete(request, status, &queue)
            while let batch = queue.report() {
                do { try done(batch) } catch { throw interrupted(error) }
            }
            return true
        default: return false
        }
    }

    /// Number of consecutive BADs after which the server is assumed to reject the command, not single messages.
    static var rejectionsInARow: Int { 16 }

    /// `<0.n>` makes the server cut an oversize message; RFC822.SIZE then shows its true length.
    private var fetchItems: String {
        "(UID INTERNALDATE RFC822.SIZE\(capabilities.gmail ? " X-GM-MSGID" : "") BODY.PEEK[]\(parts == .refused ? "" : "<0.\(maximumMessageBytes)>"))"
    }

    private func message(_ uid: UID, _ answer: FetchItems) -> FetchedMessage? {
        guard case .text(let range, let isCut) = answer.body else { return nil }
        let isFull = range.count >= maximumMessageBytes
        return FetchedMessage(
            uid: uid, internalDate: answer.internalDate, size: answer.size, gmailMessageID: answer.gmailMessageID,
            isTruncated: isCut || (isFull && answer.size.map { $0 > UInt64(range.count) } ?? true),
            bytes: Array(UnsafeRawBufferPointer(rebasing: reader.response[range])))
    }

    /// Decides the effect of a tagged response on the messages that its command left unanswered.
    private mutating func complete(
        _ request: FetchQueue.Request, _ status: Status, _ queue: inout FetchQueue
    ) throws(IMAPError) {
        noteSupportForParts(request, status)
        if status.outcome == .ok {
            guard request.unanswered > 0, queue.isDoubtful(request) else { return queue.finish(request) }
            if request.uids.count > 1 { queue.split(request) } else { queue.finish(request) { unreadable($0, nil) } }
        } else if request.unanswered == 0 {
            queue.finish(request)
        } else if status.concernsEverything {
            // Other commands are in flight, and their responses could not be distinguished from those of later ones.
            throw fail(status.error(refusing: "to hand out mails", peer: peer, scope: .folder))
        } else if status.outcome == .bad, parts != .known, request.asksForPart {
            parts = .refused
            queue.split(request)
        } else if request.uids.count > 1 {
            queue.split(request)
        } else if status.code == .other("EXPUNGEISSUED") {
            queue.finish(request)
        } else if status.outcome == .bad, queue.countRejection() > Self.rejectionsInARow {
            throw fail(status.error(refusing: "to hand out mails", peer: peer, scope: .folder))
        } else {
            queue.finish(request) { unreadable($0, status) }
        }
    }

    /// FETCH of a part works after its first OK. If a single whole message is answered with BAD, too, the part was not
    /// the reason.
    private mutating func noteSupportForParts(_ request: FetchQueue.Request, _ status: Status) {
        if status.outcome == .ok, parts == .untried { parts = .known }
        if status.outcome == .bad, parts == .refused, !request.asksForPart, request.uids.count == 1 { parts = .known }
    }

    private func unreadable(_ uid: UID, _ status: Status?) -> IMAPError {
        status?.error(refusing: "to hand out the mail with UID \(uid)", peer: peer, scope: .message(uid))
            ?? IMAPError(
                .refused, scope: .message(uid), retry: .later, what: "\(peer) has no text for the mail with UID \(uid)",
                remedy: "open the mail with another program; the server's log may have details")
    }

    private mutating func interrupted(_ error: any Error) -> any Error {
        failure = IMAPError(
            .invalidRequest, retry: .now, what: "a fetch from \(peer) was broken off", remedy: "open a new session")
        return error
    }
}
