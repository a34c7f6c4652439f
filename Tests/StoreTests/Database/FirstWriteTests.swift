import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct FirstWriteTests {
    private func open(_ folder: Folder) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: folder.database, configuration: Connection.configuration(readOnly: false, wait: BusyWait()))
    }

    @Test("A first write that fails, at whatever page, does not make the file another program's", arguments: 1...24)
    func failedFirstWrite(pages: Int) throws {
        let folder = Folder()
        do {
            let queue = try open(folder)
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
            #expect(throws: DatabaseError.self) {
                try Schema.bringUpToDate(queue, path: folder.database, readOnly: false)
            }
        }
        let store = try Store(path: folder.database)
        _ = try store.recording.record([mail(1, decision())])
        #expect(try store.integrityDefects() == [])
    }

    @Test("The first commit holds the application id and the whole schema")
    func firstCommit() throws {
        let folder = Folder()
        let queue = try open(folder)
        try Schema.bringUpToDate(queue, path: folder.database, readOnly: false)
        let commits = try queue.writeWithoutTransaction { db in
            // Of the write-ahead log: one commit, all of its pages.
            try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")?[1] as Int?
        }
        #expect(commits ?? 0 > 10)
        #expect(try queue.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") } == DatabaseFile.applicationID)
    }

    @Test("A ledger that an earlier version began and could not finish is finished")
    func finishesAnEarlierVersionsBeginning() throws {
        let folder = Folder()
        try open(folder).write {
            try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        _ = try Store(path: folder.database).recording.record([mail(1, decision())])
    }

    @Test("A table of migrations that are not ours is refused")
    func refusesAnotherProgramsMigrations() throws {
        let folder = Folder()
        try open(folder).write {
            try $0.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('theirs');
                    """)
        }
        let error = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
        #expect(error?.kind == .notADatabase)
    }

    @Test("Commits are durable also after an existing file was opened again")
    func reopenedIsDurable() throws {
        let folder = Folder()
        _ = try Store(path: folder.database)
        let again = try Store(path: folder.database)
        let synchronous = try again.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(synchronous == 2)
    }
}
