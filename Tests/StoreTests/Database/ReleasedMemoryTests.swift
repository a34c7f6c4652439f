import GRDB
import GRDBSQLite
import Ledger
import Testing

@testable import Store

@Suite struct ReleasedMemoryTests {
    /// Bytes of the schema of a connection.
    private static func schema(_ queue: DatabaseQueue) throws -> CInt {
        try queue.inDatabase { db in
            var (used, most): (CInt, CInt) = (0, 0)
            try #require(
                sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_SCHEMA_USED, &used, &most, 0) == SQLITE_OK)
            return used
        }
    }

    @Test func anIdleLedgerForgetsItsTablesAndReadsThemAgain() throws {
        let f = try Fixture()
        for uid in 1...3 as ClosedRange<UInt32> {
            try f.store.recording.record([mail(uid, decision(.recorded, draft(Int64(uid))))])
            #expect(try f.store.mails.latest([.recorded]).count == Int(uid))
            for queue in [f.store.writer, f.store.reader] { #expect(try Self.schema(queue) > 100_000) }
            f.store.releaseMemory()
            for queue in [f.store.writer, f.store.reader] { #expect(try Self.schema(queue) < 10_000) }
        }
    }

    @Test func aLedgerThatOthersMigratedMeanwhileIsRead() throws {
        let f = try Fixture()
        f.store.releaseMemory()
        let other = try DatabaseQueue(path: f.folder.database)
        try other.write { try $0.execute(sql: "CREATE INDEX added ON transactions (parsed_vendor)") }
        try f.store.recording.record([mail(1, decision(.recorded, draft(1)))])
        #expect(try f.store.mails.latest([.recorded]).count == 1)
    }
}
