import PostgreSQL
import Store

/// The keys of what a household's newest commits changed, so that copies can catch up.
///
/// Its statements act on the household that the transaction names.
enum ChangeLog {
    /// Commits that a copy may be behind. One that is further behind is made anew, which reads every row.
    static let length: Int64 = 512
    /// Commits between two removals of older entries.
    private static let trimming: Int64 = 64

    /// The statements that add the entry of a commit.
    ///
    /// - Parameters:
    ///   - version: which the commit makes.
    ///   - writer: the random number of the copy.
    static func addition(_ changes: LedgerChanges, version: Int64, writer: Int64) -> [PostgresStatement] {
        let addition = PostgresStatement(
            "INSERT INTO fleet.changes (version, writer, keys) VALUES ($1, $2, $3)",
            [.bigint(version), .bigint(writer), .bytea(ChangedRows(changes).entry)])
        guard version % trimming == 0 else { return [addition] }
        let trim = PostgresStatement(
            "DELETE FROM fleet.changes WHERE household_id = fleet.household() AND version <= $1",
            [.bigint(version - length)])
        return [addition, trim]
    }

    /// What the commits after a known one until another changed.
    ///
    /// - Throws: ``PrimaryError`` if the log does not reach back, or has another commit instead of the known one.
    static func changes(
        after known: CommitMark, until newest: Int64, _ connection: PostgresConnection
    ) throws -> ChangedRows {
        var changed = ChangedRows()
        // A household that was added has no entry for the state that it came with.
        var isContinued = known.writer == 0
        var next = known.version + 1
        try connection.each(
            """
            SELECT version, writer, keys FROM fleet.changes
            WHERE household_id = fleet.household() AND version >= $1 ORDER BY version
            """, [.bigint(known.version)]
        ) { row in
            if CommitMark(row, at: 0) == known { isContinued = true }
            guard row.bigint(0) == next, let entry = row.bytes(2), changed.add(entry) else { return }
            next += 1
        }
        guard isContinued, next == newest + 1 else {
            throw PrimaryError(.ended, "the change log does not reach back to the copy; a new one is made")
        }
        return changed
    }

    /// The random number of the copy that made a commit.
    static func writer(of version: Int64, _ connection: PostgresConnection) throws -> Int64? {
        try connection.run(
            "SELECT writer FROM fleet.changes WHERE household_id = fleet.household() AND version = $1",
            [.bigint(version)]
        ) { $0.bigint(0) }.first ?? nil
    }
}
