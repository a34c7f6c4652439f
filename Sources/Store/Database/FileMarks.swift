internal import GRDB

extension FileMarkRepository {
    /// Digest under which files were last marked as processed; `nil` if they never were.
    public func digest(_ name: String) throws(StoreError) -> String? {
        try read { db in try String.fetchOne(db, sql: "SELECT digest FROM file_marks WHERE name = ?", arguments: [name])
        }
    }

    /// Marks files as processed in the state of that digest.
    public func set(_ name: String, _ digest: String) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql:
                    "INSERT INTO file_marks (name, digest, marked_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest, marked_at = excluded.marked_at",
                arguments: [name, digest, time])
        }
    }
}
