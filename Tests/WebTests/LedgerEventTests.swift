import Access
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Store
import Testing

@testable import Web

@Suite struct LedgerEventTests {
    private static let local = LedgerEvents.Login(kind: .local, id: "192.0.2.1")

    private func events(_ site: Site, _ limits: LedgerEvents.Limits = .init()) -> LedgerEvents {
        LedgerEvents(
            store: site.store, access: site.services.access, logger: site.services.logger, limits: limits)
    }

    @Test func eachChangeIsToldOnce() async throws {
        let site = try Site()
        let events = events(site)
        let stream = try #require(try await events.open(for: Self.local))
        var numbers = stream.numbers.makeAsyncIterator()
        let first = await numbers.next()
        try await events.poll()
        try site.store.recordAlert(1, merchant: "CORNER CAFE")
        try await events.poll()
        let second = await numbers.next()
        #expect(first != nil && second != nil && second != first)
        // Neither the audit log nor the use of a login is a change of the ledger.
        site.services.access.audit.add(AuditEvent(at: site.now, event: "request", who: "person"))
        await site.services.access.audit.flush()
        try await events.poll(beats: true)
        let beat = await numbers.next()
        #expect(beat == second)
        try site.store.transactions.delete(1, by: Actor(.page, "person", user: 1))
        try await events.poll()
        let third = await numbers.next()
        #expect(third != second)
    }

    /// Also what happened while no stream was open.
    @Test func aLaterStreamHasTheNumberOfTheNewState() async throws {
        let site = try Site()
        let events = events(site)
        var numbers: [UInt64?] = []
        for uid in UInt32(1)...3 {
            let stream = try await events.open(for: Self.local)
            var iterator = stream?.numbers.makeAsyncIterator()
            numbers.append(await iterator?.next())
            if uid == 2 { try site.store.recordAlert(uid, merchant: "CORNER CAFE") }
        }
        #expect(numbers[0] != nil && numbers[0] == numbers[1] && numbers[1] != numbers[2])
    }

    @Test func aSlowReaderGetsTheNewestOnly() async throws {
        let site = try Site()
        let events = events(site)
        let stream = try #require(try await events.open(for: Self.local))
        for uid in UInt32(1)...20 {
            try site.store.recordAlert(uid, merchant: "CORNER CAFE")
            try await events.poll()
        }
        stream.end()
        var received = 0
        for await _ in stream.numbers { received += 1 }
        #expect(received == 1 && events.count == 0)
    }

    @Test func streamsAreLimited() async throws {
        let site = try Site()
        let events = events(site, .init(all: 3, ofLogin: 2))
        let other = LedgerEvents.Login(kind: .local, id: "192.0.2.2")
        var open = [try await events.open(for: Self.local), try await events.open(for: Self.local)]
        #expect(try await events.open(for: Self.local) == nil)
        open.append(try await events.open(for: other))
        #expect(open.allSatisfy { $0 != nil } && events.count == 3)
        #expect(try await events.open(for: other) == nil)
        open.removeFirst()
        #expect(events.count == 2, "a released stream makes room")
        #expect(try await events.open(for: other) != nil)
        withExtendedLifetime(open) {}
    }

    @Test func theStreamEndsWithTheLogin() async throws {
        let site = try Site()
        try site.setPassphrase()
        let events = events(site)
        try await site.application.test(.router) { client in
            for end in ["logout", "idle", "passphrase"] {
                let cookie = try await client.session()
                let id = try #require(Credential(cookie.dropFirst("spendwise=".count), .session)).id
                let stream = try #require(try await events.open(for: .init(kind: .person, id: id)))
                try await events.poll()
                #expect(events.count == 1)
                switch end {
                case "logout": try site.store.access.endSession(id: id)
                case "idle": site.pass(301)
                default: try site.setPassphrase()
                }
                try await events.poll()
                #expect(events.count == 0, "\(end)")
                for await _ in stream.numbers {}
            }
        }
    }

    @Test func theStreamEndsWithTheToken() async throws {
        let site = try Site()
        let events = events(site)
        let token = try #require(Credential(site.token(Scopes([.read]), name: "display"), .token))
        let stream = try #require(try await events.open(for: .init(kind: .token, id: token.id)))
        #expect(events.count == 1)
        _ = try site.store.access.revokeToken(named: "display", at: site.now)
        try await events.poll()
        #expect(events.count == 0)
        for await _ in stream.numbers {}
    }

    @Test func onlyThePagesOfThisSiteRead() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            let stream: HTTPFields = [.accept: "text/event-stream"]
            #expect(try await client.ask(.get, "/app/events", stream).status == .unauthorized)
            #expect(try await client.ask(.get, "/app/events", cookie: cookie).status == .notAcceptable)
            var foreign = stream
            foreign[.fetchSite] = "cross-site"
            #expect(try await client.ask(.get, "/app/events", cookie: cookie, foreign).status == .forbidden)
            let token = try site.token(Scopes([.shortcut]))
            #expect(try await client.ask(.get, "/app/events", token: token, stream).status == .forbidden)
        }
    }

    /// A login ends after five idle minutes although its page is open.
    @Test(arguments: [("/app/events", [:]), ("/", [.unattended: "1"])] as [(String, HTTPFields)])
    func whatAPageAsksByItselfIsNoActivity(path: String, headers: HTTPFields) async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            site.pass(200)
            _ = try await client.ask(.get, path, cookie: cookie, headers)
            site.pass(150)
            #expect(try await client.ask(.get, "/session", cookie: cookie).status == .unauthorized)
        }
    }
}
