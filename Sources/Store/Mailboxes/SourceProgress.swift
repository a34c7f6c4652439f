import Chronology
import GRDB

/// Progress in a source that is not a folder of a server: committed with the mails, so that a crash neither repeats nor
/// skips any.
public enum SourceProgress: Sendable {
    case importing(ImportState)
    /// Digests of the names of a Maildir folder's files.
    case examined([Int64], in: FolderKey)

    func write(_ db: Database, time: UnixTime) throws {
        switch self {
        case .importing(let state): try state.write(db, time: time)
        case .examined(let names, let key):
            let insert = try PreparedStatement(
                db, "INSERT OR IGNORE INTO maildir_files (mailbox, folder, name) VALUES (?, ?, ?)")
            for name in names {
                try insert.run {
                    $0.bind(key.mailbox)
                    $0.bind(key.folder)
                    $0.bind(name)
                }
            }
        }
    }
}

extension MaildirRepository {
    /// Digests of the names of a Maildir folder's files that were examined, ascending.
    public func examined(in key: FolderKey) throws(StoreError) -> [Int64] {
        try read { db in
            var names: [Int64] = []
            try PreparedStatement(db, "SELECT name FROM maildir_files WHERE mailbox = ? AND folder = ? ORDER BY name")
                .each {
                    $0.bind(key.mailbox)
                    $0.bind(key.folder)
                } _: {
                    names.append($0.int(0))
                    return true
                }
            return names
        }
    }

    public func isExamined(_ name: Int64, in key: FolderKey) throws(StoreError) -> Bool {
        try read { db in
            try PreparedStatement(db, "SELECT 1 FROM maildir_files WHERE mailbox = ? AND folder = ? AND name = ?")
                .first(
                    {
                        $0.bind(key.mailbox)
                        $0.bind(key.folder)
                        $0.bind(name)
                    }, { _ in true }) ?? false
        }
    }

    /// Removes files that no longer exist.
    public func forget(_ names: [Int64], in key: FolderKey) throws(StoreError) where Scope: WriteScope {
        if names.isEmpty { return }
        try write { db in
            let delete = try PreparedStatement(
                db, "DELETE FROM maildir_files WHERE mailbox = ? AND folder = ? AND name = ?")
            for name in names {
                try delete.run {
                    $0.bind(key.mailbox)
                    $0.bind(key.folder)
                    $0.bind(name)
                }
            }
        }
    }
}
