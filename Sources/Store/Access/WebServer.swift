public import Chronology
internal import GRDB

/// Last address of the web role, for `parserctl pair`.
public struct WebServer: Hashable, Sendable {
    /// URL without a path.
    public var url: String
    /// SHA-256 of its certificate in hexadecimal; `nil` without TLS.
    public var certificate: String?

    public init(url: String, certificate: String?) {
        self.url = url
        self.certificate = certificate
    }
}

extension AccessRepository {
    public func setWebServer(_ server: WebServer, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO web_server (id, url, certificate_sha256, started_at) VALUES (1, ?, ?, ?)",
                arguments: [server.url, server.certificate, now])
        }
    }

    public func webServer() throws(StoreError) -> WebServer? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM web_server").map {
                WebServer(url: $0["url"], certificate: $0["certificate_sha256"])
            }
        }
    }
}
