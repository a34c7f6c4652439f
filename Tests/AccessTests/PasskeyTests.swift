import Chronology
import ChronologyFixture
import Codecs
import Crypto
import PasskeyFixture
import Testing

@testable import Access

/// Parsing and checks of what an authenticator and a browser state.
@Suite struct PasskeyTests {
    static let origin = "https://books.example:8001"
    static let keys: [SoftAuthenticator.Key] = [
        .es256(P256.Signing.PrivateKey()), .edDSA(Curve25519.Signing.PrivateKey()),
    ]

    let party: RelyingParty
    let challenge = Array(UInt8(100)..<150)

    init() throws {
        party = try #require(RelyingParty(host: "books.example", authority: "Books.example:8001", isTLS: true))
    }

    /// `nil` if the registration is accepted.
    func refusal(ofNew data: [UInt8], client: [UInt8]? = nil, accept: Bool = true) -> PasskeyError? {
        let client =
            client ?? SoftAuthenticator.clientData("webauthn.create", challenge: challenge, origin: Self.origin)
        do throws(PasskeyError) {
            _ = try PasskeyRegistration(clientData: client, authenticatorData: data, for: party) { offered in
                accept && offered == challenge
            }
            return nil
        } catch { return error }
    }

    /// `nil` if the login is accepted.
    func refusal(
        _ authenticator: SoftAuthenticator, client: [UInt8]? = nil, data: [UInt8]? = nil, key: PasskeyKey? = nil,
        changing change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> PasskeyError? {
        let client = client ?? SoftAuthenticator.clientData("webauthn.get", challenge: challenge, origin: Self.origin)
        let data = data ?? authenticator.data(for: party.id)
        let assertion = PasskeyAssertion(
            id: "x", clientData: client, authenticatorData: data,
            signature: change(try authenticator.signature(of: data, client)))
        let key = try key ?? #require(PasskeyKey(authenticator.coseKey))
        do throws(PasskeyError) {
            _ = try assertion.verify(with: key, for: party) { $0 == challenge }
            return nil
        } catch { return error }
    }

    @Test(arguments: 0..<2) func aPasskeyIsRegisteredAndLogsIn(kind: Int) throws {
        var authenticator = SoftAuthenticator(Self.keys[kind])
        authenticator.signCount = 0x0102_0304
        let made = try PasskeyRegistration(
            clientData: SoftAuthenticator.clientData("webauthn.create", challenge: challenge, origin: Self.origin),
            authenticatorData: authenticator.data(for: party.id, attests: true), for: party
        ) { $0 == challenge }
        #expect(made.id == Base64.urlSafe.encode(authenticator.id) && made.signCount == 0x0102_0304)
        #expect(made.key.bytes == authenticator.coseKey)
        #expect(try refusal(authenticator) == nil)
    }

    /// Cut at every byte, and with a byte too much.
    @Test(arguments: 0..<2) func truncatedStatementsAreRefused(kind: Int) throws {
        let authenticator = SoftAuthenticator(Self.keys[kind])
        let whole = authenticator.data(for: party.id, attests: true)
        for count in whole.indices {
            #expect(throws: PasskeyError.self, "\(count)") { try AuthenticatorData(Array(whole[..<count])) }
        }
        #expect(throws: PasskeyError.malformed) { try AuthenticatorData(whole + [0]) }
        #expect(refusal(ofNew: whole) == nil)
        let login = authenticator.data(for: party.id)
        for count in login.indices {
            #expect(throws: PasskeyError.malformed, "\(count)") { try AuthenticatorData(Array(login[..<count])) }
        }
        #expect(throws: PasskeyError.malformed) { try AuthenticatorData(login + [0]) }
        for count in authenticator.coseKey.indices {
            #expect(PasskeyKey(Array(authenticator.coseKey[..<count])) == nil, "\(count)")
        }
        #expect(PasskeyKey(authenticator.coseKey + [0]) == nil)
    }

    /// No changed byte of the key's frame is read as a key.
    @Test(arguments: 0..<2) func otherKeysAreRefused(kind: Int) throws {
        let key = SoftAuthenticator(Self.keys[kind]).coseKey
        for index in 0..<10 {
            for bit in 0..<8 {
                var other = key
                other[index] ^= 1 << bit
                #expect(PasskeyKey(other) == nil, "\(index) \(bit)")
            }
        }
    }

    @Test func aPointOffTheCurveIsRefused() {
        let head: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        let coordinate = [UInt8](repeating: 5, count: 32)
        #expect(PasskeyKey(head + coordinate + [0x22, 0x58, 0x20] + coordinate) == nil)
    }

    /// Offsets and values of statements that are no registration.
    @Test func malformedRegistrationsAreRefused() {
        let authenticator = SoftAuthenticator()
        let whole = authenticator.data(for: party.id, attests: true)
        func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = whole
            bytes[index] = value
            return bytes
        }
        #expect(refusal(ofNew: authenticator.data(for: party.id)) == .malformed, "no passkey in it")
        #expect(refusal(ofNew: authenticator.data(for: "other.example", attests: true)) == .otherOrigin)
        #expect(refusal(ofNew: changed(32, 0x41)) == .notVerified, "nobody was verified")
        #expect(refusal(ofNew: changed(32, 0x44)) == .notVerified, "nobody was present")
        #expect(refusal(ofNew: changed(32, 0x55)) == .malformed, "backed up, but not eligible for it")
        #expect(refusal(ofNew: changed(32, 0xC5)) == .malformed, "the extensions are missing")
        #expect(refusal(ofNew: changed(32, 0xC5) + [0xA0]) == nil, "extensions are skipped")
        #expect(refusal(ofNew: changed(54, 0)) == .malformed && refusal(ofNew: changed(53, 4)) == .malformed)
        #expect(refusal(ofNew: changed(54, 15)) == .unsupportedKey, "another length of the id")
        var empty = authenticator
        empty.id = []
        #expect(refusal(ofNew: empty.data(for: party.id, attests: true)) == .malformed)
        empty.id = [UInt8](repeating: 1, count: 1023)
        #expect(refusal(ofNew: empty.data(for: party.id, attests: true)) == nil)
        empty.id.append(1)
        #expect(refusal(ofNew: empty.data(for: party.id, attests: true)) == .malformed)
        #expect(refusal(ofNew: whole, accept: false) == .unknownChallenge)
    }

