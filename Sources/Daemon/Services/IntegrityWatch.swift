import Chronology
import Logging
import Processes
import Review
import ServiceLifecycle
import Store

/// Checks the structure of the ledger's file once a week, and at the start after an unclean stop. Reports an outdated
/// backup.
///
/// While the last check found damage, the ledger refuses every write; a later check without defects, such as of a file
/// that was replaced, ends that.
struct IntegrityWatch: Service {
    let store: Store
    let logger: Logger

    /// Seconds between two checks of what is due.
    private static let interval = 60.0
    /// Seconds between two checks. A check waits for a quiet minute, but no longer than a day.
    private static let period: Int64 = 7 * 86_400
    private static let longestDelay: Int64 = 86_400
    /// Seconds between two checks of a damaged file, which a person may have replaced.
    private static let damagedPeriod: Int64 = 3600

    func run() async throws {
        let check = LedgerCheck(path: store.path)
        await withTaskCancellationOrGracefulShutdownHandler {
            var isFirst = true
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                let first = isFirst
                await onThread { checkIfDue(check, isFirst: first) }
                isFirst = false
            }
            await onThread { mark(isOpen: false) }
        } onCancelOrGracefulShutdown: {
            check.interrupt()
        }
    }

    private func checkIfDue(_ check: LedgerCheck, isFirst: Bool) {
        do {
            if isDue(store.lastCheck, isFirst: isFirst) { try examine(check) }
            if isFirst { mark(isOpen: true) }
            if let state = try store.remindOfBackup(details: \.outdatedSentence) {
                logger.warning("the backup is outdated", metadata: ["reason": "\(state.outdatedSentence)"])
            }
        } catch {
            logger.warning("ledger not checked", metadata: ["reason": "\(error)"])
        }
    }

    private func isDue(_ last: CheckRecord, isFirst: Bool) -> Bool {
        let isSuspected = store.consumeSuspicion()
        guard let checkedAt = last.checkedAt else { return true }
        // A clock that was set back must not postpone the next check.
        let age = abs(UnixTime.now - checkedAt)
        if isFirst, last.isOpen || !last.defects.isEmpty { return true }
        if !last.defects.isEmpty { return age >= Self.damagedPeriod }
        return isSuspected
            || age >= Self.period && (isFirst || store.isQuiet() || age >= Self.period + Self.longestDelay)
    }

    private func examine(_ check: LedgerCheck) throws {
        guard let defects = try check.run() else { return }
        var record = store.lastCheck
        let wasDamaged = !record.defects.isEmpty
        (record.checkedAt, record.defects) = (.now, defects)
        try record.write(of: store.path)
        guard let first = defects.first else {
            if wasDamaged { logger.notice("the ledger is sound again: mail is booked") }
            return
        }
        logger.critical(
            "the ledger is damaged, nothing is booked: \(CheckRecord.remedy)",
            metadata: ["defect": "\(first)", "defects": "\(defects.count)"])
        store.reportDamage()
    }

    private func mark(isOpen: Bool) {
        var record = store.lastCheck
        guard record.isOpen != isOpen else { return }
        record.isOpen = isOpen
        do { try record.write(of: store.path) } catch {
            logger.warning("state of the ledger not written", metadata: ["reason": "\(error)"])
        }
    }
}
