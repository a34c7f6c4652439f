import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Restores {
        /// A ledger with an earlier and a later state, and a backup of each.
        private struct Case {
            let station: Station
            var backups: [String] = []
            var states: [[String]] = []

            init(mails: Int) throws {
                station = try Station()
                let all = Catalogue.many(2 * mails)
                for part in [all.prefix(mails), all.suffix(mails)] {
                    try station.deliver(Array(part))
                    try station.pass()
                    let backup = station.scratch.path + "/backup-\(backups.count).tgz"
                    _ = try station.control(["backup", backup])
                    backups.append(backup)
                    states.append(try present())
                }
                try #require(states[0] != states[1])
            }

            func present() throws -> [String] {
                try station.ledger.column("SELECT idempotency_key FROM transactions ORDER BY 1")
            }

            func restore(_ index: Int) throws -> Program {
                try station.start(["restore", "--yes", backups[index]], of: "parserctl")
            }
        }

        /// A restore that is killed at a random instant leaves the former ledger or the restored one.
        @Test(.timeLimit(.minutes(60))) func killedRestoresLeaveOneOfBothLedgers() throws {
            let trial = try Case(mails: 60)
            let begun = Date()
            #expect(try trial.restore(0).exit() == 0)
            #expect(try trial.present() == trial.states[0])
            let longest = Date().timeIntervalSince(begun) * 1.2
            for crash in 0..<RandomCrashes.count {
                let target = try trial.present() == trial.states[0] ? 1 : 0
                let program = try trial.restore(target)
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try program.crash()
                // The first opening by SpendWise rolls an interrupted restore back.
                _ = try trial.station.control(["list", "--limit", "1"])
                let state = try trial.present()
                #expect(state == trial.states[0] || state == trial.states[1], "crash \(crash)")
                #expect(try trial.station.ledger.column("PRAGMA integrity_check") == ["ok"])
            }
            // The next pass finds what the restored ledger lacks.
            #expect(try trial.restore(0).exit() == 0)
            try trial.station.pass()
            #expect(try trial.present() == trial.states[1])
        }

        /// A backup that is killed leaves the former file or the new one, and the ledger as it was.
        @Test(.timeLimit(.minutes(60))) func killedBackupsLeaveWholeFiles() throws {
            let trial = try Case(mails: 60)
            let backup = trial.backups[0]
            let begun = Date()
            #expect(try trial.station.start(["backup", backup], of: "parserctl").exit() == 0)
            let longest = Date().timeIntervalSince(begun) * 1.2
            for crash in 0..<max(RandomCrashes.count, 20) {
                let program = try trial.station.start(["backup", backup], of: "parserctl")
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try program.crash()
                let proof = try Program("parserctl", ["backup", "verify", backup], in: trial.station.scratch)
                #expect(try proof.exit() == 0, "crash \(crash): \(proof.errors)")
                #expect(try trial.present() == trial.states[1])
            }
        }

        /// A salvage that is killed while it replaces the ledger leaves the damaged ledger or the new one.
        @Test(.timeLimit(.minutes(60))) func killedSalvagesLeaveALedger() throws {
            let trial = try Case(mails: 60)
            let path = trial.station.ledger.path
            let begun = Date()
            func salvage() throws -> Program {
                try trial.station.start(["salvage", "--replace", "--yes"], of: "parserctl")
            }
            #expect(try salvage().exit() == 0)
            let longest = Date().timeIntervalSince(begun) * 1.2
            for crash in 0..<max(RandomCrashes.count, 20) {
                let program = try salvage()
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try program.crash()
                #expect(FileManager.default.fileExists(atPath: path), "crash \(crash)")
                #expect(try trial.present() == trial.states[1], "crash \(crash)")
                #expect(try trial.station.ledger.column("PRAGMA integrity_check") == ["ok"])
            }
            let log = try trial.station.ledger.column("SELECT event FROM audit_log ORDER BY id")
            #expect(log.last == "ledger salvaged: 0 tables with losses", "\(log)")
            #expect(try trial.station.control(["audit", "--verify"]).contains("is intact"))
        }

        @Test func aRunningDaemonKeepsItsLedger() throws {
            let trial = try Case(mails: 3)
            let daemon = try trial.station.start(["ingest"])
            try daemon.logs("watching")
            let refused = try trial.restore(0)
            #expect(try refused.exit() == 1)
            #expect(refused.errors.contains("systemctl stop spendwise-ingest"), "\(refused.errors)")
            #expect(try trial.present() == trial.states[1])
            try daemon.crash()
        }
    }
}
