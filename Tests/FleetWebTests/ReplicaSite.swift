import Access
import Chronology
import Fleet
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import Logging
import NIOCore
import PostgreSQL
import PostgresFixture
import Profiles
import Settings
import Store
import Testing
import YAMLSource

@testable import FleetWeb

/// A fleet's database, and replicas that serve it.
final class ReplicaSite: Sendable {
    static let isPossible = PostgresFixture.isInstalled
    static let need: Comment = "needs Debian's package postgresql-15"

    let conninfo: String
    let households: Households
    let folder: URL

    init() throws {
        conninfo = try PostgresFixture.database()
        let database = FleetDatabase(conninfo)
        try database.migrate()
        households = Households(database)
        folder = FileManager.default.temporaryDirectory.appending(path: "spendwise-replica-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Adds a household with a new ledger.
    @discardableResult
    func add(_ name: String, ledger: String? = nil, settings: String = "timezone: Europe/Berlin\n") throws -> Int64 {
        let ledger = try Store(path: folder.appending(path: "\(ledger ?? name).db").path)
        return try households.add(
            name, settings: settings, mailboxes: [("box", "imap.example")], ledger: ledger)
    }

    /// A copy like that of another replica or of a command.
    func copy(_ household: Int64, _ name: String = "other") throws -> Store {
        try households.copy(of: household) { [folder] _, primary, rows in
            try Store(
                copy: folder.appending(path: "\(name)-\(UUID().uuidString).db").path, of: primary, rows: rows)
        }
    }

    func token(_ household: Int64, _ scopes: Scopes = Scopes([.admin])) throws -> String {
        let credential = Credential.random(.token)
        try copy(household).access.add(
            AccessToken(
                id: credential.id, name: "test", user: 1, digest: credential.digest, scopes: scopes.description,
                created: .now))
        return credential.text
    }

    /// - Parameter web: further keys of `web:`, in the form of a flow.
    func server(
        _ name: String = "replica", households: Int = 10, web: String? = nil,
        profiles: ProfileSet? = nil
    ) throws -> FleetServer {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = """
            postgresql: "\(conninfo)"
            copies: \(folder.appending(path: name).path)
            parsers: \(folder.path)
            categories: \(root.appending(path: "config/categories.yaml").path)
            serve:
              domain: books.example
              households: \(households)
              web: { listen: "127.0.0.1:8001", requests_per_minute: 0\(web.map { ", \($0)" } ?? "") }
            """
        let file = YAMLFile(path: folder.appending(path: "\(name).yaml").path, bytes: Array(text.utf8))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try FleetServer(
            FleetConfiguration(file), profiles: profiles ?? ProfileSet(directories: [], samples: false),
            logger: logger)
    }

    /// Runs a replica for `body`, and closes it.
    func serve(
        _ server: FleetServer, _ body: @Sendable (ReplicaClient) async throws -> Void
    ) async throws {
        do {
            try await server.application().test(.live) { client in
                try await body(ReplicaClient(port: try #require(client.port)))
            }
        } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    func remove(_ name: String) throws {
        try PostgresConnection(conninfo).run("DELETE FROM fleet.households WHERE name = $1", [.string(name)])
    }

    /// Runs statements as the administrator of the server.
    func administer(_ sql: String) throws {
        try PostgresConnection(PostgresFixture.administrator(of: conninfo) + " dbname=postgres").script(sql)
    }

    var databaseName: String { String(conninfo.split(separator: "=").last ?? "") }
}

/// Requests to one replica, each on a connection of its own.
struct ReplicaClient: Sendable {
    let port: Int

    func ask(
        _ method: HTTPRequest.Method, _ path: String, of host: String, token: String? = nil, json: String? = nil,
        body: String? = nil, _ headers: HTTPFields = [:]
    ) async throws -> TestClient.Response {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if json != nil { headers[.contentType] = "application/json" }
        return try await TestClient.withClient(
            host: "127.0.0.1", port: port, configuration: .init(timeout: .seconds(120))
        ) { [headers] client in
            try await client.execute(
                .init(
                    path, method: method, authority: host, headers: headers,
                    body: (json ?? body).map { ByteBuffer(string: $0) }))
        }
    }
}

extension TestClient.Response {
    var text: String { String(buffer: body ?? ByteBuffer()) }
}
