import Chronology
import DKIM
import InternetMessage
import Testing

/// ARC sets of named forwarders (RFC 8617). `list.eml` is a bank's mail that `lists.example` changed and sealed;
/// `forwarded.eml` is the same after `home.example`, which found the bank's signature broken.
@Suite struct SealTests {
    static let arrival = UnixTime(seconds: 1_767_597_000)

    static func finding(
        _ mail: [UInt8], by forwarders: [String], _ verifier: SignatureVerifier = SignedMail.verifier
    ) -> ARCFinding {
        verifier.finding(for: Message(parsing: mail), vouchedBy: forwarders, receivedAt: arrival)
    }

    static func finding(
        _ mail: String, by forwarders: [String] = ["lists.example", "home.example"]
    ) -> ARCFinding { finding(Array(mail.utf8), by: forwarders) }

    @Test(
        arguments: [
            ("list", ["lists.example"], .vouched(forwarder: "lists.example")),
            ("list", ["other.example", "lists.example"], .vouched(forwarder: "lists.example")),
            ("list", [], .refused(.unnamed)), ("list", ["example"], .refused(.unnamed)),
            ("list", ["sub.lists.example", "home.example"], .refused(.unnamed)),
            // The newest seal must be by a named forwarder, and so must each down to the one that is relied on.
            ("forwarded", ["lists.example"], .refused(.unnamed)),
            ("forwarded", ["home.example"], .refused(.senderUnconfirmed)),
            ("forwarded", ["home.example", "lists.example"], .vouched(forwarder: "lists.example")),
            ("rsa", ["bank.example"], .unsealed),
        ] as [(String, [String], ARCFinding)])
    func namedForwarders(name: String, forwarders: [String], expected: ARCFinding) throws {
        #expect(Self.finding(try SignedMail.bytes(name), by: forwarders) == expected)
    }

    /// A Maildir and an mbox file have LF, a copy of either may have the mbox separator.
    @Test(arguments: ["list", "forwarded"], ["\n", "\r\n"]) func lineEnds(name: String, end: String) throws {
        let mail = try SignedMail.text(name).replacing("\r\n", with: end)
        for separator in ["", "From alerts@bank.example Thu Jan  1 00:00:05 2026\n"] {
            #expect(Self.finding(separator + mail) == .vouched(forwarder: "lists.example"))
        }
    }

