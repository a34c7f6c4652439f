import Foundation
import GRDB
import Glibc
import Ledger
import Testing

@testable import Store

@Suite struct OpeningTests {
    func write(_ text: String, to path: String, repeated: Int = 1) {
        guard let file = fopen(path, "w") else { return }
        for _ in 0..<repeated { fputs(text, file) }
        fclose(file)
    }

    func error(_ path: String, readOnly: Bool = false) -> StoreError? {
        do throws(StoreError) {
            _ = try Store(path: path, readOnly: readOnly)
            return nil
        } catch { return error }
    }

    @Test func makesAndReopens() throws {
        let folder = Folder()
        _ = try Store(path: folder.database).recording.record([mail(1, decision())])
        let again = try Store(path: folder.database)
        #expect(try again.mails.latest([.recorded]).count == 1)
        var status = stat()
        #expect(stat(folder.database, &status) == 0)
        #expect(status.st_mode & 0o007 == 0, "others may not read a person's books")
    }

    /// The umask is of the whole process, so it is not set here: a mode above 0600 shows that none was applied.
    @Test(arguments: [(mode_t(0o700), mode_t(0o640)), (0o2770, 0o660), (0o2750, 0o640), (0o770, 0o640)])
    func modeFollowsTheFolder(folderMode: mode_t, expected: mode_t) throws {
        let folder = Folder()
        #expect(chmod(folder.path, folderMode) == 0)
        _ = try Store(path: folder.database)
        for name in ["", "-wal"] {
            var status = stat()
            guard stat(folder.database + name, &status) == 0 else { continue }
            #expect(status.st_mode & 0o777 == expected, "\(name)")
        }
    }

    @Test func isDurableAndStrict() throws {
        let f = try Fixture()
        let pragmas = try f.store.writer.writeWithoutTransaction { db in
            try ["journal_mode", "synchronous", "foreign_keys", "application_id"].map {
                try String.fetchOne(db, sql: "PRAGMA \($0)")
            }
        }
        #expect(pragmas == ["wal", "2", "1", "1397771844"])
        let loose: [String] = try f.store.readDatabase {
            try String.fetchAll(
                $0,
                sql:
                    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite%'"
            )
        }
        #expect(loose == ["grdb_migrations"])
    }

    @Test func emptyFileIsAccepted() throws {
        let folder = Folder()
        write("", to: folder.database)
        _ = try Store(path: folder.database)
    }

    @Test(arguments: ["not a database at all\n", "S", "SQLite format 3"])
    func notADatabase(_ text: String) throws {
        let folder = Folder()
        write(text, to: folder.database, repeated: text.count > 1 ? 100 : 1)
        #expect(error(folder.database)?.kind == .notADatabase)
        #expect(error(folder.database, readOnly: true)?.kind == .notADatabase)
    }

    @Test func anotherProgramsDatabaseIsUnchanged() throws {
        let folder = Folder()
        do {
            let queue = try DatabaseQueue(path: folder.database)
            try queue.write { try $0.execute(sql: "CREATE TABLE bookmarks (url TEXT)") }
        }
        let failure = try #require(error(folder.database))
        #expect(failure.kind == .notADatabase)
        #expect(failure.message.contains("another program"))
        let queue = try DatabaseQueue(path: folder.database)
        #expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
    }

    @Test func damagedDatabase() throws {
        let folder = Folder()
        do {
            let store = try Store(path: folder.database)
            _ = try store.recording.record((1...200).map { mail($0, decision(.recorded, draft(Int64($0)))) })
            try store.checkpoint()
        }
        guard let file = fopen(folder.database, "r+") else { return }
        fseek(file, Connection.pageSize, SEEK_SET)
        for _ in 0..<20000 { fputs("garbage ", file) }
        fclose(file)
        let kind = error(folder.database)?.kind
        #expect(kind == .corrupt)
    }

    @Test func missing() throws {
        let folder = Folder()
        let none = try #require(error(folder.database, readOnly: true))
        #expect(none.kind == .cannotOpen)
        #expect(none.message.contains("start spendwised once"))
        let deep = try #require(error("\(folder.path)/missing/ledger.db"))
        #expect(deep.kind == .cannotOpen)
        #expect(deep.message.contains("mkdir -p \(folder.path)/missing"))
        let directory = try #require(error(folder.path))
        #expect(directory.kind == .cannotOpen)
        #expect(directory.description.hasPrefix(folder.path + ": "))
    }

    @Test func newerSchema() throws {
        let folder = Folder()
        try Store(path: folder.database).writeDatabase {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')")
        }
        #expect(error(folder.database)?.kind == .newerSchema)
        #expect(error(folder.database, readOnly: true)?.kind == .newerSchema)
    }

    @Test func olderSchemaReadOnly() throws {
        let folder = Folder()
        try Store(path: folder.database).writeDatabase { try $0.execute(sql: "DELETE FROM grdb_migrations") }
        #expect(error(folder.database, readOnly: true)?.kind == .olderSchema)
    }

    @Test func readOnlyRefusesToWrite() throws {
        let f = try Fixture()
        let reader = try Store(path: f.folder.database, readOnly: true)
        let error = #expect(throws: StoreError.self) { _ = try reader.recording.record([mail(1, decision())]) }
        #expect(error?.kind == .readOnly)
    }

    @Test func lockedByAnotherProcess() throws {
        let f = try Fixture()
        try f.store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: f.folder.database, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let error = #expect(throws: StoreError.self) { _ = try f.store.recording.record([mail(1, decision())]) }
        #expect(error?.kind == .busy)
        // Readers never wait.
        #expect(try f.store.mails.latest([.recorded]).isEmpty)
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        #expect(try f.store.recording.record([mail(1, decision())]).first?.outcome == .recorded)
    }

    @Test(.enabled(if: getuid() == 0, "needs root to become another user"))
    func otherUsers() async throws {
        let folder = Folder()
        let path = folder.database
        do { _ = try Store(path: path).recording.record([mail(1, decision())]) }
        chmod(folder.path, 0o755)
        // Not readable at all
        await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(1) }
            do { _ = try Store(path: path, readOnly: true) } catch let error as StoreError
                where error.kind == .cannotOpen
            { exit(3) }
        }
        // Readable, not writable: the daemon is not running, and left its files for such readers.
        for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o644) }
        await #expect(processExitsWith: .exitCode(4)) { [path = path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(1) }
            do { _ = try Store(path: path) } catch let error as StoreError where error.kind == .readOnly { exit(4) }
        }
        await #expect(processExitsWith: .exitCode(5)) { [path = path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(1) }
            if try Store(path: path, readOnly: true).mails.latest([.recorded]).count == 1 { exit(5) }
        }
        // And while it runs.
        let store = try Store(path: path)
        _ = try store.recording.record([mail(2, decision(.ignored, nil))])
        await #expect(processExitsWith: .exitCode(6)) { [path = path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(1) }
            if try Store(path: path, readOnly: true).mails.latest([.recorded, .ignored]).count == 2 { exit(6) }
        }
        chmod(folder.path, 0o700)
    }

    /// Killed while the file was created: it is an empty database with a journal to be rolled back.
    @Test func journalOfAnInterruptedCreationIsRolledBack() throws {
        let folder = Folder()
        let other = folder.database + ".maker"
        try DatabaseQueue(path: other).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA user_version = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE t (x)")
            for _ in 0..<100 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
            // As a crash leaves them: in the middle of the transaction.
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: other + suffix, toPath: folder.database + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        let store = try Store(path: folder.database)
        #expect(try store.integrityDefects() == [])
        #expect(
            try store.readDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master WHERE name = 't'") }
                == 0)
    }
}
