import Access
import Chronology
import ChronologyFixture
import GRDB
import Testing

@testable import Store

@Suite struct AccessStoreTests {
    let folder = Folder()
    let store: Store
    let start: UnixTime = 1_800_000_000

    init() throws { store = try Store(path: folder.database) }

    func token(_ name: String, expires: UnixTime? = nil) -> AccessToken {
        let credential = Credential.random(.token)
        return AccessToken(
            id: credential.id, name: name, user: 1, digest: credential.digest, scopes: "read", created: start
        ) {
            $0.expires = expires
        }
    }

    @Test func revokedTokenReleasesItsName() throws {
        let phone = token("phone", expires: start + 60)
        try store.access.add(phone)
        #expect(try store.access.token(id: phone.id) == phone)
        #expect(phone.isExpired(at: start + 60) && !phone.isExpired(at: start + 59))
        do {
            try store.access.add(token("phone"))
            Issue.record("two good tokens of one name")
        } catch { #expect(error.kind == .conflict && error.message.contains("phone")) }
        #expect(try store.access.revokeToken(named: "phone", at: start + 5).id == phone.id)
        #expect(try store.access.token(id: phone.id)?.revoked == start + 5)
        try store.access.add(token("phone"))
        #expect(try store.access.tokens().count == 2)
        do {
            _ = try store.access.revokeToken(named: "tablet", at: start)
            Issue.record("revoked a token that does not exist")
        } catch { #expect(error.kind == .notFound) }
    }

    @Test func noSecretIsInTheFile() throws {
        let credential = Credential.random(.token)
        try store.access.add(
            AccessToken(
                id: credential.id, name: "x", user: 1, digest: credential.digest, scopes: "read", created: start))
        let code = PairingCode.random()
        _ = try store.access.offerPairing(code, name: "x", scopes: .daily, user: 1, at: start)
        let dump = try store.readDatabase { db in
            try Row.fetchAll(db, sql: "SELECT * FROM access_tokens").description
                + Row.fetchAll(db, sql: "SELECT salt, digest FROM pairing_offers").description
        }
        #expect(
            !dump.contains(credential.text.suffix(43)) && dump.contains(credential.id)
                && !dump.contains("\"\(code.text)\""))
    }

    @Test func wrongTriesAreCountedPerClientAndInAllAndOutliveARestart() throws {
        for _ in 0..<3 { #expect(try store.access.reserveAttempt(of: "192.0.2.1", at: start) == 0) }
        #expect(try store.access.reserveAttempt(of: "192.0.2.1", at: start) == 30)
        #expect(try store.access.reserveAttempt(of: "192.0.2.2", at: start) == 0, "another client")
        let again = try Store(path: folder.database)
        #expect(try again.access.reserveAttempt(of: "192.0.2.1", at: start + 10) == 20)
        #expect(try again.access.reserveAttempt(of: "192.0.2.1", at: start + 30) == 0)
        #expect(try again.access.reserveAttempt(of: "192.0.2.1", at: start + 30) == 60, "the pause grows")
        // A successful attempt resets the count.
        #expect(try again.access.reserveAttempt(of: "192.0.2.1", at: start + 90) == 0)
        try again.access.attemptSucceeded(of: "192.0.2.1")
        for _ in 0..<3 { #expect(try again.access.reserveAttempt(of: "192.0.2.1", at: start + 91) == 0) }
    }

    @Test func manyAddressesGuessNoFaster() throws {
        var allowed = 0
        for number in 0..<100 where try store.access.reserveAttempt(of: "2001:db8:0:\(number)::/64", at: start) == 0 {
            allowed += 1
        }
        #expect(allowed == Throttle.Rules.allClients.free)
    }

    @Test func aSessionBeginsOnlyUnderThePassphraseThatWasChecked() throws {
        try store.access.setLoginSecret("old", of: 1, at: start)
        let session = LoginSession(id: "abc", digest: Credential.random(.session).digest, user: 1, started: start)
        #expect(try store.access.begin(session, under: "old", longest: 43_200))
        #expect(try store.access.session(id: "abc") == session)
        try store.access.recordUse(usesOfTokens: [:], seenSessions: ["abc": start + 100], [])
        #expect(try store.access.session(id: "abc")?.lastSeen == start + 100)
        try store.access.setLoginSecret("new", of: 1, at: start)
        #expect(try store.access.session(id: "abc") == nil, "a new passphrase ends every login")
        #expect(try !store.access.begin(session, under: "old", longest: 43_200))
        try store.access.setLoginSecret(nil, of: 1, at: start)
        #expect(
            try store.access.loginSecret(of: 1) == nil && !store.access.begin(session, under: "new", longest: 43_200))
    }

    @Test func pairingCodeIsValidOnceForFiveMinutesAndFiveAttempts() throws {
        let code = PairingCode.random()
        let wrong = try #require(PairingCode(code.text == "00000000" ? "00000001" : "00000000"))
        func offer(_ instant: UnixTime) throws -> Int64 {
            try store.access.offerPairing(code, name: "phone", scopes: .daily, user: 1, at: instant)
        }
        func redeem(_ code: PairingCode, _ instant: UnixTime) throws -> AccessToken? {
            try store.access.redeemPairing(code, .random(.token), at: instant)
        }

        let first = try offer(start)
        #expect(
            try redeem(code, start + 300) == nil && store.access.pairingOffer(first, at: start + 300).state == .expired)
        let second = try offer(start + 1000)
        for tries in 0..<4 { #expect(try redeem(wrong, start + 1001) == nil, "\(tries)") }
        #expect(try store.access.pairingOffer(second, at: start + 1001).triesLeft == 1)
        #expect(try redeem(code, start + 1299)?.name == "phone")
        #expect(
            try store.access.pairingOffer(second, at: start + 1299).state == .redeemed
                && redeem(code, start + 1299) == nil,
            "once")
        let third = try offer(start + 2000)
        for _ in 0..<5 { #expect(try redeem(wrong, start + 2001) == nil) }
        #expect(
            try redeem(code, start + 2001) == nil
                && store.access.pairingOffer(third, at: start + 2001).state == .exhausted)
        _ = try offer(start + 3000)
        let again = try #require(try redeem(code, start + 3001))
        #expect(again.name == "phone 2" && again.kind == .device && again.scopes == "read,write,review")
        #expect(try store.access.token(id: again.id) == again)
        let fourth = try offer(start + 4000)
        try store.access.withdrawPairing(fourth)
        #expect(try redeem(code, start + 4001) == nil)
    }

    @Test func theAuditLogIsReadNewestAndPruned() throws {
        let events = (0..<30).map { number in
            AuditEvent(at: start + Int64(number), event: "request", who: "token x") {
                $0.requestID = "r\(number)"
                $0.method = "GET"
                $0.route = "/transactions/{id}"
                $0.status = 200
            }
        }
        try store.access.recordUse(usesOfTokens: [:], seenSessions: [:], events)
        try store.audit.append(AuditEvent(at: start + 30, event: "login", who: "person"))
        #expect(try store.audit.latest(limit: 2).map(\.event) == ["request", "login"])
        #expect(
            try store.audit.latest(since: start + 29, limit: 100).count == 2
                && store.audit.latest(limit: 100).first == events[0])
        try store.audit.prune(before: start + 25)
        #expect(try store.audit.latest(limit: 100).first?.requestID == "r25")
    }

