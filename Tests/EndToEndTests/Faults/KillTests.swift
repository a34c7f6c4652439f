import Foundation
import GRDB
import Glibc
import ReleasedLedgerFixture
import Testing

extension EndToEnd {
    /// Migrations and applications of a replay that end at a random instant: by SIGKILL, and on a full disk.
    @Suite struct HalfDone {
        /// A ledger of the first released schema with some thousand rows, beside a configuration.
        private final class OldLedger {
            let station: Installation
            let original: String
            let rows: [String]
            /// The names of its migrations.
            let migrations: [String]

            init(transactions: Int) throws {
                station = try Installation(users: ["user"], port: 1, caFile: "none")
                original = station.scratch.path + "/original.db"
                let queue = try DatabaseQueue(path: original)
                try queue.write { db in
                    try db.execute(sql: releasedSchema1)
                    let columns = try String.fetchAll(
                        db,
                        sql:
                            "SELECT name FROM pragma_table_info('transactions') WHERE name NOT IN ('id', 'idempotency_key', 'source_email_id')"
                    ).joined(separator: ", ")
                    try db.execute(
                        sql: """
                            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(transactions))
                            INSERT INTO transactions (idempotency_key, \(columns))
                            SELECT 'many:' || i, \(columns) FROM n, (SELECT * FROM transactions ORDER BY id LIMIT 1)
                            """)
                }
                try queue.close()
                let file = LedgerFile(path: original)
                rows = try file.column(Self.facts)
                migrations = try file.column(Self.names)
            }

            static let facts =
                "SELECT id || ' ' || amount_minor || ' ' || coalesce(idempotency_key, '') FROM transactions ORDER BY id"
            static let names = "SELECT identifier FROM grdb_migrations ORDER BY identifier"

            /// Removes the ledger at `path` with its companions, and puts the old one there.
            func reset(at path: String) throws {
                let folder = (path as NSString).deletingLastPathComponent
                let name = (path as NSString).lastPathComponent
                for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasPrefix(name) {
                    try FileManager.default.removeItem(atPath: folder + "/" + file)
                }
                try FileManager.default.copyItem(atPath: original, toPath: path)
                station.database = path
            }

            /// A command that opens the ledger for writing, which migrates it.
            func migrate(adding category: String = "Allotment") throws -> Program {
                try station.start(["account", "add", category, "--type", "cash", "--currency", "INR"], of: "parserctl")
            }

            /// The ledger has the old schema or the new one, with every row; so has the copy made before, if there is
            /// one.
            func expectWhole(_ what: String, newest: [String]) throws {
                let folder = (station.database as NSString).deletingLastPathComponent
                let name = (station.database as NSString).lastPathComponent
                let copies = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                    $0.hasPrefix(name + ".before-") && !$0.contains(".part-")
                }
                // Opening it for writing rolls an interrupted transaction back.
                for file in [station.database] + copies.map({ folder + "/" + $0 }) {
                    let queue = try DatabaseQueue(path: file)
                    let (rows, found, check) = try queue.read { db in
                        (
                            try String.fetchAll(db, sql: Self.facts), try String.fetchAll(db, sql: Self.names),
                            try String.fetchAll(db, sql: "PRAGMA integrity_check")
                        )
                    }
                    try queue.close()
                    #expect(rows == self.rows && check == ["ok"], "\(what): \(file)")
                    #expect(found == migrations || found == newest && file == station.database, "\(what): \(file)")
                }
            }
        }

