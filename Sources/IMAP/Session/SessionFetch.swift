/// How a fetch is cut into commands.
public struct FetchPacing: Hashable, Sendable {
    /// Mails per command, and so per commit.
    public var batch = 256
    /// Commands under way at once. Dovecot reads four ahead; more would only fill buffers.
    public var commands = 4

    public init() {}
}

extension Session where Stream: ~Copyable {
    /// Fetches whole mails (`UID FETCH … (UID INTERNALDATE RFC822.SIZE BODY.PEEK[])`, RFC 9051 section 6.4.5), several commands under way.
    ///
    /// - Parameters:
    ///   - stretches: ascending parts of the folder above `uids`, whose mails are to be found by their From fields; servers that do not hand these out are
    ///     asked to search.
    ///   - isFrom: whether a From field, as it stands in a mail, is one that is looked for.
    ///   - found: called with each stretch, ascending, and what was found in it; gives the mails to be fetched.
    ///   - each: called for every mail, in whatever order the server sends them, once each.
    ///   - done: called for each batch in ascending order, after the OK of it and of all before it. Mails of later batches may have been
    ///     handed to `each` by then.
    /// - Throws: ``IMAPError``, or what a callback throws; the session is over then, except for a refusal that concerns the whole folder.
    public mutating func fetch(
        _ uids: UIDSet, pacing: FetchPacing = FetchPacing(), scanning stretches: [SearchCriteria] = [],
        isFrom: (UnsafeRawBufferPointer) -> Bool = { _ in true },
        found: (SearchCriteria, UIDSet) throws -> UIDSet = { $1 }, each: (borrowing Fetched) throws -> Void,
        done: (FetchedBatch) throws -> Void
    ) throws {
        var queue = FetchQueue(uids, size: pacing.batch, commandBytes: WireLimits.commandBytes - 200)
        // What could not be searched for is no word.
        if let first = stretches.first { _ = try first.commands(limit: WireLimits.commandBytes) }
        var scan = SenderScan(stretches, searchVerb: searchVerb)
        var withoutUID = false
        var unrelated = 0
        while true {
            while queue.inFlight.count < max(pacing.commands, 1), let request = queue.next() {
                queue.sent(
                    request, tag: try send("UID FETCH \(request.wire) \(fetchItems)", .after(timing.silence)),
                    asksForPart: parts != .refused)
            }
            if queue.isSent {
                while let command = scan.next() { scan.sent(tag: try send(command, .after(timing.silence))) }
                if let (stretch, uids) = scan.takeFirst() {
                    do { queue.append(try found(stretch, uids)) } catch { throw interrupted(error) }
                    continue
                }
            }
            if queue.isDone {
                if scan.isDone { return }
                if let rest = scan.takeRefused() {
                    let uids = try search(rest)
                    do { queue.append(try found(rest, uids)) } catch { throw interrupted(error) }
                    continue
                }
            }
            // At the beginning, and after each answer that was waited for.
            if unrelated == 0 { reader.expectProgress(within: timing.search) }
            guard case .response(let response) = try receive(.silence(scan.isUnderWay ? timing.search : timing.silence))
            else { throw fail(timedOut()) }
            switch response {
            case .fetch(let answer):
                if let uid = answer.uid, let stretch = scan.awaits(uid), let isWanted = isWanted(answer.from, isFrom) {
                    scan.take(uid, in: stretch, isWanted: isWanted)
                    if scan.read > Int(exists) + WireLimits.surplusResults {
                        throw fail(malformed("more senders than the folder has mails"))
                    }
                    unrelated = 0
                    continue
                }
                if case .absent = answer.body { break }
                guard let uid = answer.uid else {
                    withoutUID = true
                    break
                }
                guard let fetched = fetched(UID(unchecked: uid), answer) else {
                    queue.noteMissingText(uid)
                    break
                }
                guard queue.claim(uid) else { break }
                unrelated = 0
                do { try each(fetched) } catch { throw interrupted(error) }
                continue
            case .search(let uids), .esearch(_, let uids): scan.take(uids)
            case .tagged(let tag, let status):
                unrelated = 0
                // Without those that are gone.
                if scan.settle(tag: tag, isOK: status.outcome == .ok || status.code == .other("EXPUNGEISSUED")) {
                    if status.outcome != .ok, status.concernsEverything {
                        throw fail(status.error(refusing: "to tell senders", peer: peer, scope: .folder))
                    }
                    continue
                }
                guard let request = queue.take(tag: tag) else { throw fail(malformed("an answer to no command")) }
                try settle(request, status, &queue, withoutUID: withoutUID)
                while let batch = queue.report() {
                    do { try done(batch) } catch { throw interrupted(error) }
                }
                continue
            default: break
            }
            unrelated += 1
            if case .fetch = response { unaskedAnswers += 1 }
            if unrelated > unrelatedLimit { throw fail(flooded()) }
        }
    }

    /// `nil` where the answer does not tell.
    private func isWanted(_ from: FetchItems.Body, _ isFrom: (UnsafeRawBufferPointer) -> Bool) -> Bool? {
        switch from {
        case .absent: nil
        // The mail itself tells.
        case .none: true
        case .text(let range, let isCut): isCut || isFrom(UnsafeRawBufferPointer(rebasing: reader.response[range]))
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
    private mutating func settle(
        _ request: FetchQueue.Request, _ status: Status, _ queue: inout FetchQueue, withoutUID: Bool
    ) throws(IMAPError) {
        let doubtful = request.unanswered > 0 && (withoutUID || queue.lacksText(request))
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
