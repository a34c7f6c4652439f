import Foundation
import GRDB
import Glibc
import Testing

extension EndToEnd {
    @Suite struct MergeCrashes {
        /// A merge of two accounts and its undo by programs that are killed at random instants: all of it or nothing.
        @Test(.timeLimit(.minutes(60))) func killedMergesLeaveNoHalfState() throws {
            let station = try Station()
            try station.pass()
            try Self.addAccounts(to: station.ledger.path)
            let (apart, joined) = (try Self.state(station.ledger), ["901 1201 1,2"])
            #expect(apart == ["901 802 1", "902 399 2"])
            let span = try ContinuousClock().measure {
                _ = try station.control(["account", "merge", "902", "901"])
            }
            _ = try station.control(["review", "undo"])
            #expect(try Self.state(station.ledger) == apart)
            var merges = 0
            for crash in 0..<RandomCrashes.count {
                try kill(station, ["account", "merge", "902", "901"], within: span)
                let state = try Self.state(station.ledger)
                #expect(state == apart || state == joined, "crash \(crash): \(state)")
                #expect(try station.ledger.column("PRAGMA integrity_check") == ["ok"])
                guard state == joined else { continue }
                merges += 1
                try kill(station, ["review", "undo"], within: span)
                let undone = try Self.state(station.ledger)
                #expect(undone == apart || undone == joined, "undo \(crash): \(undone)")
                if undone == joined { _ = try station.control(["review", "undo"]) }
                #expect(try Self.state(station.ledger) == apart, "crash \(crash)")
            }
            print("\(RandomCrashes.count) kills: \(merges) merges were committed")
        }

        /// - Parameter span: what the command takes to its end; some kills come behind its commit.
        private func kill(_ station: Station, _ command: [String], within span: Duration) throws {
            let program = try station.start(command, of: "parserctl")
            usleep(UInt32.random(in: 0...UInt32(span / .microseconds(1) * 1.2)))
            try program.crash()
        }

        /// Two accounts with rows that a number leads to; one row of each was put into account 901 by hand.
        private static func addAccounts(to path: String) throws {
            let instant = "2026-01-05T08:00:00Z"
            try DatabaseQueue(path: path).write { db in
                for (account, digits) in [(901, "1"), (902, "2")] {
                    try db.execute(
                        sql: """
                            INSERT INTO user_accounts (id, name, type, currency, confirmed_at, created_at, updated_at)
                            VALUES (?1, 'Account ' || ?1, 'bank', 'INR', ?2, ?2, ?2)
                            """, arguments: [account, instant])
                    try db.execute(
                        sql: "INSERT INTO user_account_numbers VALUES ('bank', ?, ?, '2026-01-05', '2026-01-05')",
                        arguments: [digits, account])
                }
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 1200)
                        INSERT INTO transactions (category_name, currency, amount_minor, recorder, parsed_date, transaction_type, status, created_at,
                          updated_at, occurred_at, profile, account_digits, user_account_id)
                        SELECT 'Uncategorized', 'INR', i, 'Manual', '2026-01-05', 'expense', 'confirmed', ?1, ?1, ?1, 'bank', iif(i % 3 = 0, '2', '1'),
                          iif(i % 3 = 0 AND i > 3, 902, 901) FROM n
                        """, arguments: [instant])
            }
        }

        /// Account, number of its rows, and its numbers.
        private static func state(_ ledger: LedgerFile) throws -> [String] {
            try ledger.column(
                """
                SELECT a.id || ' ' || (SELECT count(*) FROM transactions WHERE user_account_id = a.id) || ' '
                  || (SELECT group_concat(account_digits) FROM (SELECT * FROM user_account_numbers WHERE user_account_id = a.id ORDER BY account_digits))
                FROM user_accounts a WHERE a.id IN (901, 902) AND a.merged_into IS NULL ORDER BY a.id
                """)
        }
    }
}
