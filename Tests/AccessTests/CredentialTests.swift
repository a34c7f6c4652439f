import Chronology
import ChronologyFixture
import Testing

@testable import Access

@Suite struct ScopeTests {
    @Test(arguments: [
        ("read", "read"), ("write,read", "read,write"), ("review, admin", "review,admin"), ("read read", "read"),
    ])
    func scopesAreReadAndWritten(text: String, written: String) throws {
        #expect(try #require(Scopes(text)).description == written)
    }

    @Test(arguments: ["", " ", "reed", "read,everything", "READ"]) func otherWordsAreRefused(text: String) {
        #expect(Scopes(text) == nil)
    }

    @Test func onlyAdminIncludesOthers() throws {
        for held in Scope.allCases {
            for wanted in Scope.allCases {
                #expect(Scopes([held]).allow(wanted) == (held == wanted || held == .admin), "\(held) \(wanted)")
            }
        }
        for scope in Scope.allCases { #expect(!Scopes.none.allow(scope) && Scopes.all.allow(scope)) }
    }
}

@Suite struct CredentialTests {
    @Test(arguments: [Credential.Kind.token, .session]) func issuedSecretsAreRecognized(kind: Credential.Kind) throws {
        let made = Credential.random(kind)
        let read = try #require(Credential(made.text, kind))
        #expect(made.text.hasPrefix(kind.rawValue) && made.text.utf8.count == 58 && read.id == made.id)
        #expect(read.matches(digest: made.digest) && made.digest.count == 64)
        #expect(read.matches(formToken: made.formToken) && made.formToken != Credential.random(kind).formToken)
        #expect(!made.text.contains(made.formToken))
        #expect(Credential(made.text, kind == .token ? .session : .token) == nil)
    }

