import DovecotFixture
import Foundation
import Testing

/// A file system of its own in memory, as small as asked for.
private final class SmallDisk {
    let path: String

    init(kilobytes: Int, in scratch: Scratch) throws {
        path = scratch.fresh("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { throw Failed(description: "mount: \(String(cString: strerror(errno)))") }
    }

    func grow(toKilobytes size: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)k") == 0 else { throw Failed(description: "remount: \(String(cString: strerror(errno)))") }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Root in a container may not be allowed to.
    static let isPossible: Bool = {
        guard getuid() == 0, let scratch = try? Scratch() else { return false }
        return (try? SmallDisk(kilobytes: 64, in: scratch)) != nil
    }()
}

extension EndToEnd {
    @Suite struct FullDisk {
        @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"), .timeLimit(.minutes(3)))
        func nothingIsHalfWrittenAndTheWorkGoesOnWhenThereIsSpace() throws {
            let station = try Station()
            let mails = Catalogue.many(400)
            try station.deliver(mails)
            let whole = station.database
            try station.pass()
            let expected = try station.ledger.facts()

            let disk = try SmallDisk(kilobytes: 1500, in: station.scratch)
            station.database = disk.path + "/ledger.db"
            let said = try station.pass(expecting: 1)
            #expect(said.contains(station.database) && said.contains("no space is left"), "\(said)")
            let recorded = station.ledger.mails
            #expect(recorded < mails.count && recorded > 0, "the disk is to fill in the middle; \(recorded) rows")
            try disk.grow(toKilobytes: 64 << 10)
            try station.pass()
            #expect(try station.ledger.facts() == expected)
            #expect(whole != station.database)
        }

        /// The daemon says so, waits, and needs no restart.
        @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes a privileged user"), .timeLimit(.minutes(3)))
        func theDaemonWaitsForSpace() throws {
            let station = try Station()
            let mails = Catalogue.many(400)
            try station.deliver(mails)
            let disk = try SmallDisk(kilobytes: 1500, in: station.scratch)
            station.database = disk.path + "/ledger.db"
            let daemon = try station.start(["ingest"])
            try daemon.says("no space is left")
            try disk.grow(toKilobytes: 64 << 10)
            try waitUntil("the rest of the mails") { station.ledger.mails == mails.count }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }
    }
}
