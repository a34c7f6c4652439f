import Chronology

/// One command and its responses, among which the server may send any others (RFC 9051 section 7).
extension Session where Stream: ~Copyable {
    enum Received {
        case response(Response)
        case timedOut, woken
    }

    /// Sends a command without waiting for its response. Returns its tag.
    mutating func send(_ command: String, _ deadline: Deadline) throws(IMAPError) -> UInt64 {
        lastTag += 1
        try write("S\(lastTag) \(command)\r\n", deadline)
        return lastTag
    }

    mutating func write(_ text: String, _ deadline: Deadline) throws(IMAPError) {
        if let failure { throw over(failure) }
        reader.grow()
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

    /// Receives the next response and updates the session with its information about the folder.
    mutating func receive(_ timeout: ReadTimeout, wakeable: Bool = false) throws(IMAPError) -> Received {
        if let failure { throw over(failure) }
        do throws(IMAPError) {
            switch try reader.next(from: &stream, timeout: timeout, wakeable: wakeable) {
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

    /// Waits for the tagged response. Passes every other response to `each`.
    mutating func answer(
        to tag: UInt64, _ timeout: ReadTimeout, _ each: (borrowing Response) -> Void = { _ in }
    ) throws(IMAPError) -> Status {
        for _ in 0..<unrelatedLimit {
            guard case .response(let response) = try receive(timeout) else { throw fail(timedOut()) }
            if case .tagged(let answered, let status) = response {
                guard answered == tag else { throw fail(malformed("an answer to another command")) }
                return status
            }
            each(response)
        }
        throw fail(flooded())
    }

    /// Sends a command with a short response and waits for it.
    mutating func perform(
        _ command: String, within limit: Duration? = nil, _ each: (borrowing Response) -> Void = { _ in }
    ) throws(IMAPError) -> Status {
        let deadline = Deadline.after(limit ?? timing.answer)
        let tag = try send(command, deadline)
        return try answer(to: tag, .deadline(deadline), each)
    }

    func require(_ status: Status, _ doing: String, scope: IMAPError.Scope = .mailbox) throws(IMAPError) {
        if status.outcome != .ok { throw status.error(refusing: doing, peer: peer, scope: scope) }
    }

    /// Updates the session by what any response may contain.
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
                .bye, retry: .later, what: "\(peer) ended the session", remedy: "it is reopened automatically",
                reply: IMAPError.Reply(status))
        default: break
        }
    }

    /// Ends the session.
    mutating func fail(_ error: IMAPError) -> IMAPError {
        failure = error
        return error
    }

    func timedOut() -> IMAPError {
        IMAPError(
            .timedOut, retry: .now, what: "\(peer) did not answer in time",
            remedy: "the connection is reopened automatically")
    }

    func malformed(_ what: StaticString) -> IMAPError {
        IMAPError(
            .malformed, retry: .later, what: "\(peer) sent \(what)",
            remedy: "check that this is an IMAP server and nothing rewrites its answers")
    }

    func flooded() -> IMAPError {
        IMAPError(
            .limit, retry: .later, what: "\(peer) sent more than \(unrelatedLimit) unsolicited responses",
            remedy: "the server's log may have details")
    }

    private func over(_ first: IMAPError) -> IMAPError {
        IMAPError(
            .invalidRequest, retry: first.retry, what: "the session with \(peer) is over since an earlier error",
            remedy: "open a new one")
    }
}
