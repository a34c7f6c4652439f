import InternetMessage
import Testing

/// A header section as a provider writes it, and the expected verdict.
struct AuthenticationFixture: Sendable, CustomTestStringConvertible {
    let name: String
    var pinned = "mx.google.com"
    let header: String
    var from = "alerts@hdfcbank.bank.in"
    let verdict: AuthenticationVerdict

    var testDescription: String { name }
}

@Suite struct AuthenticationTests {
    /// Unicode folds the Kelvin sign to `k`.
    @Test func lettersOfOtherAlphabetsStay() {
        let address = EmailAddress(localPart: "Alerts\u{212A}", domain: "BAN\u{212A}.Example")
        #expect(address.domain == "ban\u{212A}.example" && address.addrSpec == "alerts\u{212A}@ban\u{212A}.example")
        #expect(!Domain.areAligned("ban\u{212A}.example", "bank.example"))
    }

    /// A server that compares bytes may leave such a field, which another wrote, above or below its own.
    @Test func aBlankBeforeTheColonDoesNotCount() {
        for name in ["Authentication-Results ", "Authentication-Results\t"] {
            let text = "\(name): mx.google.com; dmarc=pass\r\nFrom: a@hdfcbank.com\r\n\r\nx"
            #expect(
                Message(parsing: Array(text.utf8)).authentication(.pinned(authservID: "mx.google.com"))
                    == .missing(reason: .noField))
        }
    }

    @Test(arguments: providers + forgeries + alignments + grammar)
    func verdict(_ fixture: AuthenticationFixture) {
        for lineEnd in ["\n", "\r\n"] {
            let mail = (fixture.header + "\nFrom: \(fixture.from)\n\nbody").split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .joined(separator: lineEnd)
            let message = Message(parsing: Array(mail.utf8))
            #expect(message.authentication(.pinned(authservID: fixture.pinned)) == fixture.verdict)
            #expect(message.authentication(.pinned(authservID: fixture.pinned.uppercased())) == fixture.verdict)
        }
    }

    @Test func otherPolicies() {
        let message = Message(parsing: Array("From: a@b.example\n\n".utf8))
        #expect(message.authentication(.trustDelivery) == .trustedDelivery)
        #expect(message.authentication(.unverified) == .unverified)
        #expect(message.authentication(.pinned(authservID: "x")) == .missing(reason: .noField))
    }

    @Test(arguments: [
        (AuthenticationVerdict.pass(method: .dkim), true, "genuine by dkim"),
        (.trustedDelivery, true, "trusted, as the mailbox is configured"),
        (.unverified, true, "not verified (offline file)"),
        (.fail(reason: .dmarcFailed), false, "forged or altered: the provider found dmarc=fail"),
        (.missing(reason: .noResult), false, "not verified: the provider gave neither a dmarc nor a dkim result"),
    ])
    func description(_ verdict: AuthenticationVerdict, isAccepted: Bool, text: String) {
        #expect(verdict.isAccepted == isAccepted)
        #expect(verdict.description == text)
    }

    /// The provider's result beside the own one. The mail must be authentic by both.
    @Test(
        arguments: [
            (nil, .pass, .pass(method: .signature)), (nil, .fail(reason: .bodyAltered), .refuted(reason: .bodyAltered)),
            (nil, .unsigned, .missing(reason: .unsigned)), (nil, .undecided, .undecided),
            (nil, .unverifiable(reason: .keyMissing), .unconfirmed(reason: .keyMissing)),
            (nil, .notChecked, .missing(reason: .notChecked)),
            ("dmarc=pass", .pass, .pass(method: .signature)),
            ("dkim=pass header.d=b.example", .pass, .pass(method: .signature)),
            ("dmarc=pass", .fail(reason: .bodyAltered), .disagreement), ("dmarc=fail", .pass, .disagreement),
            ("dmarc=pass", .unsigned, .unconfirmed(reason: .unsigned)),
            ("dkim=pass header.d=b.example", .unsigned, .disagreement),
            ("dmarc=pass", .unverifiable(reason: .keyMissing), .unconfirmed(reason: .keyMissing)),
            ("dmarc=pass", .undecided, .undecided), ("dmarc=pass", .notChecked, .missing(reason: .notChecked)),
            ("dmarc=fail", .undecided, .fail(reason: .dmarcFailed)),
            ("dmarc=fail", .fail(reason: .bodyAltered), .fail(reason: .dmarcFailed)),
            ("spf=pass", .pass, .pass(method: .signature)), ("spf=pass", .unsigned, .missing(reason: .unsigned)),
        ] as [(String?, SignatureFinding, AuthenticationVerdict)])
    func ownCheck(provider: String?, finding: SignatureFinding, expected: AuthenticationVerdict) {
        let field = provider.map { "Authentication-Results: mx.example; \($0)\n" } ?? ""
        let message = Message(parsing: Array((field + "From: a@b.example\n\n").utf8))
        let policy = AuthenticationPolicy.verified(authservID: provider == nil ? nil : "mx.example")
        #expect(message.authentication(policy) { finding } == expected)
        #expect(expected.isProven == (expected == .pass(method: .signature)))
    }

    @Test func ownCheckIsMadeOnlyIfAsked() {
        let message = Message(parsing: Array("From: a@b.example\n\n".utf8))
        for policy in [AuthenticationPolicy.trustDelivery, .unverified, .noTrustedServer, .pinned(authservID: "x")] {
            _ = message.authentication(policy) {
                Issue.record("\(policy)")
                return .pass
            }
        }
    }

    // MARK: Headers of providers

    private static let gmailTop = """
        Delivered-To: someone@gmail.com
        Received: by 2002:a05:6022:3e1e:b0:158:a4e:769 with SMTP id b29b6d2f;
                Fri, 20 Nov 2026 12:00:00 +0530
        X-Received: by 2002:a17:90b:1 with SMTP id x; Fri, 20 Nov 2026 12:00:00 +0530
        ARC-Authentication-Results: i=1; mx.google.com;
               dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=hdfcbank.bank.in
        Return-Path: <bounce@hdfcbank.bank.in>
        Received: from mail.hdfcbank.bank.in (mail.hdfcbank.bank.in. [192.0.2.1])
                by mx.google.com with ESMTPS id b29b6d2f for <someone@gmail.com>;
                Fri, 20 Nov 2026 12:00:00 +0530
        """
    private static let gmailPass = """
        Authentication-Results: mx.google.com;
               dkim=pass header.i=@hdfcbank.bank.in header.s=s1 header.b=athDuh8Q;
               spf=pass (google.com: domain of bounce@hdfcbank.bank.in designates 192.0.2.1 as permitted sender) smtp.mailfrom=bounce@hdfcbank.bank.in;
               dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=hdfcbank.bank.in
        """
    private static let gmailFail = """
        Authentication-Results: mx.google.com;
               spf=pass smtp.mailfrom=x@evil.example;
               dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=hdfcbank.bank.in
        """
    private static let fromBank =
        "Received: from app01 (10.1.1.1) by mail.hdfcbank.bank.in with ESMTP; Fri, 20 Nov 2026 11:59:59 +0530"
    private static let ownHop =
        "Received: from mail.bank.example (mail.bank.example [192.0.2.1]) by mx.home.example (Postfix) with ESMTPS id 1"

    static let providers: [AuthenticationFixture] = [
        AuthenticationFixture(
            name: "Gmail", header: "\(gmailTop)\n\(gmailPass)\n\(fromBank)", verdict: .pass(method: .dmarc)),
        AuthenticationFixture(
            name: "Gmail, failed", header: "\(gmailTop)\n\(gmailFail)\n\(fromBank)",
            verdict: .fail(reason: .dmarcFailed)),
        AuthenticationFixture(
            name: "Fastmail", pinned: "*.messagingengine.com",
            header: """
                Return-Path: <bounce@hdfcbank.bank.in>
                Received: from phl-compute-01.internal (phl-compute-01.phl.internal [10.202.2.41]) by sloti2d1t21 (Cyrus 3.9) with LMTPA; Fri, 20 Nov 2026 01:00:00 -0500
                Received: from phl-mx-03 ([10.202.2.202]) by phl-compute-01.internal (LMTPProxy); Fri, 20 Nov 2026 01:00:00 -0500
                Received: from mx3.messagingengine.com (localhost [127.0.0.1]) by mailmx.phl.internal (Postfix) with ESMTP id A
                Received: from mx3.messagingengine.com (localhost [127.0.0.1]) by mx3.messagingengine.com (Authentication Milter) with ESMTP id B
                Authentication-Results: mx3.messagingengine.com;
                    bimi=skipped (DMARC Policy is not at enforcement);
                    arc=none (no signatures found);
                    dkim=pass (2048-bit rsa key sha256) header.d=hdfcbank.bank.in header.i=@hdfcbank.bank.in header.b=abc= header.a=rsa-sha256;
                    dmarc=pass policy.published-domain-policy=reject policy.applied-disposition=none (p=reject,d=none) policy.evaluated-disposition=none header.from=hdfcbank.bank.in;
                    spf=pass smtp.mailfrom=bounce@hdfcbank.bank.in smtp.helo=mail.hdfcbank.bank.in
                Received: from mail.hdfcbank.bank.in (mail.hdfcbank.bank.in [192.0.2.1]) by mx3.messagingengine.com (Postfix) with ESMTPS id C
                """,
            verdict: .pass(method: .dmarc)),
        AuthenticationFixture(
            name: "Outlook", pinned: "outlook.com",
            header: """
                Received: from DB9PR01.eurprd01.prod.exchangelabs.com (2603:10a6:1::1) by AM0PR01.eurprd01.prod.exchangelabs.com with HTTPS; Fri, 20 Nov 2026 06:30:00 +0000
                Received: from DU2PEPF01.eurprd01.prod.outlook.com (2603::2) by DB9PR01.outlook.office365.com (2603::3) with Microsoft SMTP Server id 15.20
                Authentication-Results: spf=pass (sender IP is 192.0.2.1)
                 smtp.mailfrom=hdfcbank.bank.in; dkim=pass (signature was verified)
                 header.d=hdfcbank.bank.in;dmarc=pass action=none
                 header.from=hdfcbank.bank.in;compauth=pass reason=100
                Received-SPF: Pass (protection.outlook.com: domain of hdfcbank.bank.in designates 192.0.2.1 as permitted sender)
                Received: from mail.hdfcbank.bank.in (192.0.2.1) by DU2PEPF01.mail.protection.outlook.com (10.167.242.1) with Microsoft SMTP Server id 15.20
                """,
            verdict: .pass(method: .dmarc)),
        AuthenticationFixture(
            name: "Outlook's form with another authserv-id", pinned: "mx.home.example",
            header: "Authentication-Results: spf=pass smtp.mailfrom=x; dmarc=pass header.from=hdfcbank.bank.in",
            verdict: .missing(reason: .noField)),
        AuthenticationFixture(
            name: "iCloud splits its results", pinned: "*.icloud.com",
            header: """
                Received: from p00-icloudmta-asmtp-us-1.p00-icloudmta.svc.cluster.local by p1-mailgateway.me.com (mailgateway) with SMTP id A
                Authentication-Results: bimi.icloud.com; bimi=none
                X-ARC-Info: none
                Authentication-Results: dmarc.icloud.com; dmarc=pass header.from=hdfcbank.bank.in
                Authentication-Results: dkim-verifier.icloud.com; dkim=pass (2048-bit key) header.d=hdfcbank.bank.in header.i=@hdfcbank.bank.in header.b=abc
                Authentication-Results: spf.icloud.com; spf=pass smtp.mailfrom=bounce@hdfcbank.bank.in
                Received: from mail.hdfcbank.bank.in (mail.hdfcbank.bank.in [192.0.2.1]) by ms1.p00-icloudmta.me.com (Oracle) with ESMTPS id B
                """,
            verdict: .pass(method: .dmarc)),
        AuthenticationFixture(
            name: "own server, results above its Received", pinned: "mx.home.example",
            header: """
                Received: from mx.home.example by mx.home.example with LMTP id 2
                Authentication-Results: mx.home.example; dmarc=pass (p=reject dis=none) header.from=hdfcbank.bank.in
                Authentication-Results: mx.home.example; spf=pass smtp.mailfrom=bounce@hdfcbank.bank.in
                DKIM-Filter: OpenDKIM Filter v2.11.0 mx.home.example 1
                Authentication-Results: mx.home.example;
                	dkim=pass (2048-bit key; unprotected) header.d=hdfcbank.bank.in header.i=@hdfcbank.bank.in header.a=rsa-sha256 header.s=s1 header.b="a;b=";
                	dkim-atps=neutral
                \(ownHop)
                \(fromBank)
                """,
            verdict: .pass(method: .dmarc)),
        AuthenticationFixture(
            name: "own server, rspamd below its Received, behind a content filter", pinned: "mx.home.example",
            header: """
                Received: from localhost (localhost [127.0.0.1]) by store.home.example (Dovecot) with LMTP id 3
                Received: from mx.home.example ([127.0.0.1]) by localhost (mx.home.example [127.0.0.1]) (amavisd-new, port 10024) with ESMTP id 2
                \(ownHop)
                Authentication-Results: mx.home.example; dkim=pass header.d=hdfcbank.bank.in header.s=s1 header.b=abc; spf=pass (mx.home.example: domain of x designates 192.0.2.1 as permitted sender) smtp.mailfrom=x@y.example; dmarc=none
                """,
            verdict: .pass(method: .dkim)),
        AuthenticationFixture(
            name: "own server whose authserv-id is not a domain", pinned: "mx1",
            header: "\(ownHop)\nAuthentication-Results: mx1; dmarc=pass\n\(fromBank)", verdict: .pass(method: .dmarc)),
    ]

    // MARK: Forged headers

    static let forgeries: [AuthenticationFixture] = [
        AuthenticationFixture(
            name: "forged field below the genuine one", header: "\(gmailTop)\n\(gmailFail)\n\(gmailPass)",
            verdict: .fail(reason: .dmarcFailed)),
        AuthenticationFixture(
            name: "forged field right below a genuine one without dmarc",
            header:
                "\(gmailTop)\nAuthentication-Results: mx.google.com; spf=pass smtp.mailfrom=x@evil.example\n\(gmailPass)",
            verdict: .missing(reason: .noResult)),
        AuthenticationFixture(
            name: "forged field below a foreign hop",
            header: "\(gmailTop)\nReceived: from x by relay.evil.example with SMTP\n\(gmailPass)",
            verdict: .missing(reason: .onlyBelowForeignHop)),
        AuthenticationFixture(
            name: "forged hop and field below the genuine one",
            header:
                "\(gmailTop)\nAuthentication-Results: mx.google.com; dkim=none\nReceived: from x by mx.google.com with SMTP\n\(gmailPass)",
            verdict: .missing(reason: .noResult)),
        AuthenticationFixture(
            name: "a hop that resembles the provider's",
            header: "Received: from x by mx.google.com.evil.example\n\(gmailPass)",
            verdict: .missing(reason: .onlyBelowForeignHop)),
        AuthenticationFixture(
            name: "the provider's name in a comment or as from",
            header: "Received: from x by evil.example (by mx.google.com)\n\(gmailPass)",
            verdict: .missing(reason: .onlyBelowForeignHop)),
        AuthenticationFixture(
            name: "a private name is not a hop of Gmail", header: "Received: from evil by mailserver\n\(gmailPass)",
            verdict: .missing(reason: .onlyBelowForeignHop)),
        AuthenticationFixture(
            name: "another server's field does not count",
            header: "\(gmailTop)\nAuthentication-Results: mx.evil.example; dmarc=pass header.from=hdfcbank.bank.in",
            verdict: .missing(reason: .noField)),
        AuthenticationFixture(
            name: "ARC alone does not count", header: gmailTop, verdict: .missing(reason: .noField)),
        AuthenticationFixture(
            name: "an authserv-id that resembles the pinned one",
            header:
                "Authentication-Results: xmx.google.com; dmarc=pass\nAuthentication-Results: mx.google.com.evil.example; dmarc=pass",
            verdict: .missing(reason: .noField)),
        AuthenticationFixture(
            name: "a name with the wildcard's suffix but no dot", pinned: "*.icloud.com",
            header: "Authentication-Results: evilicloud.com; dmarc=pass", verdict: .missing(reason: .noField)),
        AuthenticationFixture(
            name: "dmarc=pass in a comment, a quoted string, a property",
            header:
                "Authentication-Results: mx.google.com; spf=pass (x; dmarc=pass) smtp.mailfrom=\"; dmarc=pass\" reason=\"a; dmarc=pass header.from=b\" x.y=dmarc=pass",
            verdict: .missing(reason: .noResult)),
        AuthenticationFixture(
            name: "dmarc=fail wins at any position", pinned: "mx.home.example",
            header:
                "Authentication-Results: mx.home.example; dmarc=pass\nAuthentication-Results: mx.home.example; dmarc=fail\n\(ownHop)",
            verdict: .fail(reason: .dmarcFailed)),
        AuthenticationFixture(
            name: "dmarc=fail wins over a signature",
            header:
                "\(gmailTop)\nAuthentication-Results: mx.google.com; dkim=pass header.i=@hdfcbank.bank.in; dmarc=fail",
            verdict: .fail(reason: .dmarcFailed)),
        AuthenticationFixture(
            name: "forged field below the hop that wrote the genuine one", pinned: "mx.home.example",
            header: "Authentication-Results: mx.home.example; spf=pass\n\(ownHop)\n"
                + "Authentication-Results: mx.home.example; dmarc=pass",
            verdict: .missing(reason: .noResult)),
        AuthenticationFixture(
            name: "two mailboxes in From", header: "\(gmailTop)\n\(gmailPass)",
            from: "a@hdfcbank.bank.in, b@evil.example",
            verdict: .fail(reason: .notOneMailbox)),
        AuthenticationFixture(
            name: "second From field", header: "\(gmailTop)\n\(gmailPass)\nFrom: b@evil.example",
            verdict: .fail(reason: .notOneMailbox)),
    ]

    // MARK: Alignment of domains

    static let alignments: [AuthenticationFixture] = [
        ("a@hdfcbank.bank.in", "header.d=hdfcbank.bank.in", true),
        ("a@alerts.hdfcbank.bank.in", "header.i=@hdfcbank.bank.in", true),
        ("a@hdfcbank.bank.in", "header.i=x@mail.hdfcbank.bank.in", true),
        ("a@HDFCbank.bank.in", "header.d=hdfcBANK.bank.in.", true),
        ("a@alerts.hdfcbank.bank.in", "header.d=hdfcbank.bank.in header.i=@mail.hdfcbank.bank.in", true),
        ("a@alerts.hdfcbank.bank.in", "header.d=mail.hdfcbank.bank.in", true),
        ("a@one.github.io", "header.d=two.github.io", false),
        ("a@hdfcbank.bank.in", "header.d=evil.bank.in", false),
        ("a@hdfcbank.bank.in", "header.d=bank.in", false),
        ("a@hdfcbank.co.in", "header.d=co.in", false),
        ("a@hdfcbank.com", "header.d=com", false),
        ("a@hdfcbank.com", "header.d=evilhdfcbank.com", false),
        ("a@hdfcbank.com", "header.d=.com", false),
        ("a@hdfcbank.com", "header.i=@evil.example", false),
        ("a@hdfcbank.com", "header.d=evil.example header.i=@hdfcbank.com", false),
        ("a@hdfcbank.com", "header.d=hdfcbank.com header.d=evil.example", false),
        ("a@hdfcbank.com", "header.s=hdfcbank.com", false),
    ].map { from, signer, isAligned in
        AuthenticationFixture(
            name: "\(from) signed by \(signer)", header: "Authentication-Results: mx.google.com; dkim=pass \(signer)",
            from: from,
            verdict: isAligned ? .pass(method: .dkim) : .fail(reason: .dkimOtherDomain))
    }

    // MARK: RFC 8601 section 2.2

    static let grammar: [AuthenticationFixture] = [
        ("mx.google.com; none", .missing(reason: .noResult)),
        ("mx.google.com 1; dmarc=pass", .pass(method: .dmarc)),
        ("mx.google.com (x) 1 ; dmarc / 1 = (y) pass (z) header . from = hdfcbank.bank.in", .pass(method: .dmarc)),
        ("\r\n\tMX.google.com;dmarc=PASS", .pass(method: .dmarc)),
        // Forms that no server writes, in which it may not see its own name.
        ("\"mx.google.com\"; dmarc=pass", .missing(reason: .noField)),
        ("mx.\"google.com\"; dmarc=pass", .missing(reason: .noField)),
        ("(a (b)) mx.google.com;dmarc=pass", .missing(reason: .noField)),
        ("mx.google.com; ; =; x; dmarc; dmarc=pass", .pass(method: .dmarc)),
        ("mx.google.com; dmarc=pass header.from=evil.example", .fail(reason: .dmarcOtherDomain)),
        ("mx.google.com; dmarc=pass header.from=\"hdfcbank.bank.in\"", .pass(method: .dmarc)),
        ("mx.google.com; dmarc=bestguesspass header.from=hdfcbank.bank.in", .missing(reason: .noResult)),
        ("mx.google.com; dmarc=temperror; dkim=pass header.d=hdfcbank.bank.in", .pass(method: .dkim)),
        ("mx.google.com; dkim=fail header.d=hdfcbank.bank.in", .fail(reason: .dkimFailed)),
        (
            "mx.google.com; dkim=fail header.d=x.example; dkim=pass header.d=y.example; dkim=pass header.d=hdfcbank.bank.in",
            .pass(method: .dkim)
        ),
        ("mx.google.com; dkim=pass", .fail(reason: .dkimOtherDomain)),
        (
            "mx.google.com; x-dmarc=pass; dmarcx=pass; dkim-atps=pass header.d=hdfcbank.bank.in",
            .missing(reason: .noResult)
        ),
        ("mx.google.com; spf=pass (unclosed; dmarc=pass", .missing(reason: .noResult)),
        ("mx.google.com", .missing(reason: .noResult)),
        ("", .missing(reason: .noField)),
    ].map { value, verdict in
        AuthenticationFixture(name: value, header: "Authentication-Results: \(value)", verdict: verdict)
    }
}
