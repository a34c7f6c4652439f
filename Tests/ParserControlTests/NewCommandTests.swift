import ArgumentParser
import Foundation
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Testing

@testable import ParserControl

/// A folder for one test.
final class Folder {
    let path = NSTemporaryDirectory() + "parserctl-" + UUID().uuidString

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, name) }
    }

    @discardableResult
    func write(_ text: String, _ name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: path).appending(path: name), encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static let parsers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "parsers").path
}

fileprivate func alert(
    _ body: String, from: String = "\"Meghna Bank\" <alerts@meghna.example>", subject: String = "Alert"
) -> String {
    "From: \(from)\r\nTo: asha.verma@mail.example\r\nSubject: \(subject)\r\nDate: Tue, 06 Jan 2026 19:42:10 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(body)\r\n"
}

@Suite struct DerivationTests {
    static let spend =
        "Dear Asha Verma,\r\nRs. 1,250.50 has been spent on your Meghna Bank card XX4471 at BLUE LOTUS CAFE on 06-Jan-2026 at 19:41:33. Ref MB99887766."
    static let other =
        "Dear Asha Verma,\r\nRs. 89 has been spent on your Meghna Bank card XX4471 at City Metro on 05-Jan-2026 at 09:01:02. Ref MB99887901."
    static let values: [Field: String] = [
        .amount: "1250.5", .account: "4471", .merchant: "Blue Lotus Cafe", .date: "2026-01-06", .time: "19:41",
        .reference: "mb99887766",
    ]

    static func derive(
        _ mails: [(text: String, values: [Field: String])], folders: ProfileFolders = [Folder.parsers],
        bank: String = "meghna", name: String = "card-spend", options: DraftOptions = .init(),
        archive: [String] = [], keepValues: Bool = false, replaces: Bool = false
    ) throws -> Derivation.Result {
        var derivation = try Derivation(
            folders: folders, target: Derivation.Target(bank: bank, name: name, replaces: replaces),
            mails: mails.enumerated().map {
                .init(name: "mail \($0 + 1)", bytes: Array($1.text.utf8), values: $1.values)
            }, options: options)
        return try derivation.run(archive: archive, keepValues: keepValues)
    }