    @Test(
        arguments: [
            ("Rs.500.00", "Rs.900.00", .refused(.signature(.bodyAltered))),
            ("Subject: [family]", "Subject: [famine]", .refused(.signature(.headerAltered))),
            ("From: Bank", "From: Bonk", .refused(.signature(.headerAltered))),
            ("Subject: [family]", "Subject: Fake\r\nSubject: [family]", .refused(.signature(.fieldsUncovered))),
            ("\r\nSubject: ", "\r\nX: ", .refused(.signature(.headerAltered))),
            ("X-None: ", "X-None: ", .vouched(forwarder: "lists.example")),
            ("Received: from mail.bank", "Received: from evil", .vouched(forwarder: "lists.example")),
            ("[family] Card", "[family]   Card", .vouched(forwarder: "lists.example")),
            // The results of the forwarder, which its seal covers.
            (
                "i=1; lists.example; dkim=pass", "i=1; lists.example; dkim=pass header.d=x.example; dkim=pass",
                .refused(.seal(.headerAltered))
            ),
            ("dkim=pass header.d=bank.example", "dkim=fail header.d=bank.example", .refused(.seal(.headerAltered))),
            ("cv=none", "cv=pass", .refused(.chain(.wrongStatus))), ("cv=none", "cv=fail", .refused(.chain(.broken))),
            ("cv=none", "cv=none; h=from", .refused(.chain(.excess))),
            (" cv=none;\r\n", "", .refused(.chain(.wrongStatus))),
            (" : date :\r\n message-id", " : arc-seal", .refused(.chain(.excess))),
            ("i=1; lists.example", "i=0; lists.example", .refused(.chain(.malformed))),
            ("i=1; lists.example", "i=51; lists.example", .refused(.chain(.malformed))),
            ("i=1; lists.example", "i=99999999999; lists.example", .refused(.chain(.malformed))),
            ("i=1; lists.example", "i=-1; lists.example", .refused(.chain(.malformed))),
            ("i=1; lists.example", "lists.example", .refused(.chain(.malformed))),
            ("i=1; lists.example", "i=2; lists.example", .refused(.chain(.incomplete))),
            ("ARC-Seal: i=1", "ARC-Seal: i=99999999999", .refused(.chain(.malformed))),
            ("ARC-Seal: i=1", "ARC-Seal: i=1; i=1", .refused(.chain(.malformed))),
            ("ARC-Seal: i=1", "ARC-Seal: i=3", .refused(.chain(.incomplete))),
            ("ARC-Seal: i=1; a=rsa-sha256", "ARC-Seal: i=1", .refused(.seal(.malformed))),
            ("ARC-Seal: i=1; a=rsa-sha256", "ARC-Seal: i=1; a=rsa-sha1", .refused(.seal(.weakAlgorithm))),
            ("ARC-Seal: i=1; a=rsa-sha256", "ARC-Seal: i=1; a=ed25519-sha256", .refused(.seal(.malformed))),
            ("s=lists; t=1767596990;\r\n cv", "t=1767596990;\r\n cv", .refused(.seal(.malformed))),
            ("s=lists; t=1767596990;\r\n cv", "s=gone; t=1767596990;\r\n cv", .refused(.seal(.keyMissing))),
            ("s=lists; t=1767596990;\r\n cv", "s=a/b; t=1767596990;\r\n cv", .refused(.seal(.malformed))),
            ("s=lists; t=1767596990;\r\n cv", "s=lists; t=1767599990;\r\n cv", .refused(.seal(.fromTheFuture))),
            ("t=1767596990; c=", "t=1767599990; c=", .refused(.signature(.fromTheFuture))),
            ("t=1767596990; c=", "t=1767590000; x=1767590001; c=", .refused(.signature(.expired))),
            ("t=1767596990; c=", "l=10; c=", .refused(.signature(.partialBody))),
            ("c=relaxed/relaxed", "c=strange", .refused(.signature(.malformed))),
            (
                "Signature: i=1; a=rsa-sha256; d=lists.example", "Signature: i=1; a=rsa-sha256; d=evil.example",
                .refused(.unnamed)
            ),
            ("Subject: [family]", "Subject: \0[family]", .refused(.signature(.headerDamaged))),
            ("spent on", "spent\ron", .refused(.signature(.bareCarriageReturn))),
            ("From: Bank <alerts@bank.example>", "From: a@bank.example, b@evil.example", .refused(.senderUnconfirmed)),
            ("alerts@bank.example", "alerts@other.example", .refused(.senderUnconfirmed)),
        ] as [(String, String, ARCFinding)])
    func alterations(old: String, new: String, expected: ARCFinding) throws {
        let mail = "X-None: \r\n" + (try SignedMail.text("list"))
        #expect(mail.contains(old))
        #expect(Self.finding(mail.replacing(old, with: new, maxReplacements: 1)) == expected)
    }

    /// The sets of a chain with two of them: removed, repeated, and with others above.
    @Test(arguments: [
        ("ARC-Seal: i=1", "X: i=1"), ("ARC-Seal: i=2", "X: i=2"), ("ARC-Message-Signature: i=1", "X: i=1"),
        ("ARC-Authentication-Results: i=2", "X: i=2"), ("ARC-Seal: i=2", "ARC-Seal: i=2; d=a\r\nARC-Seal: i=2"),
    ])
    func incompleteSets(old: String, new: String) throws {
        let mail = try SignedMail.text("forwarded").replacing(old, with: new)
        #expect(Self.finding(mail) == .refused(.chain(.incomplete)))
    }

