import Access
import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Profiles
import Store
import Synchronization

@testable import Web

/// A separate web server for a test, with a clock that the test moves, and probe routes for each permission.
final class Site: Sendable {
    static let passphrase = "lamp river otter"

    let store: Store
    let services: WebServices
    let folder: String

    init(_ policy: AccessPolicy = AccessPolicy()) throws {
        folder = NSTemporaryDirectory() + "site-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db")
        let profiles = try ProfileSet(directories: [], samples: false)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let box = Clock()
        // As the web role; the tests write what other roles do.
        let restricted = try Store(path: folder + "/ledger.db")
        try restricted.restrictWrites(to: .web)
        services = WebServices(
            store: restricted, profiles: { profiles }, mailboxes: [], version: "1", logger: logger,
            guard: AccessGuard(
                policy, store: restricted, logger: logger,
                clock: AccessGuard.Clock(
                    wall: { UnixTime(seconds: box.seconds.load(ordering: .relaxed)) },
                    steady: { Double(box.seconds.load(ordering: .relaxed)) })))
        clock = box
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    final class Clock: Sendable {
        let seconds = Atomic<Int64>(1_800_000_000)
    }

    private let clock: Clock

    var now: UnixTime { UnixTime(seconds: clock.seconds.load(ordering: .relaxed)) }
    func pass(_ seconds: Int64) { clock.seconds.add(seconds, ordering: .relaxed) }

    /// Every answer names the caller.
    var application: some ApplicationProtocol {
        let router = WebApplication.router(services)
        for path in ["/probe", "/review/probe", "/access/probe"] as [RouterPath] {
            router.get(path) { _, context in context.identity.who }
            router.post(path) { request, context in
                _ = try await request.body.collect(upTo: 1 << 20)
                return context.identity.who
            }
        }
        return Application(router: router, logger: services.logger)
    }

    func token(
        _ scopes: Scopes, name: String = "x", user: Int64 = 1, expires: UnixTime? = nil
    ) throws -> String {
        let credential = Credential.random(.token)
        try store.access.add(
            AccessToken(
                id: credential.id, name: name, user: user, digest: credential.digest, scopes: scopes.description,
                created: now
            ) {
                $0.expires = expires
            })
        return credential.text
    }

    func setPassphrase(of user: Int64 = 1) throws {
        // Low cost for fast tests.
        let hash = PassphraseHash(of: Self.passphrase, cost: .init(log2N: 4, r: 1, p: 1))
        try store.access.setLoginSecret(hash?.text, of: user, at: now)
    }
}

extension TestClientProtocol {
    func ask(
        _ method: HTTPRequest.Method, _ uri: String, token: String? = nil, cookie: String? = nil,
        _ headers: HTTPFields = [:], form: String? = nil, json: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let cookie { headers[.cookie] = cookie }
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        if json != nil { headers[.contentType] = "application/json" }
        return try await execute(
            uri: uri, method: method, headers: headers, body: (form ?? json).map { ByteBuffer(string: $0) })
    }

    func login(
        _ passphrase: String = Site.passphrase, as name: String? = nil, next: String = "/"
    ) async throws -> TestResponse {
        var fields = [("passphrase", passphrase), ("next", next)]
        if let name { fields.append(("name", name)) }
        return try await ask(.post, "/login", form: FormFields.encoded(fields))
    }

    /// Cookie of a successful login, as a browser returns it.
    func session(as name: String? = nil) async throws -> String {
        String((try await login(as: name).headers[.setCookie] ?? "").prefix { $0 != ";" })
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}
