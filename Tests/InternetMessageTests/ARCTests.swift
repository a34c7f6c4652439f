import InternetMessage
import Testing

/// ARC sets without their signatures (RFC 8617), and the lists of tags that they are made of.
@Suite struct ARCTests {
    @Test(
        arguments: [
            ("a=b", ["a": "b"]), ("a=b;", ["a": "b"]), (" a = b ; c=d e ; ", ["a": "b", "c": "d e"]),
            ("a=\r\n\tb;\n c=", ["a": "b", "c": ""]), ("b=AA==;A=x", ["b": "AA==", "A": "x"]),
            ("a_1=x=y", ["a_1": "x=y"]),
            ("", nil), (";", nil), ("a", nil), ("a;b=c", nil), ("a=b;;c=d", nil), ("a=b; a=c", nil), ("=b", nil),
            ("1=b", nil), ("a b=c", nil), ("a=\u{e9}", nil), ("a=\0", nil), ("a=b\u{7f}", nil), (";a=b", nil),
        ] as [(String, [String: String]?)])
    func tagLists(text: String, expected: [String: String]?) {
        let tags = TagList(parsing: Array(text.utf8))
        #expect((tags == nil) == (expected == nil))
        for (name, value) in expected ?? [:] { #expect(tags?[name] == value) }
        #expect(tags?["z"] == nil)
    }

    /// Every truncation of a list is read or refused.
    @Test func truncatedTagList() {
        let bytes = Array("i=1; a=rsa-sha256; h=from : To:subject;\r\n b=QUJD\r\n RA==".utf8)
        for count in 0...bytes.count { _ = TagList(parsing: Array(bytes[..<count])) }
        let tags = TagList(parsing: bytes)
        #expect(tags?.compact("b") == Array("QUJDRA==".utf8) && tags?.items("h") == ["from", "to", "subject"])
        #expect(tags?.place(of: "b").map { Array(bytes[$0]) } == Array("QUJD\r\n RA==".utf8))
    }

    static func set(_ number: Int, _ domain: String, _ results: String) -> String {
        """
        ARC-Seal: i=\(number); d=\(domain); cv=\(number == 1 ? "none" : "pass")
        ARC-Message-Signature: i=\(number); d=\(domain); h=from
        ARC-Authentication-Results: i=\(number); mx.\(domain); \(results)

        """
    }

    private static func voucher(_ header: String, _ forwarders: [String]) throws(ARCRefusal) -> String? {
        try Message(parsing: Array((header + "From: alerts@mail.bank.example\n\nx\n").utf8)).voucher(by: forwarders)?
            .forwarder
    }

    private static let (good, bad) = ("dkim=pass header.d=bank.example", "dmarc=fail header.from=bank.example")

    /// The results of the newest named forwarder that found the sender confirmed.
    @Test(
        arguments: [
            (set(1, "a.example", good), ["a.example"], "a.example"),
            (set(2, "b.example", good) + set(1, "a.example", bad), ["a.example", "b.example"], "b.example"),
            (set(2, "b.example", bad) + set(1, "a.example", good), ["a.example", "b.example"], "a.example"),
            (set(1, "a.example", good) + set(2, "b.example", bad), ["a.example", "b.example"], "a.example"),
            (set(2, "B.Example.", good) + set(1, "a.example", good), ["b.example"], "b.example"),
            (set(1, "a.example", "dmarc=pass header.from=mail.bank.example"), ["a.example"], "a.example"),
            ("", ["a.example"], nil),
        ] as [(String, [String], String?)])
    func voucher(header: String, forwarders: [String], expected: String?) throws {
        #expect(try Self.voucher(header, forwarders) == expected)
    }

    @Test(
        arguments: [
            (set(1, "a.example", good), [], .unnamed), (set(1, "x.a.example", good), ["a.example"], .unnamed),
            (set(2, "b.example", good) + set(1, "a.example", good), ["a.example"], .unnamed),
            // The set of another is between the newest and the one that found the sender confirmed.
            (
                set(3, "c.example", bad) + set(2, "b.example", good) + set(1, "a.example", good),
                ["a.example", "c.example"], .senderUnconfirmed
            ),
            (set(1, "a.example", bad), ["a.example"], .senderUnconfirmed),
            (set(1, "a.example", "dkim=pass header.d=evil.example"), ["a.example"], .senderUnconfirmed),
            (set(1, "a.example", "spf=pass smtp.mailfrom=bank.example"), ["a.example"], .senderUnconfirmed),
            (set(1, "a.example", "x (dkim=pass header.d=bank.example)"), ["a.example"], .senderUnconfirmed),
            (set(1, "a.example", good) + set(1, "a.example", good), ["a.example"], .chain(.incomplete)),
            (set(1, "a.example", good).replacing("cv=none", with: "cv=fail"), ["a.example"], .chain(.broken)),
            (set(1, "a.example", good).replacing("; h=from", with: ";h=From:ARC-Seal"), ["a.example"], .chain(.excess)),
            (
                set(1, "a.example", good).replacing("Signature: i=1; d=a.", with: "Signature: i=1; d=b."),
                ["a.example"],
                .unnamed
            ),
        ] as [(String, [String], ARCRefusal)])
    func refusals(header: String, forwarders: [String], expected: ARCRefusal) {
        #expect(throws: expected) { try Self.voucher(header, forwarders) }
    }

    /// What the provider and the own check found, and the ARC sets, with the verdict. The checks of the sets are only
    /// made where they may count.
    @Test(
        arguments: [
            ("dmarc=pass", nil, nil, .pass(method: .dmarc)),
            ("dmarc=fail", nil, vouched, .vouched(forwarder: "a.example")),
            ("dkim=fail header.d=b.example", nil, vouched, .vouched(forwarder: "a.example")),
            ("dkim=pass header.d=list.example", nil, vouched, .vouched(forwarder: "a.example")),
            ("spf=pass", nil, vouched, .vouched(forwarder: "a.example")),
            ("dmarc=fail", nil, .undecided, .undecided),
            ("dmarc=fail", nil, .refused(.unnamed), .fail(reason: .dmarcFailed)),
            ("dmarc=fail", nil, .unsealed, .fail(reason: .dmarcFailed)),
            ("dmarc=fail", nil, .notChecked, .fail(reason: .dmarcFailed)),
            (nil, .pass, nil, .pass(method: .signature)),
            (nil, .fail(reason: .bodyAltered), vouched, .vouched(forwarder: "a.example")),
            (nil, .fail(reason: .bodyAltered), .refused(.unnamed), .refuted(reason: .bodyAltered)),
            (nil, .unsigned, vouched, .vouched(forwarder: "a.example")),
            (nil, .unverifiable(reason: .keyMissing), vouched, .vouched(forwarder: "a.example")),
            (nil, .unverifiable(reason: .keyMissing), .unsealed, .unconfirmed(reason: .keyMissing)),
            (nil, .undecided, nil, .undecided), (nil, .notChecked, nil, .missing(reason: .notChecked)),
            ("dmarc=fail", .fail(reason: .bodyAltered), vouched, .vouched(forwarder: "a.example")),
            // The provider and the own check disagree, or may turn out to.
            ("dmarc=pass", .fail(reason: .bodyAltered), nil, .disagreement), ("dmarc=fail", .pass, nil, .disagreement),
            ("dkim=pass header.d=b.example", .unsigned, nil, .disagreement),
            ("dmarc=fail", .undecided, vouched, .undecided),
            ("dmarc=fail", .undecided, .refused(.unnamed), .fail(reason: .dmarcFailed)),
            ("dmarc=pass", .unsigned, vouched, .vouched(forwarder: "a.example")),
        ] as [(String?, SignatureFinding?, ARCFinding?, AuthenticationVerdict)])
    func combinations(
        provider: String?, own: SignatureFinding?, sets: ARCFinding?, expected: AuthenticationVerdict
    ) {
        let field = provider.map { "Authentication-Results: mx.example; \($0)\n" } ?? ""
        let message = Message(parsing: Array((field + "From: a@b.example\n\n").utf8))
        func verdict(_ forwarders: [String], _ seals: ([String]) -> ARCFinding) -> AuthenticationVerdict {
            let name = provider == nil ? nil : "mx.example"
            let policy: AuthenticationPolicy =
                own == nil
                ? .pinned(authservID: "mx.example", forwarders: forwarders)
                : .verified(authservID: name, forwarders: forwarders)
            return message.authentication(policy, signatures: { own ?? .notChecked }, seals: seals)
        }
        var asked: [[String]] = []
        let found = verdict(["a.example"]) { forwarders in
            asked.append(forwarders)
            return sets ?? .vouched(forwarder: "never")
        }
        #expect(found == expected && asked == (sets == nil ? [] : [["a.example"]]))
        let without = verdict([]) { _ in
            Issue.record("no forwarder is named")
            return .vouched(forwarder: "a.example")
        }
        if sets != Self.vouched, sets != .undecided { #expect(without == expected) }
        if case .vouched = without { Issue.record("\(without)") }
    }

    private static let vouched = ARCFinding.vouched(forwarder: "a.example")

    @Test func severalSendersAreNeverVouchedFor() {
        let mail = "Authentication-Results: mx.example; dmarc=pass\nFrom: a@b.example, c@d.example\n\n"
        let verdict = Message(parsing: Array(mail.utf8)).authentication(
            .pinned(authservID: "mx.example", forwarders: ["a.example"]),
            seals: { _ in .vouched(forwarder: "a.example") })
        #expect(verdict == .fail(reason: .notOneMailbox))
    }

    @Test func description() {
        let verdict = AuthenticationVerdict.vouched(forwarder: "lists.example")
        #expect(verdict.description == "vouched for by forwarder lists.example (ARC)")
        #expect(verdict.isAccepted && verdict.isProven && verdict.mayBook)
        #expect(AuthenticationVerdict.forwarder(inDescription: verdict.description) == "lists.example")
        for text in ["", "pass: genuine by dmarc", "vouched for by forwarder ", "vouched for by forwarder  (ARC)"] {
            #expect(AuthenticationVerdict.forwarder(inDescription: text) != "lists.example")
        }
        for refusal in ARCChainFault.allCases.map(ARCRefusal.chain) { #expect(!refusal.description.isEmpty) }
    }
}
