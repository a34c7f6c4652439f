import Logging
import Review
import Store
import Synchronization

/// Books posted recurring items when they are due, and announces payments to come and budgets that are nearly spent.
final class DueTask: UpkeepTask {
    private let store: Store
    /// Days before its day on which a payment is announced.
    private let daysAhead: Int
    private let logger: Logger
    private let hasRun = Atomic(false)

    /// A day that begins in UTC is noticed within a quarter of an hour.
    let schedule = UpkeepSchedule(interval: 900)
    let failure = "dues not checked"

    init(store: Store, daysAhead: Int, logger: Logger) {
        (self.store, self.daysAhead, self.logger) = (store, daysAhead, logger)
    }

    func run(isStopped: () -> Bool) throws {
        // Not the first time: the mailboxes are still being read, and a payment in them is not missing.
        let announces = hasRun.exchange(true, ordering: .relaxed)
        let booked = try store.recurring.post()
        if booked > 0 { logger.info("recurring items booked", metadata: ["transactions": "\(booked)"]) }
        guard announces else { return }
        try store.dues.announce(daysAhead: daysAhead, details: \.sentence)
        try store.budgets.announce(details: \.sentence)
    }
}
