import Chronology
import GRDB
import Zstandard

/// Storage of a mail's bytes in `raw_messages`.
enum RawMessage {
    static let insert = """
        INSERT INTO main.raw_messages (mail_id, stored_at, encoding, size, kept_size, bytes) VALUES (?, ?, 'identity', ?, ?, ?)
        ON CONFLICT DO UPDATE SET stored_at = excluded.stored_at, encoding = excluded.encoding, dictionary_id = NULL,
          size = excluded.size, kept_size = excluded.kept_size, bytes = excluded.bytes
        """

    /// Stores bytes uncompressed: ``ArchiveRepository/compress(isStopped:)`` compresses them later.
    ///
    /// - Parameter size: the mail's size if `raw` is only its beginning.
    static func keep(
        _ raw: [UInt8], size: UInt64? = nil, mailID: String, time: UnixTime, with statement: PreparedStatement
    ) throws {
        try statement.run {
            $0.bind(mailID)
            $0.bind(time)
            $0.bind(Int64(clamping: max(size ?? 0, UInt64(raw.count))))
            $0.bind(Int64(raw.count))
            $0.bind(raw)
        }
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