    @Test func otherStatementsOfBrowsersAreRefused() {
        func made(
            _ challenge: [UInt8], _ origin: String = Self.origin, type: String = "webauthn.create",
            more: [(String, JSON)] = []
        ) -> [UInt8] { SoftAuthenticator.clientData(type, challenge: challenge, origin: origin, more: more) }
        let data = SoftAuthenticator().data(for: party.id, attests: true)
        let right = made(challenge)
        #expect(refusal(ofNew: data, client: right) == nil)
        for count in right.indices {
            #expect(refusal(ofNew: data, client: Array(right[..<count])) == .malformed, "\(count)")
        }
        let cases: [(PasskeyError, [UInt8])] = [
            (.otherCeremony, made(challenge, type: "webauthn.get")), (.otherCeremony, made(challenge, type: "")),
            (.otherOrigin, made(challenge, "https://books.example")),
            (.otherOrigin, made(challenge, "http://books.example:8001")),
            (.otherOrigin, made(challenge, "https://evil.example:8001")),
            (.otherOrigin, Array(String(decoding: right, as: UTF8.self).replacing("false", with: "true").utf8)),
            (.unknownChallenge, made([])), (.unknownChallenge, made(challenge + [0])),
            (.malformed, right + Array("x".utf8)), (.malformed, made(challenge, more: [("type", .string("x"))])),
            (.malformed, []), (.malformed, Array("[]".utf8)), (.malformed, Array("{}".utf8)),
            (
                .malformed,
                Array(#"{"type":"webauthn.create","challenge":"!","origin":"https://books.example:8001"}"#.utf8)
            ),
        ]
        for (error, client) in cases {
            #expect(
                refusal(ofNew: data, client: client) == error, "\(String(decoding: client, as: UTF8.self))")
        }
    }