    @Test func allAreDistinct() { #expect(Set((0..<1000).map { _ in Credential.random(.token).text }).count == 1000) }

    /// Every single character counts.
    @Test func anyChangedCharacterIsAnotherSecret() throws {
        let made = Credential.random(.token)
        let bytes = Array(made.text.utf8)
        for index in bytes.indices {
            var other = bytes
            other[index] = other[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            let read = Credential(String(decoding: other, as: UTF8.self), .token)
            #expect(!(read?.matches(digest: made.digest) ?? false), "\(index)")
        }
    }

    @Test(arguments: [
        "", "spw_", "spw_abcdefghij_", "sps_abcdefghij_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_abcdefghij-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_ABCDEFGHIJ_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_abcdefghij_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "spw_abcdefghij_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_abcdefghij_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_abcdefghéj_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "spw_abcdefghi'_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]) func otherFormsAreNotTokens(text: String) { #expect(Credential(text, .token) == nil) }

    @Test(arguments: [("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("", "a", false)])
    func comparison(a: String, b: String, equal: Bool) { #expect(ConstantTime.areEqual(a, b) == equal) }
}

@Suite struct PassphraseTests {
    static let cheap = PassphraseHash.Cost(log2N: 4, r: 1, p: 1)

    @Test func hashMatchesItsPassphraseOnly() throws {
        let hash = try #require(PassphraseHash(of: "correct horse ☕", cost: Self.cheap))
        let read = try #require(PassphraseHash(hash.text))
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
        #expect(
            read.matches("correct horse ☕") && !read.matches("correct horse") && !read.matches("")
                && !read.matches("correct horse ☕ "))
        #expect(
            PassphraseHash(of: "correct horse ☕", cost: Self.cheap)?.text != hash.text,
            "every hash has its own salt")
    }

    /// Made by Python's hashlib.scrypt(b'correct horse', salt=bytes(range(16)), n=16, r=1, p=1, dklen=32).
    @Test func hashEqualsThatOfOtherPrograms() throws {
        let hash = try #require(
            PassphraseHash("$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$GImgYqZBp-6CyTBan5R5E2D0OV9K8vsB41xdKb8-3xQ"))
        #expect(hash.matches("correct horse") && !hash.matches("correct horsf"))
    }

    @Test func standardCostIsWithinBounds() {
        #expect(PassphraseHash.Cost.standard.isSane && PassphraseHash.Cost.standard.log2N >= 15)
    }

    @Test(arguments: [
        "", "plain", "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=40,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$r=1,ln=4,p=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$bcrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$",
        "$scrypt$ln=4,r=0,p=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=18,r=32,p=1$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]) func otherLinesAreNotHashes(text: String) { #expect(PassphraseHash(text) == nil) }

    @Test(arguments: [
        "", "12345", "1234567", "654321", "111111", "121212", "123123", "112233", "010190", "311299", "19900101",
        "01011990", "short", "aaaaaaaa", "abababab",
        "password", "Password1", "PASSWORD123!", "qwertyuiop", "abcdefgh", "spendwise2026", "cricket1",
        "with\u{7}bell control", String(repeating: "long ", count: 300),
    ]) func theWeakestAreRefused(passphrase: String) { #expect(PassphraseRules.weakness(of: passphrase) != nil) }

    @Test(arguments: ["749302", "58301746", "lamp river otter", "Zx9!kq2#", "चाय नदी पहाड़ लैंप", "passwordless river otter"])
    func strongPassphrasesAreAccepted(passphrase: String) {
        #expect(PassphraseRules.weakness(of: passphrase) == nil, "\(PassphraseRules.weakness(of: passphrase) ?? "")")
    }
}

@Suite struct LimitTests {
    /// Failed attempts so far, seconds since the last one, seconds to wait.
    static let waits: [(Int, Int64, Int64)] = [
        (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 30), (3, 29, 1), (3, 30, 0), (4, 0, 60), (5, 0, 120), (6, 10, 230),
        (9, 0, 1920), (10, 0, 3600), (60, 0, 3600),
        (1_000_000, 3599, 1), (60, 86_400, 0), (3, -500, 30),
    ]

    @Test(arguments: waits) func threeWrongTriesThenLongerAndLongerPauses(tries: Int, since: Int64, wait: Int64) {
        #expect(
            Throttle(tries: tries, last: 1_800_000_000).wait(at: UnixTime(seconds: 1_800_000_000) + since, .client)
                == wait)
    }

    @Test func countsExpireAfterADay() {
        var throttle = Throttle(tries: 7, last: 1000)
        throttle.count(at: 87_400, .client)
        #expect(throttle == Throttle(tries: 1, last: 87_400))
    }

    @Test(
        arguments: [
            (0, 0, 0, true), (0, 299, 299, true), (0, 0, 299, true), (0, 0, 300, false), (0, 1000, 1299, true),
            (0, 1000, 1300, false), (0, 43_190, 43_199, true), (0, 43_190, 43_200, false), (1000, 1000, 701, true),
            (1000, 1000, 700, false), (50_000, 10, 10, false),
        ] as [(UnixTime, UnixTime, UnixTime, Bool)])
    func sessionsEndIdleAndInAnyCase(started: UnixTime, lastSeen: UnixTime, now: UnixTime, live: Bool) {
        #expect(SessionRules().isLive(started: started, lastSeen: lastSeen, at: now) == live)
    }

    @Test func bucketHoldsAMinutesRequestsAndRefills() {
        var limit = RateLimit(perMinute: 60)
        for second in 0..<60 { #expect(limit.consume("a", at: Double(second) / 1000) == nil) }
        #expect(limit.consume("a", at: 0.06) == 1)
        #expect(limit.consume("b", at: 0.06) == nil, "another client has its own")
        #expect(limit.consume("a", at: 1.1) == nil && limit.consume("a", at: 1.1) == 1)
        #expect(limit.consume("a", at: 0.5) != nil, "a clock that goes back gives nothing")
        for _ in 0..<60 { #expect(limit.consume("a", at: 1000) == nil) }
        #expect(limit.consume("a", at: 1000) == 1, "never more than a minute's worth")
    }

    @Test(arguments: [(1, 60), (6, 10), (60, 1), (600, 1)]) func waitEndsAtTheNextDueTime(perMinute: Int, seconds: Int)
    {
        var limit = RateLimit(perMinute: perMinute)
        for _ in 0..<perMinute { _ = limit.consume("a", at: 0) }
        #expect(limit.consume("a", at: 0) == seconds)
        #expect(limit.consume("a", at: Double(seconds)) == nil)
    }

    @Test func tableIsBoundedAndKeepsLimitedClients() {
        var limit = RateLimit(perMinute: 2, maximumClients: 100)
        for _ in 0..<3 { _ = limit.consume("hammer", at: 0) }
        for number in 0..<10_000 { _ = limit.consume("\(number)", at: 0) }
        #expect(limit.count <= 100 && limit.consume("hammer", at: 0) != nil)
        #expect(RateLimit(perMinute: 0).count == 0)
        var none = RateLimit(perMinute: 0)
        for _ in 0..<1000 { #expect(none.consume("a", at: 0) == nil) }
        #expect(none.count == 0)
    }

    @Test(arguments: [("12345678", "12345678"), ("1234 5678", "12345678"), ("1234-5678", "12345678")])
    func typedCodesAreRead(typed: String, code: String) {
        #expect(PairingCode(typed)?.text == code)
    }

    @Test(arguments: ["", "1234567", "123456789", "1234567a", "１２３４５６７８", "١٢٣٤٥٦٧٨"]) func otherFormsAreRefused(
        typed: String
    ) { #expect(PairingCode(typed) == nil) }

    @Test func codeMatchesItsDigestWithItsSaltOnly() throws {
        let (code, other) = (try #require(PairingCode("12345678")), try #require(PairingCode("12345679")))
        let (salt, elsewhere) = (PairingCode.randomSalt(), PairingCode.randomSalt())
        #expect(
            code.matches(digest: code.digest(salt: salt), salt: salt)
                && !other.matches(digest: code.digest(salt: salt), salt: salt))
        #expect(!code.matches(digest: code.digest(salt: salt), salt: elsewhere))
        #expect(code.grouped == "1234 5678" && PairingCode.random().text.utf8.count == 8)
    }
}
