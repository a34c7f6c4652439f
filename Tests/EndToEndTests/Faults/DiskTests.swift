import DovecotFixture
import Foundation
import GRDB
import Glibc
import LoopbackFixture
import Testing

/// Files that no process can write, even through an open descriptor, as after a disk error.
fileprivate enum Immutable {
    static func set(_ on: Bool, _ files: [String], in scratch: Scratch) throws {
        let program = try Program("/usr/bin/chattr", [on ? "+i" : "-i"] + files, in: scratch)
        guard try program.exit() == 0 else { throw Failed(description: program.errors) }
    }

    /// Requires root and a file system with the attribute.
    static let isPossible: Bool = {
        guard getuid() == 0, let scratch = try? Scratch(), let path = try? scratch.write("", to: "probe") else {
            return false
        }
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(file) }
        guard (try? set(true, [path], in: scratch)) != nil else { return false }
        let written = write(file, "x", 1)
        return (try? set(false, [path], in: scratch)) != nil && written < 0
    }()
}

extension EndToEnd {
    @Suite struct FullDisk {
        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"), .timeLimit(.minutes(3))
        )
        func fullDiskWritesNothingPartiallyAndWorkContinuesWithSpace() throws {
            let station = try Station()
            let mails = Catalogue.many(400)
            let whole = station.database
            let disk = try SmallDisk(kilobytes: 64 << 10, in: station.scratch)
            station.database = disk.path + "/ledger.db"
            try station.deliver(Array(mails.prefix(40)))
            try station.pass()
            try station.deliver(Array(mails.dropFirst(40)))
            try disk.resize(toKilobytes: disk.usedKilobytes + 200)
            let output = try station.pass(expecting: 1)
            #expect(output.contains(station.database) && output.contains("no space is left"), "\(output)")
            let recorded = station.ledger.mails
            #expect(recorded < mails.count && recorded >= 40, "the disk is to fill in the middle; \(recorded) rows")
            try disk.resize(toKilobytes: 64 << 10)
            try station.pass()
            let facts = try station.ledger.facts()
            station.database = whole
            try station.pass()
            #expect(try station.ledger.facts() == facts)
        }

        /// On a read-only disk nothing is recorded and the cursor does not move. Later everything is read.
        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"), .timeLimit(.minutes(3))
        )
        func readOnlyDiskLosesNothing() throws {
            let station = try Station()
            let disk = try SmallDisk(kilobytes: 64 << 10, in: station.scratch)
            station.database = disk.path + "/ledger.db"
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            try station.pass()
            try station.deliver([second])
            try disk.freeze(true, kilobytes: 64 << 10)
            let output = try station.pass(expecting: 1)
            #expect(output.contains(station.database), "\(output)")
            try disk.freeze(false, kilobytes: 64 << 10)
            try station.pass()
            try station.expectBooked([first, second])
        }

        /// Another program holds the lock for longer than the timeout. The message is recorded by the next pass.
        @Test(.timeLimit(.minutes(3))) func lockedDatabaseLosesNothing() throws {
            let station = try Station()
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            try station.pass()
            try station.deliver([second])
            let holder = try DatabaseQueue(path: station.database)
            try holder.inDatabase { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                let output = try station.pass(expecting: 1)
                #expect(output.contains("another process has held the database"), "\(output)")
                try db.execute(sql: "ROLLBACK")
            }
            try holder.close()
            try station.pass()
            try station.expectBooked([first, second])
        }

        /// The daemon reports the lock and needs no restart.
        @Test(.timeLimit(.minutes(3))) func daemonWaitsForLockedDatabase() throws {
            let station = try Station()
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            // The daemon may hold the lock itself.
            var configuration = Configuration()
            configuration.busyMode = .timeout(30)
            let holder = try DatabaseQueue(path: station.database, configuration: configuration)
            try holder.inDatabase { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                try station.deliver([second])
                try daemon.logs("another process has held the database")
                try db.execute(sql: "ROLLBACK")
            }
            try holder.close()
            try waitUntil("the second row\n\(daemon.errors)") { station.ledger.mails == 2 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([first, second])
        }

        /// SIGTERM interrupts every wait for the lock. The message of the interrupted pass is read by the next one.
        @Test(.timeLimit(.minutes(3)), arguments: ["ingest", "run"])
        func stopDoesNotWaitForLockedDatabase(role: String) throws {
            let station = try Station()
            station.settings = "web: { listen: '127.0.0.1:\(try freePort())' }"
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            let daemon = try station.start([role])
            try daemon.logs("watching")
            try waitUntil("the first row\n\(daemon.errors)") { station.ledger.mails == 1 }
            var configuration = Configuration()
            configuration.busyMode = .timeout(30)
            let holder = try DatabaseQueue(path: station.database, configuration: configuration)
            try holder.inDatabase { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                try station.deliver([second])
                // Less than the timeout, so that the pass waits for the lock when the signal arrives.
                usleep(2_500_000)
                daemon.signal(SIGTERM)
                #expect(try daemon.exit(within: 2) == 0)
                try db.execute(sql: "ROLLBACK")
            }
            try holder.close()
            try station.pass()
            try station.expectBooked([first, second])
        }

        /// Files that become read-only while the daemon has them open.
        @Test(
            .enabled(if: Immutable.isPossible, "chattr +i takes root and a file system that knows it"),
            .timeLimit(.minutes(3)))
        func daemonWaitsForReadOnlyDatabase() throws {
            let station = try Station()
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let files = ["", "-wal"].map { station.database + $0 }
            try Immutable.set(true, files, in: station.scratch)
            defer { try? Immutable.set(false, files, in: station.scratch) }
            try station.deliver([second])
            try daemon.logs("mailbox cannot be read")
            #expect(daemon.errors.contains(station.database), "\(daemon.errors)")
            #expect(station.ledger.mails == 1)
            try Immutable.set(false, files, in: station.scratch)
            try waitUntil("the second row\n\(daemon.errors)") { station.ledger.mails == 2 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([first, second])
        }

        /// The daemon reports the full disk, waits, and needs no restart.
        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"), .timeLimit(.minutes(3))
        )
        func daemonWaitsForSpace() throws {
            let station = try Station()
            let mails = Catalogue.many(400)
            let disk = try SmallDisk(kilobytes: 64 << 10, in: station.scratch)
            station.database = disk.path + "/ledger.db"
            try station.deliver(Array(mails.prefix(40)))
            try station.pass()
            try station.deliver(Array(mails.dropFirst(40)))
            try disk.resize(toKilobytes: disk.usedKilobytes + 200)
            let daemon = try station.start(["ingest"])
            try daemon.logs("no space is left")
            try disk.resize(toKilobytes: 64 << 10)
            try waitUntil("the rest of the mails") { station.ledger.mails == mails.count }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }
    }
}
