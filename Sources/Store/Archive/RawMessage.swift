import Chronology
import GRDB
import Zstandard

/// Bytes of a mail that the ledger retains.
struct RetainedBytes {
    var mailID: String
    var bytes: [UInt8]
    /// The mail's size if ``bytes`` are only its beginning.
    var size: UInt64?
}

/// Writes the bytes of mails into `raw_messages`.
///
/// An INSERT that may become an UPDATE makes SQLite copy each page before it writes it, to be able to undo the
/// statement. So a row that exists, which is rare, is another statement's work.
struct RawMessageRows {
    private let db: Database
    private let insert: PreparedStatement
    private let replace: PreparedStatement

    init(_ db: Database) throws {
        self.db = db
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.raw_messages (mail_id, stored_at, encoding, dictionary_id, size, kept_size, bytes)
            VALUES (?1, ?2, iif(?3 IS NULL, 'identity', 'zstd'), ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING
            """)
        replace = try PreparedStatement(
            db,
            """
            UPDATE main.raw_messages SET stored_at = ?2, encoding = iif(?3 IS NULL, 'identity', 'zstd'), dictionary_id = ?3, size = ?4,
              kept_size = ?5, bytes = ?6 WHERE mail_id = ?1
            """)
    }

    /// Stores the bytes of one batch. Those of many mails are compressed, which costs less than writing five times as
    /// many pages. Those of a few wait for ``ArchiveRepository/compress(isStopped:)``, since preparing the dictionary
    /// costs more than a mail.
    ///
    /// - Parameter makesDictionary: true to make a dictionary of these mails if there is none.
    func keep(_ mails: [RetainedBytes], time: UnixTime, makesDictionary: Bool = false) throws {
        let dictionary =
            mails.count < CompressionLimits.batchAtOnce
            ? nil : try RawDictionaries.newest(db) ?? (makesDictionary ? makeUntrained(mails, time) : nil)
        // A damaged dictionary makes the ledger larger, and stops no mail.
        let coder = dictionary.flatMap { try? RawDictionaries.coder($0, db, level: .fast) }
        for mail in mails {
            let frame = coder?.compress(mail.bytes)
            func bind(_ binder: inout Binder) {
                binder.bind(mail.mailID)
                binder.bind(time)
                binder.bind(frame == nil ? nil : dictionary)
                binder.bind(Int64(clamping: max(mail.size ?? 0, UInt64(mail.bytes.count))))
                binder.bind(Int64(mail.bytes.count))
                binder.bind(frame ?? mail.bytes)
            }
            if try insert.change(bind) == 0 { try replace.run(bind) }
        }
    }

    private func makeUntrained(_ mails: [RetainedBytes], _ time: UnixTime) throws -> Int64 {
        let bytes = DictionaryCoder.excerpt(of: mails.map(\.bytes), capacity: CompressionLimits.dictionary)
        return try RawDictionaries.add(bytes, mails: 0, time, db)
    }
}

/// Rows of `raw_dictionaries`.
enum RawDictionaries {
    static func newest(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT max(id) FROM raw_dictionaries")
    }

    /// - Parameter mails: the number of retained mails when it was trained, which decides when another is trained; 0 if
    ///   it is untrained.
    static func add(_ bytes: [UInt8], mails: Int, _ time: UnixTime, _ db: Database) throws -> Int64 {
        try PreparedStatement(db, "INSERT INTO main.raw_dictionaries (created_at, mails, bytes) VALUES (?, ?, ?)").run {
            $0.bind(time)
            $0.bind(Int64(mails))
            $0.bind(bytes)
        }
        return db.lastInsertedRowID
    }

    static func coder(_ id: Int64, _ db: Database, level: DictionaryCoder.Level = .usual) throws -> DictionaryCoder {
        let bytes = try PreparedStatement(db, "SELECT bytes FROM raw_dictionaries WHERE id = ?")
            .first({ $0.bind(id) }, { $0.bytes(0) })
        guard let bytes, let coder = DictionaryCoder(dictionary: bytes, level: level) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM, message: "the dictionary \(id) cannot be loaded")
        }
        return coder
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

    private func coder(_ id: Int64) throws -> DictionaryCoder {
        if let coder = coders[id] { return coder }
        let coder = try RawDictionaries.coder(id, db)
        coders[id] = coder
        return coder
    }
}
