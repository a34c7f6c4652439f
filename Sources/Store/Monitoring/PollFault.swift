import Synchronization

/// The fault of the last of many polls of the ledger, so that one that lasts is logged once.
public final class PollFault: Sendable {
    private let last = Mutex<String?>(nil)

    public init() {}

    /// Notes the result of a poll.
    /// - Returns: its fault, if that differs from the one of the poll before.
    public func new(in result: Result<Void, any Error>) -> String? {
        guard case .failure(let error) = result else {
            _ = isNew(nil)
            return nil
        }
        let fault = "\(error)"
        return isNew(fault) ? fault : nil
    }

    /// Notes the fault of a poll, `nil` if it had none; true if it differs from that of the last one.
    public func isNew(_ fault: String?) -> Bool {
        last.withLock { last in
            defer { last = fault }
            return last != fault
        }
    }
}
