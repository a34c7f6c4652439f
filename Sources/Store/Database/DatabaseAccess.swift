internal import GRDB

/// Access of a repository to the database: through the handle, with a transaction for each call, or through an open
/// scope.
public struct DatabaseAccess {
    let store: Store
    /// `nil` if each call is a separate snapshot or transaction.
    let open: OpenDatabase?

    /// Runs `body` in a new snapshot, or in the open scope.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        guard let open else { return try store.readDatabase(body) }
        do { return try body(try open.database()) } catch { throw StoreError(error, path: store.path) }
    }

    /// Runs `body` in a new transaction, or in a savepoint of the open one. An error rolls back all of it.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        guard let open else { return try store.writeDatabase(body) }
        do { return try open.inSavepoint(body) } catch { throw store.reported(StoreError(error, path: store.path)) }
    }

    func snapshot<Result>(_ body: (DatabaseAccess) throws -> Result) throws -> Result {
        if open != nil { return try body(self) }
        return try store.translated {
            try store.reader.read { db in
                let open = OpenDatabase(db)
                defer { open.close() }
                return try body(DatabaseAccess(store: store, open: open))
            }
        }
    }

    func transaction<Result>(_ body: (DatabaseAccess) throws -> Result) throws -> Result {
        if let open { return try open.inSavepoint { _ in try body(self) } }
        try store.refuseIfDamaged()
        var actions: [() -> Void] = []
        let result = try store.translated {
            try store.commit { db in
                let open = OpenDatabase(db)
                defer { open.close() }
                let result = try body(DatabaseAccess(store: store, open: open))
                // An error that rolled the whole transaction back (disk full, I/O) may have been handled by `body`.
                try AuditChain.seal(open.database())
                actions = open.actions
                return result
            }
        }
        for action in actions { action() }
        return result
    }

    /// Runs `action` once the transaction is committed: at once if none is open.
    func afterCommit(_ action: @escaping () -> Void) {
        guard let open else { return action() }
        open.actions.append(action)
    }
}

/// The connection of a scope, for as long as the scope is open.
final class OpenDatabase {
    private var connection: Database?
    /// The actions after the commit.
    var actions: [() -> Void] = []

    init(_ db: Database) { connection = db }

    func close() { connection = nil }

    /// - Throws: after the scope has ended, or if SQLite rolled the whole transaction back.
    func database() throws -> Database {
        guard let connection, connection.isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction has ended")
        }
        return connection
    }

    func inSavepoint<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let db = try database()
        let count = actions.count
        var result: Result?
        do {
            try db.inSavepoint {
                result = try body(db)
                return .commit
            }
        } catch {
            actions.removeSubrange(count...)
            throw error
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction has ended") }
        return result
    }
}
