import Store

/// What a worker knows about itself at one moment.
struct WorkerSnapshot: Sendable {
    struct Mailbox: Sendable {
        let host: String
        let health: MailboxHealth
    }

    /// Seconds since the leases were renewed; `nil` before the first renewal.
    var leaseAge: Int64?
    /// Seconds since the worker's own thread last looked at the leases, with or without success.
    var stepAge: Int64 = 0
    var households = 0
    var mailboxes: [Mailbox] = []
    /// True if every mailbox's thread has reported within its time limit.
    var areAlive = true
    var commits = CommitMeter.Figures()

    /// Seconds without a look at the leases after which the worker hangs: longer than a statement may take.
    static let longestStep: Int64 = 120

    var isAlive: Bool { areAlive && stepAge <= Self.longestStep }

    /// Why the worker cannot do its work; empty if it can.
    var faults: [String] {
        var faults: [String] = []
        if leaseAge ?? .max > LeaseTable.seconds {
            faults.append(
                (leaseAge.map { "the leases were not renewed for \($0) s" } ?? "the leases were never renewed")
                    + "; the log of the worker gives the reason")
        }
        if stepAge > Self.longestStep { faults.append("the worker has not looked at its leases for \(stepAge) s") }
        if !areAlive { faults.append("the thread of a mailbox hangs") }
        return faults
    }

    /// Mailboxes that a person must look at.
    var refused: Int { mailboxes.count { $0.health.state == .refused } }
}
