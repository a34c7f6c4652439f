import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Links of refunds that an earlier version wrote.
@Suite struct LinkMigrationTests {
    private static let rows = """
        INSERT INTO transactions (id, currency, amount_minor, recorder, parsed_date, transaction_type, status, created_at, updated_at, occurred_at)
          VALUES (1, 'INR', 64000, 'Manual', '2026-01-05', 'expense', 'confirmed', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z'),
                 (2, 'INR', 64000, 'Manual', '2026-01-07', 'income', 'confirmed', '2026-01-07T08:00:00Z', '2026-01-07T08:00:00Z', '2026-01-07T08:00:00Z'),
                 (3, 'INR', 100, 'Manual', '2026-01-08', 'income', 'confirmed', '2026-01-08T08:00:00Z', '2026-01-08T08:00:00Z', '2026-01-08T08:00:00Z');
        INSERT INTO event_links VALUES
          (4, 'refund', 1, 2, 'made', 1, 'person', 'refund: a person said so', 'person', '2026-01-07T08:00:00Z', '2026-01-07T08:00:00Z'),
          (7, 'reversal', 1, 3, 'proposed', 0.6, 'partial', 'reversal: a part', 'rule', '2026-01-08T08:00:00Z', '2026-01-08T08:00:00Z'),
          (9, 'refund', 1, 3, 'rejected', 0.6, 'partial', 'refund: a part', 'person', '2026-01-08T08:00:00Z', '2026-01-08T08:00:00Z');
        DELETE FROM event_links WHERE id = 9;
        INSERT INTO changes (at, actor_kind, actor_name, done, before, after, group_id)
          SELECT '2026-01-07T08:00:00Z', 'page', 'asha', 'added', '{"event_link":null}', json_object('event_link', json((SELECT json_object(
            'id', id, 'kind', kind, 'purchase_id', purchase_id, 'refund_id', refund_id, 'state', state, 'confidence', confidence, 'evidence', evidence,
            'why', why, 'made_by', made_by, 'created_at', created_at, 'updated_at', updated_at) FROM event_links WHERE id = 4))), 'g1';
        """

    @Test func linksAndTheirJournalAreKept() throws {
        let folder = Folder()
        do {
            let old = try DatabaseQueue(path: folder.database)
            let until = Schema.migrations.prefix { $0.name != "event-links of all kinds" }
            try old.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                try Schema.migrate(db, with: Set(until.map(\.name)))
                try db.execute(sql: Self.rows)
            }
        }
        let store = try Store(path: folder.database)
        let links = try store.eventLinks.list().map { "\($0.id) \($0.kind) \($0.state) \($0.from.id) \($0.to.id)" }
        #expect(links == ["7 reversal proposed 1 3", "4 refund made 1 2"])
        #expect(
            try store.statistics.totals(of: DaySpan(days: 31, through: date("2026-01-31"))).first?.net.minorUnits == 100
        )
        #expect(try store.integrityDefects() == [])
        let change = try #require(try store.journal.changes().first)
        #expect(change.after.contains("\"to_id\":2"))
        try store.journal.undo(group: change.group)
        #expect(try store.eventLinks.find(4) == nil, "the link of the person is undone")
        try store.journal.undo(group: try #require(try store.journal.changes().first).group)
        #expect(try store.eventLinks.find(4)?.state == .made, "under its number")
        try store.eventLinks.reject(4, by: .terminal)
        #expect(try store.eventLinks.link(1, to: 3, as: .refund, by: .terminal).id == 10, "no number is used again")
    }
}
