internal import Chronology
internal import GRDB
internal import Zstandard

extension ArchiveRepository where Scope: WriteScope {
    /// Compresses the retained bytes that are not compressed yet, several mails per commit, and trains a dictionary on
    /// them when there are enough. After an interruption the commits stay.
    ///
    /// - Returns: the number of mails that were compressed.
    @discardableResult
    public func compress(isStopped: () -> Bool = { false }) throws(StoreError) -> Int {
        guard let dictionary = try currentDictionary() else { return 0 }
        let coder = try read { db in try RawDictionaries.coder(dictionary, db) }
        var (total, after) = (0, CompressionCursor())
        while !isStopped() {
            let count = try write { db in try Self.compress(batchOf: db, with: (dictionary, coder), &after) }
            if count == 0 { break }
            total += count
        }
        return total
    }

    /// The newest dictionary; a new one if that is untrained, or if the archive has become ten times as large since it
    /// was trained. `nil` if there is none, and too few mails to train one.
    private func currentDictionary() throws(StoreError) -> Int64? {
        let (id, mails, count) = try read { db in
            let newest = try Row.fetchOne(db, sql: "SELECT id, mails FROM raw_dictionaries ORDER BY id DESC LIMIT 1")
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM raw_messages") ?? 0
            return (newest?["id"] as Int64?, newest?["mails"] as Int?, count)
        }
        if let mails, count < mails * CompressionLimits.growth { return id }
        guard count >= CompressionLimits.mails else { return id }
        let samples = try read { db in try Self.samples(db) }
        guard let bytes = DictionaryCoder.train(on: samples, capacity: CompressionLimits.dictionary) else { return id }
        let time = now()
        return try write { db in try RawDictionaries.add(bytes, mails: count, time, db) }
    }

    /// Bytes of the newest mails.
    private static func samples(_ db: Database) throws -> [[UInt8]] {
        let decoder = RawMessageDecoder(db)
        var (samples, total): ([[UInt8]], Int) = ([], 0)
        try PreparedStatement(
            db,
            "SELECT \(RawMessageDecoder.columns) FROM raw_messages r WHERE r.kept_size <= ? ORDER BY r.stored_at DESC"
        ).each {
            $0.bind(Int64(CompressionLimits.sample))
        } _: { row in
            let bytes = try decoder.bytes(row, at: 0)
            samples.append(bytes)
            total += bytes.count
            return total < CompressionLimits.samples
        }
        return samples
    }

    private static func compress(
        batchOf db: Database, with dictionary: (id: Int64, coder: DictionaryCoder), _ cursor: inout CompressionCursor
    ) throws -> Int {
        let update = try PreparedStatement(
            db, "UPDATE main.raw_messages SET encoding = 'zstd', dictionary_id = ?, bytes = ? WHERE mail_id = ?")
        var batch: [(id: String, storedAt: String, bytes: [UInt8])] = []
        try PreparedStatement(
            db,
            """
            SELECT r.mail_id, r.stored_at, r.bytes FROM raw_messages r
            WHERE r.encoding = 'identity' AND (r.stored_at, r.mail_id) > (?, ?) ORDER BY r.stored_at, r.mail_id LIMIT ?
            """
        ).each {
            $0.bind(cursor.storedAt)
            $0.bind(cursor.mail)
            $0.bind(Int64(CompressionLimits.batch))
        } _: { row in
            batch.append((row.text(0), row.text(1), row.bytes(2)))
            return true
        }
        for mail in batch {
            (cursor.storedAt, cursor.mail) = (mail.storedAt, mail.id)
            guard let frame = dictionary.coder.compress(mail.bytes) else { continue }
            try update.run {
                $0.bind(dictionary.id)
                $0.bind(frame)
                $0.bind(mail.id)
            }
        }
        return batch.count
    }
}

/// The place up to which a run has examined rows, in order of `stored_at` and `mail_id`.
fileprivate struct CompressionCursor {
    var storedAt = ""
    var mail = ""
}

enum CompressionLimits {
    /// Mails of a batch that are compressed when they are recorded: preparing a dictionary costs half a millisecond.
    static let batchAtOnce = 64
    /// Mails from which a dictionary is trained. With fewer it holds their wording and not that of the next.
    static let mails = 256
    /// Growth of the archive after which another dictionary is trained.
    static let growth = 10
    /// Bytes of a dictionary. Alerts of 5 kB shrink to an eleventh with 110 kB, to a ninth with 64, to a sixth with 16.
    static let dictionary = 64 << 10
    /// Bytes of all samples, and of one of them: libzstd recommends a hundred times the dictionary.
    static let samples = 100 * dictionary
    static let sample = 64 << 10
    /// Mails of one commit.
    static let batch = 200
}