    @Test func decisionsAreAuditedWithoutDetails() throws {
        let fixture = try Fixture()
        let recorded = try #require(try fixture.store.recording.record([mail(1, decision())]).first?.transactionID)
        var edit = TransactionEdit()
        edit.notes = .set("with Ravi")
        _ = try fixture.store.transactions.change(recorded, edit, by: Actor(.client, "phone"))
        let event = try #require(try fixture.store.audit.latest(limit: 10).last)
        #expect(event.event.hasPrefix("decision: ") && event.who.contains("phone"))
        #expect(!"\(event)".contains("Ravi"))
    }
}

@Suite struct PasskeyRowsTests {
    let folder = Folder()
    let store: Store
    let start: UnixTime = 1_800_000_000

    init() throws {
        store = try Store(path: folder.database)
        try store.access.setLoginSecret("secret", of: 1, at: start)
    }

    func passkey(_ credential: String, signCount: UInt32 = 0) -> Passkey {
        Passkey(
            credential: credential, relyingParty: "localhost", user: 1, userHandle: "aa", publicKey: "bb",
            name: "phone",
            signCount: signCount)
    }

    func session(_ id: String) -> LoginSession {
        LoginSession(id: id, digest: String(repeating: "0", count: 64), user: 1, started: start + 5)
    }

    @Test func aCounterMustGrowUnlessThereIsNone() throws {
        try store.access.add(passkey("counts", signCount: 4), under: "secret", at: start)
        try store.access.add(passkey("never counts"), under: "secret", at: start)
        for (credential, count, begins) in [
            ("counts", 3, false), ("counts", 4, false), ("counts", 0, false), ("counts", 5, true), ("counts", 5, false),
            ("counts", UInt32.max, true), ("never counts", 0, true), ("never counts", 0, true),
            ("never counts", 1, true),
            ("never counts", 0, false),
        ] as [(String, UInt32, Bool)] {
            let stored = try #require(try store.access.passkey(credential: credential))
            let id = "\(credential) \(count) \(try store.access.sessions().count)"
            #expect(
                try store.access.begin(session(id), with: stored, signCount: count, longest: 100) == begins,
                "\(credential) \(count)")
            #expect(try (store.access.session(id: id) != nil) == begins)
        }
        #expect(try store.access.passkey(credential: "counts")?.lastUsed == start + 5)
    }

    @Test func aRemovedPasskeyBeginsNothing() throws {
        try store.access.add(passkey("one"), under: "secret", at: start)
        let stored = try #require(try store.access.passkeys().first)
        #expect(stored.created == start && stored.lastUsed == nil && stored.relyingParty == "localhost")
        #expect(try store.access.removePasskey(stored.id, of: 1)?.credential == "one")
        #expect(try store.access.removePasskey(stored.id, of: 1) == nil)
        #expect(try !store.access.begin(session("s"), with: stored, signCount: 1, longest: 100))
        try store.access.add(passkey("two"), under: "secret", at: start)
        #expect(
            try !store.access.begin(session("s"), with: stored, signCount: 1, longest: 100), "its number is another's")
        try store.access.setLoginSecret("other", of: 1, at: start)
        #expect(try store.access.passkeys().isEmpty && store.access.sessions().isEmpty)
    }

    @Test func passkeysAreAddedUnderThePassphraseThatWasChecked() throws {
        func refusal(_ passkey: Passkey, under secret: String) -> String? {
            do throws(StoreError) {
                try store.access.add(passkey, under: secret, at: start)
                return nil
            } catch { return error.kind == .conflict ? error.message : nil }
        }
        #expect(refusal(passkey("one"), under: "former")?.contains("passphrase") ?? false)
        #expect(refusal(passkey("one"), under: "secret") == nil)
        #expect(refusal(passkey("one"), under: "secret")?.contains("known") ?? false)
        for number in 1..<Passkey.maximum { try store.access.add(passkey("\(number)"), under: "secret", at: start) }
        #expect(refusal(passkey("too many"), under: "secret")?.contains("50 passkeys") ?? false)
    }
}
