/// One command and its answers, in the middle of which anything may stand (RFC 9051 section 7).
extension Session where Stream: ~Copyable {
    enum Received {
        case response(Response)
        case timedOut, woken
    }

    /// Sends a command without waiting for its answer; gives its tag.
    mutating func send(_ command: String, _ deadline: Deadline) throws(IMAPError) -> UInt64 {
        lastTag += 1
        try write("S\(lastTag) \(command)\r\n", deadline)
        return lastTag
    }

    mutating func write(_ text: String, _ deadline: Deadline) throws(IMAPError) {
        if let failure { throw over(failure) }
        reader.work()
        do {
            let line = Array(text.utf8)
            try line.withUnsafeBufferPointer { (bytes) throws(IMAPError) in
                try stream.write(UnsafeRawBufferPointer(bytes), deadline: deadline)
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// The next response; what it says about the folder is taken in already.
    mutating func receive(_ patience: Patience, wakeable: Bool = false) throws(IMAPError) -> Received {
        if let failure { throw over(failure) }
        do throws(IMAPError) {
            switch try reader.next(from: &stream, patience: patience, wakeable: wakeable) {
            case .timedOut: return .timedOut
            case .woken: return .woken
            case .response: break
            }
            var cursor = WireCursor(reader.response, cuts: reader.responseCuts)
            let response: Response
            do throws(Malformed) { response = try cursor.response() } catch { throw malformed(error.what) }
            try absorb(response)
            return .response(response)
        } catch {
            failure = error
            throw error
        }
    }

    /// Waits for the tagged answer; `take` sees every response on the way.
    mutating func answer(
        to tag: UInt64, _ patience: Patience, _ take: (borrowing Response) -> Void = { _ in }
    ) throws(IMAPError) -> Status {
        for _ in 0..<unrelatedLimit {
            guard case .response(let response) = try receive(patience) else { throw fail(timedOut()) }
            if case .tagged(let answered, let status) = response {
                guard answered == tag else { throw fail(malformed("an answer to another command")) }
                return status
            }
            take(response)
        }
        throw fail(flooded())
    }

    /// A command whose answers are short.
    mutating func perform(
        _ command: String, within patience: Duration? = nil, _ take: (borrowing Response) -> Void = { _ in }
    ) throws(IMAPError) -> Status {
        let deadline = Deadline.after(patience ?? timing.answer)
        let tag = try send(command, deadline)
        return try answer(to: tag, .until(deadline), take)
    }

    func require(_ status: Status, _ doing: String, scope: IMAPError.Scope = .mailbox) throws(IMAPError) {
        if status.outcome != .ok { throw status.error(refusing: doing, peer: peer, scope: scope) }
    }

    /// What any response may tell in passing.
    private mutating func absorb(_ response: Response) throws(IMAPError) {
        switch response {
        case .exists(let count):
            if count > exists { changed = true }
            exists = count
        case .expunge:
            if exists > 0 { exists -= 1 }
        case .capability(let list): capabilities = list
        case .status(let status), .tagged(_, let status):
            if case .capability(let list)? = status.code { capabilities = list }
        case .bye(let status):
            throw IMAPError(
                .bye, retry: .later, what: "\(peer) ended the session", remedy: "it is opened again by itself",
                code: status.code.map { ServerText.clean($0.name) }, serverText: ServerText.clean(status.text))
        default: break
        }
    }

    /// Notes that the conversation is over.
    mutating func fail(_ error: IMAPError) -> IMAPError {
        failure = error
        return error
    }

    func timedOut() -> IMAPError {
        IMAPError(
            .timedOut, retry: .now, what: "\(peer) did not answer in time",
            remedy: "the connection is opened again by itself")
    }

    func malformed(_ what: StaticString) -> IMAPError {
        IMAPError(
            .malformed, retry: .later, what: "\(peer) sent \(what)",
            remedy: "check that this is an IMAP server and nothing rewrites its answers")
    }

    func flooded() -> IMAPError {
        IMAPError(
            .limit, retry: .later, what: "\(peer) sent more than \(unrelatedLimit) responses that nobody asked for",
            remedy: "the server's log may say more")
    }

    private func over(_ first: IMAPError) -> IMAPError {
        IMAPError(
            .invalidRequest, retry: first.retry, what: "the session with \(peer) is over since an earlier error",
            remedy: "open a new one")
    }
}
