import PostgreSQL

/// A commit of a household: which one it was, and who made it.
///
/// The number alone is not enough. A server that takes over without the newest commits counts them again, so that a
/// copy of those would take other rows for its own.
public struct CommitMark: Hashable, Sendable {
    /// The number of commits with it.
    public let version: Int64
    /// The random number of the copy that made it; 0 before the first commit.
    let writer: Int64

    /// The columns that ``init(_:at:)`` reads.
    static let columns = "l.version, l.last_writer"

    init(version: Int64, writer: Int64) { (self.version, self.writer) = (version, writer) }

    /// True if a ledger with the commit `newest` can contain this one. It does not after a restore, or after a
    /// fail-over to a server that missed commits.
    public func isContinued(by newest: CommitMark) -> Bool { self == newest || version < newest.version }

    /// Reads ``columns``, of which the first is the one at `index`.
    init?(_ row: PostgresRow, at index: Int) {
        guard let version = row.bigint(index), let writer = row.bigint(index + 1) else { return nil }
        self.init(version: version, writer: writer)
    }
}