    @Test func templateOfANewBankReadsItsOtherMails() throws {
        let result = try Self.derive([(alert(Self.spend), Self.values)])
        let own = try Folder(["meghna/card-spend.yaml": result.yaml, "meghna/_bank.yaml": #require(result.bankYAML)])
        let set = try ProfileSet(directories: [Folder.parsers, own.path])
        #expect(set.checkSamples().filter { $0.template == "meghna/card-spend" }.allSatisfy { $0.holds })
        #expect(set.lint(["meghna"]).isEmpty)
        let decision = set.claim(Message(parsing: Array(alert(Self.other).utf8))).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(
            decision.outcome == .recorded && decision.draft?.merchant == "City Metro"
                && decision.draft?.amount.decimal == "89.00" && decision.draft?.reference == "MB99887901")
    }

    @Test func samplesHaveNoPersonalData() throws {
        let result = try Self.derive([
            (alert(Self.spend), Self.values),
            (
                alert(Self.other),
                [
                    .amount: "89", .account: "4471", .merchant: "City Metro", .date: "2026-01-05", .time: "09:01:02",
                    .reference: "MB99887901",
                ]
            ),
        ])
        for secret in ["Asha", "Verma", "4471", "BLUE", "LOTUS", "City", "1,250", "99887766"] {
            #expect(!result.yaml.contains(secret), "\(secret)")
        }
        let kept = try Self.derive([(alert(Self.spend), Self.values)], keepValues: true)
        #expect(kept.yaml.contains("BLUE LOTUS CAFE") && kept.yaml.contains("'1250.50'"))
    }

    @Test(
        arguments: [
            ("a value that is not there", alert(spend), [Field.amount: "1250.5", .account: "4472"], "meghna", "4471"),
            ("another bank's domain", alert(spend, from: "alerts@hdfcbank.net"), values, "meghna", "--bank hdfc"),
            ("a strange domain", alert(spend), values, "hdfc", "_bank.yaml"),
            ("a forwarded mail", alert(spend, from: "asha.verma77@gmail.com"), values, "meghna", "forwarded"),
            ("two senders", alert(spend, from: "alerts@meghna.example, x@meghna.example"), values, "meghna", "senders"),
            ("no text", alert(""), values, "meghna", "no text"),
            ("no words", alert("Rs.5"), [.amount: "5"], "meghna", "words"),
        ] as [(String, String, [Field: String], String, String)]) func reportsWhyNoTemplateIsDerived(
            name: String, mail: String, values: [Field: String], bank: String, told: String
        ) throws
    {
        let error = #expect(throws: DerivationError.self) { try Self.derive([(mail, values)], bank: bank) }
        #expect(error?.description.contains(told) ?? false, "\(error?.description ?? "")")
    }

    @Test func reportsATemplateThatAlreadyReadsTheMail() throws {
        let first = try Self.derive([(alert(Self.spend), Self.values)])
        let own = try Folder(["meghna/card-spend.yaml": first.yaml, "meghna/_bank.yaml": #require(first.bankYAML)])
        let error = #expect(throws: DerivationError.self) {
            try Self.derive([(alert(Self.other), [.amount: "89"])], folders: [Folder.parsers, own.path], name: "again")
        }
        #expect(error?.message.contains("meghna/card-spend already") ?? false)
        let same = #expect(throws: DerivationError.self) {
            try Self.derive([(alert(Self.other), [.amount: "89"])], folders: [Folder.parsers, own.path])
        }
        #expect(same?.message.contains("there is a template") ?? false)
        #expect(throws: Never.self) {
            try Self.derive([(alert(Self.spend), Self.values)], folders: [Folder.parsers, own.path], replaces: true)
        }
    }

    @Test func namesAContestedSample() throws {
        // The other template reads the same form with an optional word more; it must still be the only one to claim its
        // sample.
        let rival = """
            template: meghna/rival
            kind: transaction
            extract:
              body_pattern: '(?&rupees) (?<amount>(?&number)) \\s has \\s been \\s spent \\s on \\s your \\s Meghna \\s Bank \\s card (?&no) (?<account>(?&digits)) \\s at \\s (?<merchant>SHOP \\s ONE) \\s on'
              type: expense
              channel: card
            samples:
              - name: one shop
                subject: Alert
                text: |-
                  Dear Customer,
                  Rs. 5 has been spent on your Meghna Bank card XX4471 at SHOP ONE on 05-Jan-2026 at 09:01:02. Ref MB99887901.
                expect: { amount: '5.00', account: '4471', merchant: SHOP ONE }
            """
        let own = try Folder([
            "meghna/rival.yaml": rival, "meghna/_bank.yaml": "name: Meghna\ndomains: [meghna.example]\n",
        ])
        let error = #expect(throws: DerivationError.self) {
            try Self.derive([(alert(Self.spend), Self.values)], folders: [Folder.parsers, own.path])
        }
        #expect(error?.message.contains("meghna/rival") ?? false, "\(error?.description ?? "")")
    }

    @Test func reportsHowManyMailsOfAnArchiveAreRead() throws {
        let mbox = "From a\n\(alert(Self.spend))\n\nFrom b\n\(alert(Self.other))\n\nFrom c\n\(alert("Hello"))\n"
            .replacingOccurrences(of: "\r\n", with: "\n")
        let folder = try Folder()
        let path = try folder.write(mbox, "all.mbox")
        let result = try Self.derive([(alert(Self.spend), Self.values)], archive: [path])
        #expect(result.notes.contains { $0.contains("3 mails") }, "\(result.notes)")
    }

    @Test func provesIgnoreTemplates() throws {
        let mails = [
            "Dear Asha,\r\n482913 is the OTP for your payment of Rs.500.00 at SHOP.",
            "Dear Asha,\r\n112233 is the OTP for your payment of Rs.7.00 at Tea Stall.",
        ]
        let result = try Self.derive(mails.map { (alert($0), [:]) }, name: "otp", options: .init(ignore: .otp))
        let own = try Folder(["meghna/otp.yaml": result.yaml, "meghna/_bank.yaml": #require(result.bankYAML)])
        let set = try ProfileSet(directories: [Folder.parsers, own.path])
        #expect(
            set.claim(Message(parsing: Array(alert(mails[0]).utf8))).decide(trusting: .unverified, receivedAt: nil)
                .outcome == .ignored)
        #expect(
            set.claim(Message(parsing: Array(alert(Self.spend).utf8))).decide(trusting: .unverified, receivedAt: nil)
                .outcome != .ignored)
    }
}

