/// How a fetch is cut into commands.
public struct FetchPacing: Hashable, Sendable {
    /// Mails per command, and so per commit.
    public var batch = 256
    /// Commands under way at once. Dovecot reads four ahead; more would only fill buffers.
    public var commands = 4

    public init() {}
}

extension Session where Stream: ~Copyable {
    /// Fetches whole messages (`UID FETCH … (UID INTERNALDATE RFC822.SIZE BODY.PEEK[])`, RFC 9051 section 6.4.5) with several commands in flight.
    ///
    /// - Parameters:
    ///   - each: called once per message, in the order in which the server sends them.
    ///   - done: called for each batch in ascending order, after the OK of it and of all before it. Messages of later batches may
    ///     already have been passed to `each`.
    /// - Throws: ``IMAPError``, or the error of a callback. The session is over then, except after a refusal that concerns the whole folder.
    public mutating func fetch(
        _ uids: UIDSet, pacing: FetchPacing = FetchPacing(), each: (borrowing Fetched) throws -> Void,
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
            guard case .response(let response) = try receive(.silence(timing.silence)) else { throw fail(timedOut()) }
            if try deliver(response, &queue, each, done) {
                unrelated = 0
                continue
            }
            if case .fetch = response { unaskedAnswers += 1 }
            unrelated += 1
            if unrelated > unrelatedLimit { throw fail(flooded()) }
        }
    }

    /// Passes on what a response contains.
    ///
    /// - Returns: false for a response to none of the commands in flight.
    private mutating func deliver(
        _ response: Response, _ queue: inout FetchQueue, _ each: (borrowing Fetched) throws -> Void,
        _ done: (FetchedBatch) throws -> Void
    ) throws -> Bool {
        switch response {
        case .fetch(let answer):
            if case .absent = answer.body { return false }
            guard let uid = answer.uid else {
                queue.noteMissingUID()
                return false
            }
            guard let fetched = fetched(UID(unchecked: uid), answer) else {
                queue.noteMissingText(uid)
                return false
            }
            guard queue.claim(uid) else { return false }
            do { try each(fetched) } catch { throw interrupted(error) }
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

    /// A server that answers BAD to that many mails running does not mean the mails.
    static var rejectionsInARow: Int { 16 }

    /// `<0.n>` lets the server cut an oversize mail; RFC822.SIZE then tells its true length.
    private var fetchItems: String {
        "(UID INTERNALDATE RFC822.SIZE\(capabilities.gmail ? " X-GM-MSGID" : "") BODY.PEEK[]\(parts == .refused ? "" : "<0.\(maximumMessageBytes)>"))"
    }

    private func fetched(_ uid: UID, _ answer: FetchItems) -> Fetched? {
        guard case .text(let range, let isCut) = answer.body else { return nil }
        let full = range.count >= maximumMessageBytes
        return Fetched(
            uid: uid, internalDate: answer.internalDate, size: answer.size, gmailMessageID: answer.gmailMessageID,
            isTruncated: isCut || (full && answer.size.map { $0 > UInt64(range.count) } ?? true),
            bytes: UnsafeRawBufferPointer(rebasing: reader.response[range]))
    }

    /// Decides what a tagged answer means for the mails that its command left unanswered.
    private mutating func complete(
        _ request: FetchQueue.Request, _ status: Status, _ queue: inout FetchQueue
    ) throws(IMAPError) {
        let doubtful = request.unanswered > 0 && queue.isDoubtful(request)
        // The part was not what it minded, or is now known to be understood.
        if status.outcome == .ok, parts == .untried { parts = .known }
        if status.outcome == .bad, parts == .refused, !request.asksForPart, request.uids.count == 1 { parts = .known }
        if request.unanswered == 0 || (status.outcome == .ok && !doubtful) {
            queue.finish(request)
        } else if status.outcome == .ok {
            if request.uids.count > 1 { queue.split(request) } else { queue.finish(request) { unreadable($0, nil) } }
        } else if status.concernsEverything {
            // Other commands are still under way, so their answers could not be told from those of later ones.
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

    private func unreadable(_ uid: UID, _ status: Status?) -> IMAPError {
        status?.error(refusing: "to hand out the mail with UID \(uid)", peer: peer, scope: .message(uid))
            ?? IMAPError(
                .refused, scope: .message(uid), retry: .later, what: "\(peer) has no text for the mail with UID \(uid)",
                remedy: "look at the mail with another program; the server's log may say more")
    }

    private mutating func interrupted(_ error: any Error) -> any Error {
        failure = IMAPError(
            .invalidRequest, retry: .now, what: "a fetch from \(peer) was broken off", remedy: "open a new session")
        return error
    }
}