    @Test(arguments: 0..<2) func onlyTheSignatureOfTheKeyLogsIn(kind: Int) throws {
        let authenticator = SoftAuthenticator(Self.keys[kind])
        let other = SoftAuthenticator(Self.keys[1 - kind])
        #expect(try refusal(authenticator, key: PasskeyKey(other.coseKey)) == .wrongSignature)
        #expect(
            try refusal(
                authenticator, key: PasskeyKey(SoftAuthenticator().coseKey)) == .wrongSignature)
        let length = try authenticator.signature(of: [], []).count
        for index in 0..<min(length, 64) {
            let refusal = try refusal(authenticator) { signature in
                var signature = signature
                signature[index] ^= 1
                return signature
            }
            #expect(refusal == .wrongSignature, "\(index)")
        }
        #expect(try refusal(authenticator) { _ in [] } == .wrongSignature)
        let replayed = SoftAuthenticator.clientData("webauthn.get", challenge: [1], origin: Self.origin)
        #expect(try refusal(authenticator, client: replayed) == .unknownChallenge)
        let registration = SoftAuthenticator.clientData(
            "webauthn.create", challenge: challenge, origin: Self.origin)
        #expect(try refusal(authenticator, client: registration) == .otherCeremony)
        #expect(try refusal(authenticator, data: authenticator.data(for: "evil.example")) == .otherOrigin)
        var careless = authenticator
        careless.flags = 0x01
        #expect(try refusal(careless) == .notVerified)
    }

    @Test(arguments: [
        ("localhost", "localhost:8001", false, "http://localhost:8001"),
        ("localhost", "localhost", true, "https://localhost"),
        ("books.home.example", "BOOKS.home.example:8001", true, "https://books.home.example:8001"),
        ("raspberrypi", "raspberrypi:8001", true, "https://raspberrypi:8001"),
        ("books.localhost", "books.localhost:1", false, "http://books.localhost:1"),
    ])
    func sites(host: String, authority: String, isTLS: Bool, origin: String) {
        let party = RelyingParty(host: host, authority: authority, isTLS: isTLS)
        #expect(party?.id == host && party?.origin == origin)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("192.168.1.5", true), ("::1", true), ("fe80::1", true), ("", true),
        ("books.example", false),
        ("raspberrypi", false), ("a..b", true), ("books.1", true), ("böoks.example", true), ("0x7f.0x1", true),
    ])
    func placesWithoutPasskeys(host: String, isTLS: Bool) {
        #expect(RelyingParty(host: host, authority: host, isTLS: isTLS) == nil)
    }
}

@Suite struct PasskeyChallengeTests {
    /// The challenges of one process.
    private final class Challenges {
        var open = PasskeyChallenges()

        func make(for purpose: String, at now: UnixTime) -> [UInt8] { open.make(for: purpose, at: now) }

        func accept(_ challenge: [UInt8], for purpose: String, at now: UnixTime) -> Bool {
            open.accept(challenge, for: purpose, at: now)
        }
    }

    let now: UnixTime = 1_800_000_000

    @Test func aChallengeIsAcceptedOnceForItsPurpose() {
        let challenges = Challenges()
        let made = challenges.make(for: "login", at: now)
        #expect(made != challenges.make(for: "login", at: now))
        #expect(!challenges.accept(made, for: "registration", at: now))
        #expect(challenges.accept(made, for: "login", at: now + 1))
        #expect(!challenges.accept(made, for: "login", at: now + 1), "a second time")
        let others = Challenges()
        #expect(!others.accept(challenges.make(for: "login", at: now), for: "login", at: now), "of another process")
    }

    @Test func aChallengeEnds() {
        let challenges = Challenges()
        let lifetime = PasskeyChallenges.lifetime
        let made = (0..<3).map { _ in challenges.make(for: "login", at: now) }
        #expect(challenges.accept(made[0], for: "login", at: now + lifetime - 1))
        #expect(!challenges.accept(made[1], for: "login", at: now + lifetime))
        #expect(!challenges.accept(made[2], for: "login", at: now - 1), "the clock was set back")
        #expect(!challenges.accept(made[0], for: "login", at: now + lifetime - 1), "used, and the clock was set back")
    }

    /// Every byte counts, and every cut.
    @Test func changedChallengesAreRefused() {
        let challenges = Challenges()
        let made = challenges.make(for: "login", at: now)
        for index in made.indices {
            var other = made
            other[index] ^= 1
            #expect(!challenges.accept(other, for: "login", at: now), "\(index)")
            #expect(!challenges.accept(Array(made[..<index]), for: "login", at: now), "\(index)")
        }
        #expect(!challenges.accept(made + [0], for: "login", at: now))
        #expect(challenges.accept(made, for: "login", at: now))
    }
}
