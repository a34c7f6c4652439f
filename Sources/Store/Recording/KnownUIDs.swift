import GRDB
import Ledger

/// Existing rows for the UIDs of a batch: one query for each run of entries of one folder.
struct KnownUIDs {
    struct Row {
        var id: String
        var outcome: Outcome
        var duplicateOf: String?
    }

    private let select: PreparedStatement
    private var rows: [UInt32: Row] = [:]
    /// Run of entries whose folder `rows` belongs to.
    private var run: Range<Int> = 0..<0

    init(_ db: Database) throws {
        select = try PreparedStatement(
            db,
            """
            SELECT uid, id, status, duplicate_of FROM processed_emails
            WHERE mailbox = ? AND folder = ? AND uid_validity = ? AND uid BETWEEN ? AND ?
            """)
    }

    mutating func row(of entry: MailEntry, _ index: Int, in entries: [MailEntry]) throws -> Row? {
        if !run.contains(index) { try load(from: index, in: entries) }
        return rows[entry.uid]
    }

    /// A UID may occur twice in one batch.
    mutating func add(_ entry: MailEntry, _ row: Row) { rows[entry.uid] = row }

    private mutating func load(from start: Int, in entries: [MailEntry]) throws {
        let first = entries[start]
        var end = start + 1
        var uids = first.uid...first.uid
        while end < entries.count, entries[end].uidValidity == first.uidValidity, entries[end].folder == first.folder,
            entries[end].mailbox == first.mailbox
        {
            uids = min(uids.lowerBound, entries[end].uid)...max(uids.upperBound, entries[end].uid)
            end += 1
        }
        run = start..<end
        rows.removeAll(keepingCapacity: true)
        try select.each {
            $0.bind(first.mailbox)
            $0.bind(first.folder)
            $0.bind(Int64(first.uidValidity))
            $0.bind(Int64(uids.lowerBound))
            $0.bind(Int64(uids.upperBound))
        } _: { row in
            rows[UInt32(truncatingIfNeeded: row.int(0))] = Row(
                id: row.text(1), outcome: Outcome(rawValue: row.text(2)) ?? .failed, duplicateOf: row.optionalText(3))
            return true
        }
    }
}
