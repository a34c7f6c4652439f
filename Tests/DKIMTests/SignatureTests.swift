import Chronology
import DKIM
import InternetMessage
import Testing

@Suite struct SignatureTests {
    static let arrival = UnixTime(seconds: SignedMail.arrival)

    static func reasons(
        _ mail: [UInt8], _ verifier: SignatureVerifier = SignedMail.verifier, receivedAt: UnixTime = arrival
    ) -> [SignatureReason] {
        verifier.results(of: Message(parsing: mail), receivedAt: receivedAt).map(\.reason)
    }

    static func reasons(_ mail: String, receivedAt: UnixTime = arrival) -> [SignatureReason] {
        reasons(Array(mail.utf8), receivedAt: receivedAt)
    }

    @Test(arguments: ["rsa", "ed25519"]) func validSignature(name: String) throws {
        let result = try #require(
            SignedMail.verifier.results(of: Message(parsing: try SignedMail.bytes(name)), receivedAt: Self.arrival)
                .first)
        #expect(result.reason == .valid && result.isAligned && result.domain == "bank.example")
        #expect(result.selector == (name == "rsa" ? "big" : "ed"))
    }

    /// A Maildir and an mbox file have LF, a copy of either may have the mbox separator.
    @Test(arguments: ["\n", "\r\n"], ["", "From alerts@bank.example Thu Jan  1 00:00:05 2026\n"])
    func lineEnds(end: String, separator: String) throws {
        let mail = try SignedMail.text().replacing("\r\n", with: end)
        #expect(Self.reasons(separator + mail) == [.valid])
    }

    @Test(
        arguments: [
            ("Rs.500.00", "Rs.900.00", .bodyAltered), ("Subject: Debit alert", "Subject: Other alert", .headerAltered),
            ("Message-ID: <1@", "Message-ID: <2@", .valid), ("Debit alert", "Debit   alert", .valid),
            ("Dear Customer", "Dear  Customer", .valid), ("DKIM-Signature: v=1", "DKIM-Signature: v=2", .malformed),
            ("a=rsa-sha256", "a=rsa-sha1", .weakAlgorithm), ("a=rsa-sha256", "a=dsa-sha256", .malformed),
            ("s=big", "s=gone", .keyMissing), ("s=big", "s=a/b", .malformed), ("s=big", "s=ed", .keyUnusable),
            ("Subject: Debit", "Subject: Fake\r\nSubject: Debit", .fieldsUncovered),
            ("Date: Thu", "Date: Fri, 02 Jan 2026 00:00:05 +0000\r\nDate: Thu", .fieldsUncovered),
            ("Content-Type: text/plain", "Content-Type: text/html\r\nContent-Type: text/plain", .fieldsUncovered),
            ("h=from : to : subject", "h=from : to", .fieldsUncovered), ("h=from : to", "h=to", .malformed),
            ("Subject: Debit alert", "Subject: Debit alert\0", .headerDamaged),
            ("CORNER", "COR\rNER", .bareCarriageReturn), ("Debit", "De\rbit", .bareCarriageReturn),
        ] as [(String, String, SignatureReason)])
    func alterations(old: String, new: String, expected: SignatureReason) throws {
        let mail = try SignedMail.text()
        #expect(mail.contains(old))
        #expect(Self.reasons(mail.replacing(old, with: new, maxReplacements: 1)) == [expected])
    }

    @Test(
        arguments: [
            ("", .keyUnusable), ("v=DKIM1; p=", .keyRevoked), ("v=DKIM2; p=AAAA", .keyUnusable),
            ("v=DKIM1; k=rsa; p=AAAA", .keyUnusable), (String(repeating: "p=A", count: 500), .keyUnusable),
        ] as [(String, SignatureReason)])
    func keyRecords(record: String, expected: SignatureReason) throws {
        let verifier = SignatureVerifier(keys: TableKeys(records: ["big": record]))
        #expect(Self.reasons(try SignedMail.bytes("rsa"), verifier) == [expected])
    }

    @Test func testKeyProvesNothing() throws {
        let record = try #require(SignedMail.keys["big"]).replacing("k=rsa", with: "k=rsa; t=y")
        let verifier = SignatureVerifier(keys: TableKeys(records: ["big": record]))
        #expect(Self.reasons(try SignedMail.bytes("rsa"), verifier) == [.keyForTests])
    }

    /// The arrival counts, not the present time.
    @Test(
        arguments: [(0, .valid), (-200, .valid), (-400, .fromTheFuture), (400 * 86_400, .valid)]
            as [(Int64, SignatureReason)])
    func timeOfSignature(seconds: Int64, expected: SignatureReason) throws {
        #expect(Self.reasons(try SignedMail.text(), receivedAt: Self.arrival + seconds) == [expected])
    }

    @Test func onlySignaturesOfTheFromDomainAreLookedUp() throws {
        let mail = try SignedMail.text().replacing("alerts@mail.bank.example", with: "alerts@other.example")
        let verifier = SignatureVerifier(keys: TableKeys(always: .unavailable))
        #expect(Self.reasons(Array(mail.utf8), verifier) == [.notExamined])
        #expect(
            verifier.finding(for: Message(parsing: Array(mail.utf8)), pinned: [], receivedAt: nil) == .unsigned)
    }

    @Test func pinnedKeyNeedsNoLookup() throws {
        let key = PinnedKey(
            domain: "BANK.example", selector: "big", record: try #require(SignedMail.keys["big"]),
            seen: try #require(CalendarDate(iso: "2026-01-01")))
        let message = Message(parsing: try SignedMail.bytes("rsa"))
        let verifier = SignatureVerifier(keys: TableKeys(always: .unavailable))
        #expect(verifier.finding(for: message, pinned: [key], receivedAt: Self.arrival) == .pass)
        #expect(verifier.finding(for: message, pinned: [], receivedAt: Self.arrival) == .undecided)
    }

    /// Banks remove old keys, but a new mail without a published key is a forgery.
    @Test func missingKeyRefutesOnlyNewMail() throws {
        let message = Message(
            parsing: Array(try SignedMail.text().replacing("t=1767225600; ", with: "").utf8))
        let verifier = SignatureVerifier(keys: TableKeys())
        #expect(verifier.finding(for: message, pinned: [], receivedAt: .now) == .fail(reason: .keyMissing))
        for old in [UnixTime.now - 8 * 86_400, nil] {
            #expect(
                verifier.finding(for: message, pinned: [], receivedAt: old) == .unverifiable(reason: .keyMissing))
        }
    }

    /// One valid signature is enough, wherever it is; the ninth is not examined.
    @Test(arguments: [(0, SignatureFinding.pass), (7, .pass), (8, .fail(reason: .malformed))])
    func severalSignatures(before: Int, expected: SignatureFinding) throws {
        let mail = try String(repeating: "DKIM-Signature: v=1; d=bank.example\r\n", count: before) + SignedMail.text()
        #expect(
            SignedMail.verifier.finding(
                for: Message(parsing: Array(mail.utf8)), pinned: [], receivedAt: Self.arrival) == expected)
    }
}
