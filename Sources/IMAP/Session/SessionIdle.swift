import Chronology

/// The end of a wait for new mail.
public enum IdleOutcome: Hashable, Sendable {
    /// New mail, or mail that arrived during an earlier command.
    case changed
    /// ``Wake/wake()``.
    case woken
    /// The interval is over, and the server has answered.
    case renewed
    /// The server ended IDLE with a refusal. The folder may be gone or replaced, and is to be examined.
    case doubtful
}

extension Session where Stream: ~Copyable {
    /// Waits for new mail in the examined folder: by IDLE (RFC 2177) if the server has it, otherwise by NOOP every
    /// `poll`. A refused IDLE is tried again after ``Timing/idleRefusal``.
    ///
    /// Returns at once if ``changed`` is set. Call it again after `.renewed`.
    public mutating func waitForChange(
        renewAfter: Duration = Timing.idleRenewal, poll: Duration
    ) throws(IMAPError) -> IdleOutcome {
        if capabilities.idle, idleAgain.isPast {
            do throws(IMAPError) {
                let outcome = try idle(renewAfter: renewAfter)
                // Some servers (GNU Mailutils) announce new mail in the response to NOOP only.
                return outcome == .renewed ? try probe() : outcome
            } catch {
                guard error.kind == .refused || error.kind == .rejected, failure == nil else { throw error }
                idleAgain = .after(timing.idleRefusal)
            }
        }
        return try pause(for: poll)
    }

    /// A refused NOOP proves the connection as well.
    private mutating func probe() throws(IMAPError) -> IdleOutcome {
        _ = try perform("NOOP", within: timing.probe)
        return changed ? .changed : .renewed
    }

    /// Sends IDLE and waits for new mail, a wake, or `renewAfter`, which must be shorter than the time-outs of the
    /// server and of every NAT.
    ///
    /// The server has confirmed the end of IDLE when this returns, so the connection was alive then.
    public mutating func idle(renewAfter: Duration = Timing.idleRenewal) throws(IMAPError) -> IdleOutcome {
        if changed { return .changed }
        let tag = try beginIdle()
        let until = Deadline.after(renewAfter)
        var responses = 0
        var outcome: IdleOutcome?
        while outcome == nil, !changed {
            reader.shrink()
            switch try receive(.deadline(until), wakeable: true) {
            case .timedOut: outcome = .renewed
            case .woken: outcome = .woken
            case .response(.tagged(tag, let status)):
                // The server ended it.
                return ended(status, changed ? .changed : .renewed)
            case .response(.tagged): throw fail(malformed("an answer to another command"))
            case .response:
                responses += 1
                if responses > unrelatedLimit || until.isPast { outcome = .renewed }
            }
        }
        let answered = Deadline.after(timing.probe)
        try write("DONE\r\n", answered)
        let status = try answer(to: tag, .deadline(answered))
        return ended(status, changed ? .changed : outcome ?? .changed)
    }

    /// Sends IDLE and waits for the continuation request. The connection may have died since the last response, so
    /// ``Timing/probe`` limits the wait.
    ///
    /// - Returns: the tag.
    private mutating func beginIdle() throws(IMAPError) -> UInt64 {
        let begun = Deadline.after(timing.probe)
        let tag = try send("IDLE", begun)
        for _ in 0...unrelatedLimit {
            guard case .response(let response) = try receive(.deadline(begun)) else { throw fail(timedOut()) }
            switch response {
            case .continuation: return tag
            case .tagged(tag, let status):
                if status.outcome != .ok { throw status.error(refusing: "to IDLE", peer: peer, scope: .mailbox) }
                throw fail(malformed("an end of IDLE before its beginning"))
            case .tagged: throw fail(malformed("an answer to another command"))
            default: break
            }
        }
        throw fail(flooded())
    }

    /// The meaning of the end of an IDLE that the server had accepted.
    private mutating func ended(_ status: Status, _ outcome: IdleOutcome) -> IdleOutcome {
        if status.outcome == .ok { return outcome }
        // A server that always does so is not asked again and again.
        idleAgain = .after(timing.idleRefusal)
        return .doubtful
    }

    /// Waits without IDLE, then sends NOOP.
    public mutating func pause(for duration: Duration) throws(IMAPError) -> IdleOutcome {
        let until = Deadline.after(duration)
        while !changed {
            reader.shrink()
            switch try receive(.deadline(until), wakeable: true) {
            case .woken: return .woken
            case .timedOut:
                try noop()
                return changed ? .changed : .renewed
            case .response(.tagged): throw fail(malformed("an answer to no command"))
            case .response:
                if until.isPast {
                    try noop()
                    return changed ? .changed : .renewed
                }
            }
        }
        return .changed
    }
}
