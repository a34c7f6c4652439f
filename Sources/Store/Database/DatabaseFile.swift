import DurableFiles
import GRDB
import GRDBSQLite
import Glibc

/// Checks of the file before SQLite opens it: SQLite's errors do not distinguish a missing folder from a forbidden one,
/// and opening changes the file.
enum DatabaseFile {
    /// Owner reads and writes, group reads, others nothing, because the file holds a person's accounts.
    static let mode: mode_t = 0o640
    /// The same in a folder whose group its files inherit (`S_ISGID`), where the roles of one group share the ledger:
    /// the group writes, too. SQLite gives the -wal and -shm files the permissions of the database.
    static let sharedMode: mode_t = 0o660
    /// `SPND`, at byte 68 of the file (SQLite file format, section 1.3).
    static let applicationID: Int32 = 0x5350_4E44

    /// Bytes (SQLite file format, section 1.3.2).
    private static let smallestPage = 512

    static func prepare(path: String, readOnly: Bool, wait: BusyWait) throws {
        var status = stat()
        if stat(path, &status) != 0 {
            let reason = errno
            guard reason == ENOENT, !readOnly else { throw missing(path, reason) }
            let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            guard file >= 0 || errno == EEXIST else { throw missing(path, errno) }
            guard file >= 0 else { return }
            defer { close(file) }
            // The umask removes no permission, so that both roles can open the ledger, and grants none.
            guard fchmod(file, permissions(below: path)) == 0 else { throw missing(path, errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                kind: .cannotOpen, path: path,
                message: "is not a file: `database:` must name a file, such as \(path)/spendwise.db")
        }
        guard access(path, R_OK) == 0 else {
            throw StoreError(
                kind: .cannotOpen, path: path,
                message: "may not be read by this user: run as the user that owns it, or correct the owner with chown")
        }
        guard readOnly || access(path, W_OK) == 0 else {
            throw StoreError(
                kind: .readOnly, path: path,
                message: "may be read but not written: run as the user that owns it, or correct the owner with chown")
        }
        guard status.st_size > 0 else { return }
        // SQLite treats a file that is shorter than the smallest page as an empty database.
        guard status.st_size >= smallestPage else {
            throw StoreError(DatabaseError(resultCode: .SQLITE_NOTADB), path: path)
        }
        if !readOnly, isMarked(path: path) { return }
        // A connection that writes nothing is examined itself, unless it had to roll back a journal first.
        if !readOnly || access(path + "-journal", F_OK) == 0 { try examine(path: path, wait: wait) }
    }

    private static func permissions(below path: String) -> mode_t {
        var folder = stat()
        guard stat(FilePlace.folder(of: path), &folder) == 0 else { return mode }
        return folder.st_mode & (S_ISGID | S_IWGRP) == S_ISGID | S_IWGRP ? sharedMode : mode
    }

    /// Copies one snapshot without unused pages to a new file that only its owner can read. Call it outside a
    /// transaction.
    static func copy(_ db: Database, to path: String) throws {
        // `VACUUM INTO` accepts an empty file, and would itself make one that others can read.
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.cannotMake(path) }
        close(file)
        do {
            try db.execute(sql: "VACUUM INTO ?", arguments: [path])
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func missing(_ path: String, _ reason: Int32) -> StoreError {
        let folder = FilePlace.folder(of: path)
        let why = String(cString: strerror(reason))
        switch reason {
        case ENOSPC, EDQUOT: return StoreError(kind: .diskFull, path: path, message: "cannot be made: \(why)")
        case EROFS: return StoreError(kind: .readOnly, path: path, message: "cannot be made: \(why)")
        case ENOENT where access(folder, F_OK) == 0:
            return StoreError(
                kind: .cannotOpen, path: path, message: "there is no database yet: start spendwised once to create it")
        case ENOENT:
            return StoreError(kind: .cannotOpen, path: path, message: "its folder does not exist: mkdir -p \(folder)")
        default:
            return StoreError(
                kind: .cannotOpen, path: path, message: "\(why): this user must be able to write in \(folder)")
        }
    }

    /// True if the file is surely a ledger. Unlike a connection of GRDB, this reads the header and not the schema,
    /// which takes a twentieth of the time of a pass without new mail.
    private static func isMarked(path: String) -> Bool {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return false
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        return sqlite3_prepare_v2(connection, "PRAGMA application_id", -1, &statement, nil) == SQLITE_OK
            && sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == applicationID
    }

    /// Rejects the database of another program before anything is written to it.
    ///
    /// Reads through SQLite only: closing another descriptor of the file would release the POSIX locks of every
    /// connection of this process.
    private static func examine(path: String, wait: BusyWait) throws {
        var isOurs = false
        do { isOurs = try isOursOrEmpty(path: path, readOnly: true, wait: wait) } catch let error as DatabaseError
            where error.resultCode == .SQLITE_READONLY
        {
            // The creating process was killed early: SQLite must roll back a journal before it can read anything.
            isOurs = try isOursOrEmpty(path: path, readOnly: false, wait: wait)
        }
        guard isOurs else { throw otherProgram(path) }
    }

    /// Rejects the database of another program that is open read-only.
    static func examine(_ queue: DatabaseQueue, path: String) throws {
        guard try queue.read(isOursOrEmpty) else { throw otherProgram(path) }
    }

    private static func otherProgram(_ path: String) -> StoreError {
        StoreError(
            kind: .notADatabase, path: path,
            message: "is the database of another program: name another file in `database:`")
    }

    private static func isOursOrEmpty(path: String, readOnly: Bool, wait: BusyWait) throws -> Bool {
        var configuration = Connection.plain()
        configuration.readonly = readOnly
        configuration.busyMode = wait.handler()
        return try DatabaseQueue(path: path, configuration: configuration).read(isOursOrEmpty)
    }

    /// True also for a ledger whose first migration failed under an earlier version, which committed its empty table of
    /// migrations alone.
    private static func isOursOrEmpty(_ db: Database) throws -> Bool {
        if try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID { return true }
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type <> 'index'")
        if tables.isEmpty { return true }
        return try tables == [Schema.migrationTable]
            && Int.fetchOne(db, sql: "SELECT count(*) FROM \(Schema.migrationTable)") == 0
    }
}
