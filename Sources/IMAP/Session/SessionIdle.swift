public enum IdleOutcome: Hashable, Sendable {
    /// New mail, or mail that arrived unnoticed during an earlier command.
    case changed
    /// ``Wake/wake()``.
    case woken
    /// The time is up and the connection was seen alive.
    case renewed
    /// The server refused to go on: the folder may be gone or another by now, and is to be examined.
    case doubtful
}

extension Session where Stream: ~Copyable {
    /// Waits for new mail in the examined folder: by IDLE (RFC 2177) where the server has it, else by NOOP every `poll`. An IDLE that is refused is
    /// tried again after ``Timing/idleRefusal``.
    ///
    /// Comes back at once when ``changed`` is set. Call it again after `.renewed`.
    public mutating func waitForChange(
        renewAfter: Duration = Timing.idleRenewal, poll: Duration
    ) throws(IMAPError) -> IdleOutcome {
        if capabilities.idle, idleAgain.isPast {
            do throws(IMAPError) {
                return try idle(renewAfter: renewAfter)
            } catch {
                guard error.kind == .refused || error.kind == .rejected, failure == nil else { throw error }
                idleAgain = .after(timing.idleRefusal)
            }
        }
        return try pause(for: poll)
    }

    /// IDLE until mail arrives, a wake, or `renewAfter`, by which the server's and every NAT's patience must not have ended.
    ///
    /// The server has taken back the IDLE when this returns, so the connection was alive then.
    public mutating func idle(renewAfter: Duration = Timing.idleRenewal) throws(IMAPError) -> IdleOutcome {
        if changed { return .changed }
        // A line may die between the last answer and this: the invitation needs no thought, either.
        let begun = Deadline.after(timing.probe)
        let tag = try send("IDLE", begun)
        var seen = 0
        invitation: while true {
            guard case .response(let response) = try receive(.until(begun)) else { throw fail(timedOut()) }
            switch response {
            case .continuation: break invitation
            case .tagged(tag, let status):
                if status.outcome != .ok { throw status.error(refusing: "to IDLE", peer: peer, scope: .mailbox) }
                throw fail(malformed("an end of IDLE before its beginning"))
            case .tagged: throw fail(malformed("an answer to another command"))
            default:
                seen += 1
                if seen > unrelatedLimit { throw fail(flooded()) }
            }
        }
        let until = Deadline.after(renewAfter)
        var outcome: IdleOutcome?
        while outcome == nil, !changed {
            reader.rest()
            switch try receive(.until(until), wakeable: true) {
            case .timedOut: outcome = .renewed
            case .woken: outcome = .woken
            case .response(.tagged(tag, let status)):
                // The server ended it by itself.
                return ended(status, changed ? .changed : .renewed)
            case .response(.tagged): throw fail(malformed("an answer to another command"))
            case .response:
                seen += 1
                if seen > unrelatedLimit || until.isPast { outcome = .renewed }
            }
        }
        let answered = Deadline.after(timing.probe)
        try write("DONE\r\n", answered)
        let status = try answer(to: tag, .until(answered))
        return ended(status, changed ? .changed : outcome ?? .changed)
    }

    /// What the end of an IDLE means that had been granted.
    private mutating func ended(_ status: Status, _ outcome: IdleOutcome) -> IdleOutcome {
        if status.outcome == .ok { return outcome }
        // A server that always does so is not asked again and again.
        idleAgain = .after(timing.idleRefusal)
        return .doubtful
    }

    /// Waits without IDLE, then asks by NOOP.
    public mutating func pause(for duration: Duration) throws(IMAPError) -> IdleOutcome {
        let until = Deadline.after(duration)
        while !changed {
            reader.rest()
            switch try receive(.until(until), wakeable: true) {
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
