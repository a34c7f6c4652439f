import Chronology
import DKIM
import Foundation
import IMAP
import InternetMessage
import Ledger
import Profiles
import Settings
import Store
import Testing

@testable import Ingest

/// A bank's mail that a list changed and sealed (RFC 8617), from the mailbox to the ledger. `list.eml` is
/// described in `DKIMTests/SealTests.swift`; its bank is the one of the samples.
@Suite struct VouchedMailTests {
    struct Keys: KeySource {
        /// `nil` answers nothing in time.
        var records: [String: String]?

        func answers(for names: [KeyName]) -> [KeyAnswer] {
            names.map { name in
                guard let records else { return .unavailable }
                return records[name.selector].map { .record(Array($0.utf8)) } ?? .missing
            }
        }
    }

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "DKIMTests/Fixtures")

    static func mail() throws -> [UInt8] { Array(try Data(contentsOf: fixtures.appending(path: "list.eml"))) }

    static func verifier(late: Bool = false) throws -> SignatureVerifier {
        if late { return SignatureVerifier(keys: Keys()) }
        let lines = try String(contentsOf: fixtures.appending(path: "keys.txt"), encoding: .utf8).split(separator: "\n")
        return SignatureVerifier(
            keys: Keys(
                records: Dictionary(
                    lines.compactMap { line in
                        line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
                    }, uniquingKeysWith: { $1 })))
    }

    static func intake(_ policy: AuthenticationPolicy, late: Bool = false) throws -> Intake {
        var intake = try Sample.intake()
        intake.authentication = policy
        intake.signatures = try verifier(late: late)
        return intake
    }

    private static let (server, list) = ("mx.home.example", ["lists.example"])

    /// The server found dkim=fail and dmarc=fail, and the bank's signature is broken: that is what a list does.
    @Test(
        arguments: [
            (.pinned(authservID: server, forwarders: list), "recorded"),
            (.verified(authservID: nil, forwarders: list), "recorded"),
            (.verified(authservID: server, forwarders: list), "recorded"),
            (.pinned(authservID: server), "quarantined"), (.verified(authservID: nil), "quarantined"),
            (.pinned(authservID: server, forwarders: ["other.example"]), "quarantined"),
            (.verified(authservID: nil, forwarders: ["other.example"]), "quarantined"),
        ] as [(AuthenticationPolicy, String)])
    func outcomes(policy: AuthenticationPolicy, outcome: String) throws {
        let (server, book) = (FakeServer(), try Book())
        server.folders["INBOX"]?.add(try Self.mail())
        try server.pass(book, intake: try Self.intake(policy))
        #expect(try book.outcomes() == ["7:1 \(outcome)"])
    }

    /// White space that neither seal nor signature covers changes nothing.
    @Test(arguments: [
        ("Rs.500.00", "Rs.900.00", "quarantined"), ("spent on card", "spent  on card", "recorded"),
        ("1; lists.example; dkim=pass", "1; lists.example; dkim=pass reason=x", "quarantined"),
        ("1; lists.example; dkim=pass", "1; lists.example;  dkim=pass", "recorded"),
        ("dmarc=pass header.from", "dmarc=passheader.from", "quarantined"),
        (
            "i=1; lists.example; dkim=pass header.d=bank.example;\r\n\t",
            "i=1; lists.example; dkim=pass header.d=bank.example;\r\n  ", "recorded"
        ),
    ])
    func alteredMail(old: String, new: String, outcome: String) throws {
        let (server, book) = (FakeServer(), try Book())
        let mail = String(decoding: try Self.mail(), as: UTF8.self)
        #expect(mail.contains(old))
        server.folders["INBOX"]?.add(Array(mail.replacing(old, with: new).utf8))
        try server.pass(book, intake: try Self.intake(.pinned(authservID: Self.server, forwarders: Self.list)))
        #expect(try book.outcomes() == ["7:1 \(outcome)"])
    }

    /// As with DKIM: the mail is decided again, and never booked before.
    @Test func lateKeyDelaysTheMail() throws {
        let (server, book) = (FakeServer(), try Book())
        server.folders["INBOX"]?.add(try Self.mail())
        let policy = AuthenticationPolicy.pinned(authservID: Self.server, forwarders: Self.list)
        try server.pass(book, intake: try Self.intake(policy, late: true))
        #expect(try book.outcomes() == ["7:1 failed"])
        #expect(try book.store.mailboxes.retryNow(nil) == 1)
        server.reconnect()
        try server.pass(book, intake: try Self.intake(policy))
        #expect(try book.outcomes() == ["7:1 recorded"])
    }

    /// The kept text has no seal, and the key may be gone; but a forwarder that is named no more vouches for nothing.
    @Test func vouchedMailStaysVouched() throws {
        let (server, book) = (FakeServer(), try Book())
        server.folders["INBOX"]?.add(try Self.mail())
        let policy = AuthenticationPolicy.verified(authservID: nil, forwarders: Self.list)
        var intake = try Self.intake(policy)
        intake.decisions.keepsRaw = true
        intake.decisions.keepsSettled = .text
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == ["7:1 recorded"])
        let late = try Self.intake(policy, late: true)
        func redecided(_ policy: AuthenticationPolicy) throws -> [String] {
            let retained = RetainedMails(store: book.store, intake: late, policies: ["personal": policy])
            var found: [String] = []
            _ = try retained.eachEntry([.recorded], of: .init(), isStopped: { false }) { entries in
                found += entries.map { "\($0.entry.decision.outcome.rawValue) \($0.entry.decision.authentication)" }
            }
            return found
        }
        #expect(try redecided(policy) == ["recorded vouched for by forwarder lists.example (ARC)"])
        #expect(try redecided(.verified(authservID: nil)).first?.hasPrefix("quarantined missing:") == true)
    }

    @Test(arguments: [
        AuthenticationPolicy.pinned(authservID: "mx.example", forwarders: ["a.example", "b.example"]),
        .pinned(authservID: "odd, authserv_id: x", forwarders: []),
        .verified(authservID: nil, forwarders: ["a.example"]),
        .verified(authservID: "mx.example", forwarders: ["a.example"]), .verified(authservID: "mx.example"),
        .verified(authservID: nil), .pinned(authservID: "mx.example"), .trustDelivery,
    ]) func policyOfAnArchiveIsRecorded(policy: AuthenticationPolicy) {
        #expect(AuthenticationPolicy(recorded: policy.recorded) == policy)
    }
}
