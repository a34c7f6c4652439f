import GRDB
import Glibc
public import Ledger

/// A database failure: what happened, to which file, and the remedy. Never holds a value that was to be stored.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// The file or its folder is missing or not readable for this user, or the file is not regular.
        case cannotOpen
        /// The file is not a database, or the database of another program.
        case notADatabase
        /// A newer program wrote the schema.
        case newerSchema
        /// An older program wrote the schema, and the file was opened read-only, so that it cannot be migrated.
        case olderSchema
        /// Another process held the lock for longer than ``Store/busyTimeout``, or the primary of a working copy cannot
        /// be reached. A later attempt can succeed.
        case busy
        /// This user may read the file but not write it.
        case readOnly
        /// The disk is full. The transaction was rolled back; a later attempt can succeed.
        case diskFull
        /// The file is inconsistent.
        case corrupt
        /// The row does not exist.
        case notFound
        /// The row was changed since the caller read it, or conflicts with another row.
        case conflict
        /// A value is not valid; see ``StoreError/fields``.
        case invalid
        case other
    }

    public let kind: Kind
    public let path: String
    /// The fault and the remedy.
    public let message: String
    /// For `invalid`: the fault of each value.
    public let fields: [FieldProblem]

    public init(kind: Kind, path: String, message: String, fields: [FieldProblem] = []) {
        self.kind = kind
        self.path = path
        self.message = message
        self.fields = fields
    }

    public var description: String { "\(path): \(message)" }
}

extension StoreError {
    // Queries do not know the path. It is added where the error leaves the database.

    static func notFound(_ what: String) -> StoreError {
        StoreError(kind: .notFound, path: "", message: "there is no \(what)")
    }

    /// A file that the system refused to make.
    /// - Parameter code: the error number of the failed call, by default the last one.
    static func cannotMake(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(
            kind: code == ENOSPC || code == EDQUOT ? .diskFull : .cannotOpen, path: path,
            message: "cannot be made: \(String(cString: strerror(code)))")
    }

    static func conflict(_ message: String) -> StoreError { StoreError(kind: .conflict, path: "", message: message) }

    /// A conflict of one field's value with another row.
    static func conflict(_ message: String, _ field: String, _ detail: String) -> StoreError {
        StoreError(kind: .conflict, path: "", message: message, fields: [FieldProblem(field, detail)])
    }

    /// A value names a row that does not exist.
    static func missing(_ field: String, _ detail: String) -> StoreError {
        conflict("\(field): \(detail)", field, detail)
    }

    static func invalid(_ problems: [FieldProblem]) -> StoreError {
        StoreError(
            kind: .invalid, path: "", message: problems.map { "\($0.field): \($0.detail)" }.joined(separator: "; "),
            fields: problems)
    }

    private func located(_ path: String) -> StoreError {
        StoreError(kind: kind, path: path, message: message, fields: fields)
    }

    /// Converts an error of a closure passed to GRDB.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error.path.isEmpty ? error.located(path) : error
        case let error as DatabaseError: self.init(error, path: path)
        case let error as PrimaryError where error.effect != .ended:
            self.init(kind: .busy, path: path, message: "\(error)")
        default: self.init(kind: .other, path: path, message: "\(error)")
        }
    }

    private init(_ error: DatabaseError, path: String) {
        // Constraint messages name tables and columns, never values; `description` of GRDB's error would add the
        // statement.
        let detail = error.message ?? "no details"
        let (kind, message): (Kind, String) =
            switch error.resultCode {
            case .SQLITE_NOTADB:
                (
                    .notADatabase,
                    "is not a SQLite database (or an encrypted one): name another file in `database:`, or move this one away"
                )
            case .SQLITE_CORRUPT:
                (
                    .corrupt,
                    "the database is damaged (\(detail)): \(CheckRecord.remedy)"
                )
            case .SQLITE_FULL:
                (
                    .diskFull,
                    "no space is left on the disk: free some; nothing was written in part, and work continues automatically"
                )
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
                (.diskFull, "no space is left on the disk for the file beside it that ends in -shm: free some")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (
                    .busy,
                    "another process has held the database for more than \(Store.busyTimeout) seconds: see `fuser \(path)`"
                )
            case .SQLITE_READONLY:
                (
                    .readOnly,
                    "may be read but not written: run as the user that owns it, or correct the owner with chown"
                )
            case .SQLITE_CANTOPEN:
                (
                    .cannotOpen,
                    "cannot be opened: it, its folder and the files beside it that end in -wal and -shm must be readable by this user; start spendwised once to make them"
                )
            case .SQLITE_PERM, .SQLITE_AUTH: (.cannotOpen, "may not be opened by this user")
            case .SQLITE_CONSTRAINT where Schema.linkRefusals.contains(error.message ?? ""):
                (.conflict, "\(error.message ?? ""): unlink the transactions first")
            case .SQLITE_CONSTRAINT where error.message == LedgerView.refusal: (.notFound, LedgerView.refusal)
            case .SQLITE_CONSTRAINT where error.message == LedgerView.linkRefusal: (.conflict, LedgerView.linkRefusal)
            default: (.other, "SQLite error \(error.extendedResultCode.rawValue): \(detail)")
            }
        self.init(kind: kind, path: path, message: message)
    }
}
