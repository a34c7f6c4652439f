import Chronology
import GRDB
import Zstandard

/// Writes the bytes of mails into `raw_messages`.
///
/// An INSERT that may become an UPDATE makes SQLite copy each page before it writes it, to be able to undo the
/// statement. So a row that exists, which is rare, is another statement's work.
struct RawMessageRows {
    private let insert: PreparedStatement
    private let replace: PreparedStatement

    init(_ db: Database) throws {
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.raw_messages (mail_id, stored_at, encoding, size, kept_size, bytes) VALUES (?, ?, 'identity', ?, ?, ?)
            ON CONFLICT DO NOTHING
            """)
        replace = try PreparedStatement(
            db,
            """
            UPDATE main.raw_messages SET stored_at = ?2, encoding = 'identity', dictionary_id = NULL, size = ?3, kept_size = ?4, bytes = ?5
            WHERE mail_id = ?1
            """)
    }

    /// Stores bytes uncompressed: ``ArchiveRepository/compress(isStopped:)`` compresses them later.
    ///
    /// - Parameter size: the mail's size if `raw` is only its beginning.
    func keep(_ raw: [UInt8], size: UInt64? = nil, mailID: String, time: UnixTime) throws {
        func bind(_ binder: inout Binder) {
            binder.bind(mailID)
            binder.bind(time)
            binder.bind(Int64(clamping: max(size ?? 0, UInt64(raw.count))))
            binder.bind(Int64(raw.count))
            binder.bind(raw)
        }
        if try insert.change(bind) == 0 { try replace.run(bind) }
    }
}

/// Reads bytes of `raw_messages`, each dictionary once. Lives as long as one snapshot.
final class RawMessageDecoder {
    /// The columns of `raw_messages r` that ``bytes(_:at:)`` reads.
    static let columns = "r.encoding, r.dictionary_id, r.kept_size, r.bytes"

    private let db: Database
    private var coders: [Int64: DictionaryCoder] = [:]

    init(_ db: Database) { self.db = db }

    /// - Parameter index: that of the first of ``columns``.
    func bytes(_ row: Columns, at index: CInt) throws -> [UInt8] {
        let bytes = row.bytes(index + 3)
        guard let id = row.optionalInt(index + 1) else { return bytes }
        guard let bytes = try coder(id).decompress(bytes, count: Int(row.int(index + 2))) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a retained mail does not match its dictionary \(id)")
        }
        return bytes
    }

    func coder(_ id: Int64) throws -> DictionaryCoder {
        if let coder = coders[id] { return coder }
        let bytes = try PreparedStatement(db, "SELECT bytes FROM raw_dictionaries WHERE id = ?")
            .first({ $0.bind(id) }, { $0.bytes(0) })
        guard let bytes, let coder = DictionaryCoder(dictionary: bytes) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM, message: "the dictionary \(id) cannot be loaded")
        }
        coders[id] = coder
        return coder
    }
}