    @Test(
        arguments: [
            ("", .keyUnusable), ("v=DKIM1; p=", .keyRevoked), ("v=DKIM1", .keyUnusable),
            ("v=DKIM2; p=AAAA", .keyUnusable),
            ("v=DKIM1; k=ed25519; p=Ei7YA2EKIanoX2xGx6u5lr5fJv4zicUWqqwziY1A3xU=", .keyUnusable),
            ("p=AAAA", .keyUnusable), ("p=\u{e9}", .keyUnusable), (String(repeating: "p=A", count: 500), .keyUnusable),
            // 768 bits.
            (
                "v=DKIM1; k=rsa; p=MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhANHeg9THliaIsHzuBFonT0axMqy2f5Uj+REBsR0Rxw6hf+jVsWGCegEXcYXJx0PNqCKgug94Dc6rx5Z+BZoiVUfxP29oPawxNunVM/GoYTgrPRerKj+4ydij13sqKVy0sQIDAQAB",
                .weakKey
            ),
        ] as [(String, SignatureReason)])
    func keyRecords(record: String, expected: SignatureReason) throws {
        let verifier = SignatureVerifier(keys: TableKeys(records: ["lists": record]))
        let finding = Self.finding(try SignedMail.bytes("list"), by: ["lists.example"], verifier)
        #expect(finding == .refused(.signature(expected)))
    }

    @Test(arguments: ["t=y", "t=s:y", "s=other", "h=sha1"]) func limitedKeys(tag: String) throws {
        let record = try #require(SignedMail.keys["lists"]).replacing("k=rsa", with: "k=rsa; \(tag)")
        let verifier = SignatureVerifier(keys: TableKeys(records: ["lists": record]))
        let reason: SignatureReason = tag.contains("y") ? .keyForTests : .keyUnusable
        #expect(
            Self.finding(try SignedMail.bytes("list"), by: ["lists.example"], verifier)
                == .refused(.signature(reason)))
    }

    /// A late key leaves the mail undecided, unless something else refuses it.
    @Test func lateKeys() throws {
        let names = ["lists.example", "home.example"]
        let late = SignatureVerifier(keys: TableKeys(always: .unavailable))
        #expect(Self.finding(try SignedMail.bytes("forwarded"), by: names, late) == .undecided)
        let altered = try SignedMail.text("forwarded").replacing("Rs.500.00", with: "Rs.900.00")
        #expect(Self.finding(Array(altered.utf8), by: names, late) == .refused(.signature(.bodyAltered)))
    }

    /// Only the keys of named forwarders are looked up, and none before the results of one confirm the sender.
    @Test func lookups() throws {
        let asked = AskedKeys(records: SignedMail.keys)
        let verifier = SignatureVerifier(keys: asked)
        let mail = try SignedMail.bytes("forwarded")
        for names in [[], ["lists.example"], ["home.example"]] { _ = Self.finding(mail, by: names, verifier) }
        #expect(asked.names.isEmpty)
        _ = Self.finding(mail, by: ["lists.example", "home.example"], verifier)
        #expect(asked.names == ["home._domainkey.home.example", "lists._domainkey.lists.example"])
    }

    /// The set below that of the named forwarder is by another, whose seal is broken and whose key is never asked for:
    /// the forwarder's `cv=pass` answers for it. The seal covers it all the same.
    @Test func setsOfOthersBelow() throws {
        let asked = AskedKeys(records: SignedMail.keys)
        let mail = try SignedMail.text("relayed")
        let verifier = SignatureVerifier(keys: asked)
        #expect(
            Self.finding(Array(mail.utf8), by: ["home.example"], verifier) == .vouched(forwarder: "home.example"))
        #expect(asked.names == ["home._domainkey.home.example"])
        #expect(
            Self.finding(mail.replacing("dkim=none", with: "dkim=pass"), by: ["home.example"])
                == .refused(.seal(.headerAltered)))
    }

    @Test func sealers() throws {
        #expect(Message(parsing: try SignedMail.bytes("forwarded")).sealers == ["lists.example", "home.example"])
        #expect(Message(parsing: try SignedMail.bytes("rsa")).sealers.isEmpty)
    }
}
