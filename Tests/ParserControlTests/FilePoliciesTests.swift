import Foundation
import InternetMessage
import Settings
import Store
import Testing

@testable import ParserControl

/// The policies for mails in files.
@Suite struct FilePoliciesTests {
    static func mail(_ result: String?) -> [UInt8] {
        Array(((result.map { "Authentication-Results: \($0); dmarc=pass\n" } ?? "") + "From: a@b.example\n\nx\n").utf8)
    }

    @Test(
        arguments: [
            ([], nil, nil), ([], "mx.one.example", nil), (["mx.one.example"], nil, "mx.one.example"),
            (["mx.one.example"], "mx.two.example", "mx.one.example"),
            (["mx.one.example", "MX.Two.example"], "mx.two.example", "MX.Two.example"),
            (["mx.one.example", "mx.two.example"], "mx.evil.example", "mx.one.example"),
            (["mx.one.example", "mx.two.example"], nil, "mx.one.example"),
        ] as [([String], String?, String?)])
    func chosenPolicy(names: [String], result: String?, expected: String?) {
        let policies = FilePolicies(authservIDs: names, otherwise: .unverified)
        switch (policies.policy(for: Self.mail(result)), expected) {
        case (.pinned(let name, _), let expected?): #expect(name == expected)
        case (.unverified, nil): break
        case (let policy, _): Issue.record("\(policy)")
        }
    }

    @Test func forwardersAreThoseOfTheName() {
        let policies = FilePolicies(
            authservIDs: ["MX.one.example", "mx.two.example"], forwarders: ["mx.one.example": ["lists.example"]],
            otherwise: .unverified)
        #expect(policies.policy(for: Self.mail(nil)).forwarders == ["lists.example"])
        #expect(policies.policy(for: Self.mail("mx.two.example")).forwarders.isEmpty)
    }

    @Test func withoutConfigurationMailIsUnverified() {
        let policies = FilePolicies(nil)
        #expect(policies.authservIDs.isEmpty)
        guard case .unverified = policies.otherwise else {
            Issue.record("\(policies.otherwise)")
            return
        }
    }
}

@Suite struct MailNameTests {
    @Test(
        arguments: [
            ("17", .item(.transaction(17))),
            ("01A20564-af48-7af2-ab2d-3a91a599221a", .item(.mail("01a20564-af48-7af2-ab2d-3a91a599221a"))),
            ("<a.b@bank.example>", .messageID("<a.b@bank.example>")),
            ("a.b@bank.example", .messageID("a.b@bank.example")),
            ("<a/b@bank.example>", .messageID("<a/b@bank.example>")), ("-", nil), ("mail.eml", nil), ("a@b/c.eml", nil),
            ("", nil), ("/", nil),
        ] as [(String, MailName?)])
    func namesOfMails(text: String, expected: MailName?) { #expect(MailName(text) == expected) }

    /// A file is read whatever its name looks like.
    @Test func filesComeFirst() throws {
        let folder = NSTemporaryDirectory() + "names-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a@b.example"
        try Data().write(to: URL(filePath: path))
        #expect(MailName(path) == nil)
    }
}

@Suite struct RowLimitTests {
    @Test(
        arguments: [
            ("50", .rows(50)), ("0", .rows(0)), ("all", .all), ("-1", nil), ("many", nil), ("", nil),
        ] as [(String, RowLimit?)])
    func values(text: String, expected: RowLimit?) { #expect(RowLimit(argument: text) == expected) }
}
