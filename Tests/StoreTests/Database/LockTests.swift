import Chronology
import ChronologyFixture
import Foundation
import GRDB
import Glibc
import Ledger
import Synchronization
import Testing

@testable import Store

@Suite struct LockTests {
    /// Holds the write lock on another connection until it is released.
    private final class OtherProcess: @unchecked Sendable {  // used by one test, one call after the other
        private let queue: DatabaseQueue

        init(_ path: String) throws {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true  // the transaction outlives the access
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        }

        func release() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
    }

    /// Calls `body` on its own thread after so many milliseconds, because the wait under test blocks this one.
    private func after(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            usleep(milliseconds * 1000)
            body()
        }
    }

    @Test("A stop ends the wait for another process's lock within two seconds")
    func interrupt() throws {
        let f = try Fixture()
        let other = try OtherProcess(f.folder.database)
        let start = ContinuousClock.now
        after(200) { [store = f.store] in store.interrupt() }
        let error = #expect(throws: StoreError.self) { try f.store.recording.record([mail(1, decision())]) }
        #expect(error?.kind == .busy)
        // The next one does not wait either.
        #expect(throws: StoreError.self) { try f.store.recording.record([mail(1, decision())]) }
        #expect(ContinuousClock.now - start < .seconds(2))
        try other.release()
        _ = try f.store.recording.record([mail(1, decision())])
    }

    @Test("A write waits for another process's commit")
    func waits() throws {
        let f = try Fixture()
        let other = try OtherProcess(f.folder.database)
        after(300) { try? other.release() }
        #expect(try f.store.recording.record([mail(1, decision())]).count == 1)
    }

    private func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test("After a checkpoint the database file alone is whole")
    func checkpoint() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision())])
        #expect(size(f.folder.database + "-wal") > 0)
        #expect(try f.store.checkpoint())
        #expect(size(f.folder.database + "-wal") == 0)
    }

    @Test("The log of an idle ledger is emptied, that of a busy one is not")
    func idle() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision())])
        try f.store.checkpointIfIdle()
        #expect(size(f.folder.database + "-wal") > 0, "written since the last check")
        try f.store.checkpointIfIdle()
        #expect(size(f.folder.database + "-wal") == 0)
    }

    @Test("A checkpoint gives up soon while another connection reads")
    func checkpointGivesUp() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision())])
        let start = ContinuousClock.now
        try f.store.read { snapshot in
            _ = try snapshot.mails.latest([.recorded])
            #expect(try f.store.checkpoint(waiting: 50) == false)
        }
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
