public import Chronology
internal import GRDB

/// Test messages: a program without the sinks' secrets requests one, the delivery sends it and stores the result.
extension OutboxRepository {
    /// - Throws: `notFound` if no sink has this name.
    public func requestTrial(of sink: String, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "UPDATE notification_sinks SET trial_requested_at = ? WHERE name = ?", arguments: [now, sink])
            guard db.changesCount == 1 else { throw StoreError.notFound("sink '\(sink)'") }
        }
    }

    /// Names of the sinks whose test message is not sent yet.
    public func requestedTrials() throws(StoreError) -> [String] {
        try read {
            try String.fetchAll(
                $0, sql: "SELECT name FROM notification_sinks WHERE trial_requested_at IS NOT NULL ORDER BY name")
        }
    }

    /// - Parameter problem: why the message was not accepted; `nil` if it was.
    public func finishTrial(of sink: String, problem: String?, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE notification_sinks SET trial_requested_at = NULL, trial_at = ?, trial_problem = ? WHERE name = ?
                    """, arguments: [now, problem, sink])
        }
    }
}