@Suite struct NewCommandTests {
    @Test(
        arguments: [
            (["--bank", "Bad Bank", "--name", "x", "--amount", "5", "m.eml"], false),
            (["--bank", "ok", "--name", "../x", "--amount", "5", "m.eml"], false),
            (["--bank", "ok", "--name", "x", "m.eml"], false),
            (["--bank", "ok", "--name", "x", "--ignore", "otp", "m.eml"], true),
            (["--bank", "ok-1", "--name", "card-spend", "--amount", "5", "m.eml"], true),
            (["--bank", "ok", "--name", "_bank", "--amount", "5", "m.eml"], false),
        ] as [([String], Bool)]) func checksArguments(arguments: [String], isRight: Bool)
    {
        let command = try? New.parse(arguments)
        #expect((command != nil) == isRight)
    }

    @Test(
        arguments: [
            (["5"], 1, [["5"]]), (["5"], 2, [["5"], ["5"]]), (["5", "6"], 2, [["5"], ["6"]]),
            (["-", "6"], 2, [[], ["6"]]),
        ] as [([String], Int, [[String]])])
    func assignsValuesToMails(given: [String], mails: Int, expected: [[String]]) throws {
        let values = try Values.parse(given.flatMap { ["--merchant=\($0)"] })
        #expect(
            try values.byMail([String](repeating: "m", count: mails)).map { $0[.merchant].map { [$0] } ?? [] }
                == expected)
    }

    @Test func requiresAsManyValuesAsMails() throws {
        let values = try Values.parse(["--amount", "5", "--amount", "6"])
        #expect(throws: (any Error).self) { try values.byMail(["a", "b", "c"]) }
    }

    @Test func replacesAFileWithForceOnly() throws {
        let folder = try Folder(["a.yaml": "mine"])
        #expect(throws: (any Error).self) {
            try NewFile.write(Array("other".utf8), to: folder.path + "/a.yaml", replacing: false)
        }
        #expect(try folder.read("a.yaml") == "mine")
        try NewFile.write(Array("other".utf8), to: folder.path + "/a.yaml", replacing: true)
        #expect(
            try folder.read("a.yaml") == "other"
                && FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.yaml"])
    }

    @Test func writesATemplateThatLoads() async throws {
        let folder = try Folder()
        // In words that no shared template reads.
        let words = DerivationTests.spend.replacing("spent on", with: "consumed with")
        let mail = try folder.write(alert(words), "a.eml")
        let command = try New.parse([
            "--bank", "meghna", "--name", "card-spend", "--amount", "1250.50", "--merchant", "blue lotus cafe",
            "--account", "4471", "--parsers", Folder.parsers, "--write", "--into", folder.path, mail,
        ])
        try await command.run()
        #expect(
            try ProfileSet(directories: [Folder.parsers, folder.path]).banks.contains {
                $0.key == "meghna" && $0.templates.count == 1
            })
        await #expect(throws: (any Error).self) { try await command.run() }
    }

    @Test func usesTheSharedTemplatesOfTheCountryIfTheyReadTheMails() async throws {
        let folder = try Folder()
        let mail = try folder.write(alert(DerivationTests.spend), "a.eml")
        let command = try New.parse([
            "--bank", "meghna", "--name", "card-spend", "--amount", "1250.50", "--merchant", "blue lotus cafe",
            "--account", "4471", "--parsers", Folder.parsers, "--write", "--into", folder.path, mail,
        ])
        try await command.run()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/meghna")
        #expect(files == ["_bank.yaml"])
        let bank = try ProfileSet(directories: [Folder.parsers, folder.path]).banks.first { $0.key == "meghna" }
        #expect(try #require(bank).templates.isEmpty)
        #expect(try #require(bank).allTemplates.count > 1, "the templates of its country")
        await #expect(throws: (any Error).self) { try await command.run() }
    }
}
