import Chronology
internal import GRDB

/// The answer to a request with an Idempotency-Key.
public struct StoredAnswer: Hashable, Sendable {
    /// Digest of the request; another request with the same key is an error.
    public var request: [UInt8]
    public var status: Int
    /// Header lines of the form `name: value`.
    public var headers: String
    public var body: [UInt8]

    /// Seconds for which an answer is kept.
    public static let lifetime: Int64 = 86_400
    /// Limit of answers for one client, against clients that create keys without end; the oldest are deleted.
    static let maximumPerClient = 1000

    public init(request: [UInt8], status: Int, headers: String, body: [UInt8]) {
        self.request = request
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension AnswerRepository {
    public func find(client: String, key: String) throws(StoreError) -> StoredAnswer? {
        let limit = now() - StoredAnswer.lifetime
        return try read { db in
            try PreparedStatement(
                db, "SELECT request, status, headers, body FROM api_answers WHERE client = ? AND key = ? AND at > ?"
            ).first({
                $0.bind(client)
                $0.bind(key)
                $0.bind(limit)
            }) { StoredAnswer(request: $0.bytes(0), status: Int($0.int(1)), headers: $0.text(2), body: $0.bytes(3)) }
        }
    }

    public func keep(_ answer: StoredAnswer, client: String, key: String) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try PreparedStatement(
                db,
                "INSERT OR REPLACE INTO api_answers (client, key, request, at, status, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
            ).run {
                $0.bind(client)
                $0.bind(key)
                $0.bind(answer.request)
                $0.bind(time)
                $0.bind(Int64(answer.status))
                $0.bind(answer.headers)
                $0.bind(answer.body)
            }
            try db.execute(
                sql: "DELETE FROM api_answers WHERE at <= ?", arguments: [time - StoredAnswer.lifetime]
            )
            try db.execute(
                sql:
                    "DELETE FROM api_answers WHERE client = ?1 AND key IN (SELECT key FROM api_answers WHERE client = ?1 ORDER BY at DESC, key LIMIT -1 OFFSET ?2)",
                arguments: [client, StoredAnswer.maximumPerClient])
        }
    }
}