        @Test(.timeLimit(.minutes(60))) func killedMigrationsLeaveOneOfBothSchemas() throws {
            let old = try OldLedger(transactions: 4000)
            let path = old.station.scratch.path + "/ledger.db"
            try old.reset(at: path)
            let begun = Date()
            #expect(try old.migrate().exit() == 0)
            let longest = Date().timeIntervalSince(begun) * 1.2
            let newest = try old.station.ledger.column(OldLedger.names)
            #expect(newest.count > old.migrations.count)
            for crash in 0..<RandomCrashes.count {
                try old.reset(at: path)
                let program = try old.migrate()
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try program.crash()
                try old.expectWhole("crash \(crash)", newest: newest)
                if crash % 10 == 0 {
                    // The next start completes it.
                    let again = try old.migrate(adding: "Plot \(crash)")
                    #expect(try again.exit() == 0, "\(again.errors)")
                    #expect(try old.station.ledger.column(OldLedger.names) == newest)
                    #expect(try old.station.ledger.column(OldLedger.facts) == old.rows)
                }
            }
        }

        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"),
            .timeLimit(.minutes(10))
        )
        func aFullDiskLeavesOneOfBothSchemas() throws {
            let old = try OldLedger(transactions: 2000)
            let disk = try SmallDisk(kilobytes: 64 << 10, in: old.station.scratch)
            let path = disk.path + "/ledger.db"
            try old.reset(at: path)
            #expect(try old.migrate().exit() == 0)
            let newest = try old.station.ledger.column(OldLedger.names)
            var refused = 0
            for room in [0, 8, 40, 200, 400, 800, 1200, 1600] {
                try disk.resize(toKilobytes: 64 << 10)
                try old.reset(at: path)
                try disk.resize(toKilobytes: disk.usedKilobytes + room)
                let program = try old.migrate()
                if try program.exit() != 0 {
                    refused += 1
                    #expect(program.errors.contains("parserctl"), "\(program.errors)")
                }
                try disk.resize(toKilobytes: 64 << 10)
                try old.expectWhole("\(room) kB", newest: newest)
            }
            #expect(refused >= 4, "\(refused) of 8 were refused")
        }

        /// Mails whose template read only the first word of the merchant, in a ledger of their own. Only their bank is
        /// loaded, so that the time of a replay is the work on the ledger, where a kill matters.
        private final class Corrected {
            let station: Station
            private let count: Int
            static let short = "HILL"
            static let long = "HILL COFFEE"

            init(mails: Int) throws {
                station = try Station()
                count = mails
                try station.scratch.write(Reloading.bank, to: "parsers/acme/_bank.yaml")
                station.parsers = [station.scratch.path + "/parsers"]
                try use(Self.short)
                let moment = India.daysAgo(4, 12, 0)
                try station.deliver(
                    (0..<mails).map { number in
                        Mail(
                            id: "m\(number)", from: "alerts@acme.example",
                            text:
                                "Rs.\(100 + number).50 spent at HILL COFFEE on \(India.text("%d-%m-%Y", moment)) card 9090",
                            arrived: moment, outcome: "recorded")
                    })
                try station.pass()
                // A person's edit stays whatever happens.
                let first = try station.ledger.column("SELECT min(id) FROM transactions")
                _ = try station.control(["tag", "add", first[0], "goa"])
            }

            /// Makes the profile read the merchant as `name`.
            func use(_ name: String) throws {
                let text =
                    name == Self.long
                    ? Reloading.spend
                    : Reloading.spend.replacing("(?<merchant>.{1,60}?)", with: "(?<merchant>\\w+) \\s \\w+")
                try station.scratch.write(text, to: "parsers/acme/spend.yaml")
            }

            func apply() throws -> Program { try station.start(["replay", "--apply", "--yes"], of: "parserctl") }

            /// The name that all transactions but the edited one have; `nil` if they differ.
            func name() throws -> String? {
                let names = try station.ledger.column("SELECT parsed_vendor FROM transactions ORDER BY id")
                #expect(names.count == count && names.first == Self.short)
                return Set(names.dropFirst()).count == 1 ? names.last : nil
            }

            func expectWhole(_ what: String) throws {
                #expect(try name() != nil, "\(what): some are changed and some are not")
                #expect(try station.ledger.column("PRAGMA integrity_check") == ["ok"])
                // Each applied replay is one group with all of its changes, so that one undo takes all back.
                let groups = try station.ledger.column(
                    "SELECT DISTINCT count(*) FROM changes WHERE actor_name = 'replay' GROUP BY group_id")
                #expect(groups.allSatisfy { $0 == "\(count - 1)" }, "\(what): \(groups)")
            }
        }

        @Test(.timeLimit(.minutes(60))) func killedReplaysChangeAllOrNothing() throws {
            let trial = try Corrected(mails: 40)
            try trial.use(Corrected.long)
            let begun = Date()
            #expect(try trial.apply().exit() == 0)
            let longest = Date().timeIntervalSince(begun) * 1.2
            #expect(try trial.name() == Corrected.long)
            for crash in 0..<RandomCrashes.count {
                let target = try trial.name() == Corrected.long ? Corrected.short : Corrected.long
                try trial.use(target)
                let program = try trial.apply()
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try program.crash()
                try trial.expectWhole("crash \(crash)")
            }
            try trial.use(Corrected.long)
            #expect(try trial.apply().exit() == 0)
            #expect(try trial.name() == Corrected.long)
        }

        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"),
            .timeLimit(.minutes(10))
        )
        func aFullDiskStopsBackupsRestoresAndReplays() throws {
            let trial = try Corrected(mails: 40)
            let disk = try SmallDisk(kilobytes: 64 << 10, in: trial.station.scratch)
            let ledger = disk.path + "/ledger.db"
            _ = try trial.station.control(["backup", trial.station.scratch.path + "/first.tgz"])
            try FileManager.default.copyItem(atPath: trial.station.database, toPath: ledger)
            trial.station.database = ledger
            let backup = disk.path + "/backup.tgz"
            _ = try trial.station.control(["backup", backup])
            try trial.use(Corrected.long)
            for room in [0, 4, 12, 40] {
                try disk.resize(toKilobytes: disk.usedKilobytes + room)
                for command in [
                    ["backup", backup], ["restore", "--yes", trial.station.scratch.path + "/first.tgz"],
                    ["replay", "--apply", "--yes"],
                ] {
                    let program = try trial.station.start(command, of: "parserctl")
                    if try program.exit() != 0 { #expect(!program.errors.isEmpty, "\(command)") }
                    let verify = try Program("parserctl", ["backup", "verify", backup], in: trial.station.scratch)
                    #expect(try verify.exit() == 0, "\(room) kB, \(command): \(verify.errors)")
                    try trial.expectWhole("\(room) kB, \(command)")
                }
                try disk.resize(toKilobytes: 64 << 10)
            }
        }
    }
}
