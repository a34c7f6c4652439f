import Chronology
import ChronologyFixture
import Foundation
import ProfileFixture
import Testing
import YAMLSource

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct AcceptanceTests {
    struct Layout: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `samples:` before, and as it must be afterwards.
        var before: String
        var after: String
    }

    static let text = "Rs.1,234.50 spent at O'HARA & SONS on 05-01-26 at 17:58:01 card 4321"
    static let written =
        "{ amount: '1234.50', account: '4321', merchant: 'O''HARA & SONS', date: 2026-01-05, time: '17:58:01' }"

    static let layouts = [
        Layout(
            testDescription: "block style, comments around it",
            before:
                "samples:   # proof\n  # the first\n  - name: new   # of June\n    subject: 'x'\n\n    text: |-\n      \(text)\n\n  # the next one\n  - name: otp\n    text: 482910 is your OTP\n    expect: none\n",
            after:
                "samples:   # proof\n  # the first\n  - name: new   # of June\n    subject: 'x'\n\n    text: |-\n      \(text)\n    expect: \(written)\n\n  # the next one\n  - name: otp\n    text: 482910 is your OTP\n    expect: none\n"
        ),
        Layout(
            testDescription: "flow style",
            before: "samples: [{ name: new, text: '\(text.replacing("'", with: "''"))' }]  # all\n",
            after: "samples: [{ name: new, text: '\(text.replacing("'", with: "''"))', expect: \(written) }]  # all\n"),
        Layout(
            testDescription: "flow style over lines, with a comma and a comment at its end",
            before:
                "samples:\n- { name: new,\n    text: \"\(text)\",  # it's { one }\n  }\n- name: otp\n  text: is your OTP\n  expect: none\n",
            after:
                "samples:\n- { name: new,\n    text: \"\(text)\", expect: \(written)  # it's { one }\n  }\n- name: otp\n  text: is your OTP\n  expect: none\n"
        ),
        Layout(
            testDescription: "at the end of a file without a line end",
            before: "samples:\n  - name: new\n    text: \(text)",
            after: "samples:\n  - name: new\n    text: \(text)\n    expect: \(written)"),
        Layout(
            testDescription: "block text at the end of a file without a line end",
            before: "samples:\n  - name: new\n    text: |\n      \(text)",
            after: "samples:\n  - name: new\n    expect: \(written)\n    text: |\n      \(text)"),
        Layout(
            testDescription: "a block text that keeps its empty lines",
            before:
                "samples:\n  - name: new\n    text: |+\n      \(text)\n\n\n  - name: otp\n    text: x\n    expect: none\n",
            after:
                "samples:\n  - name: new\n    text: |+\n      \(text)\n\n\n    expect: \(written)\n  - name: otp\n    text: x\n    expect: none\n"
        ),
        Layout(
            testDescription: "an empty value",
            before: "samples:\n  - name: new\n    expect:   # later\n    text: \(text)\n",
            after: "samples:\n  - name: new\n    expect: \(written)   # later\n    text: \(text)\n"),
        Layout(
            testDescription: "text that holds a number sign, behind it a comment at the margin",
            before: "samples:\n  - name: new\n    text: |-\n      \(text)\n      # 5 of 6\n# end\n",
            after:
                "samples:\n  - name: new\n    text: |-\n      \(text)\n      # 5 of 6\n    expect: \(written)\n# end\n"),
        Layout(
            testDescription: "a folded text in quotes",
            before:
                "samples:\n  - name: 'new'\n    text: 'Rs.1,234.50 spent at O''HARA & SONS\n\n      on 05-01-26 at 17:58:01 card 4321'\nsummary: x\n",
            after:
                "samples:\n  - name: 'new'\n    text: 'Rs.1,234.50 spent at O''HARA & SONS\n\n      on 05-01-26 at 17:58:01 card 4321'\n    expect: \(written)\nsummary: x\n"
        ),
        Layout(
            testDescription: "letters outside ASCII before it",
            before: "samples: # ₹ é\n  - {name: 'né₹w', text: '\(text.replacing("'", with: "''"))'}\n",
            after:
                "samples: # ₹ é\n  - {name: 'né₹w', text: '\(text.replacing("'", with: "''"))', expect: \(written)}\n"),
    ]

    @Test(arguments: layouts, ["\n", "\r\n"]) func aNewSampleIsWrittenInPlace(layout: Layout, lineEnd: String) throws {
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": Self.file(layout.before, lineEnd),
        ])
        let results = try folder.load().checkSamples()
        let result = try #require(results.first { $0.isUnwritten })
        guard case .write(let value) = Acceptance.answer(to: result, force: false) else {
            return #expect(Bool(false), "\(Acceptance.answer(to: result, force: false))")
        }
        try Acceptance.write(value, for: result)
        #expect(try folder.text("bank/spend.yaml") == Self.file(layout.after, lineEnd))
        for result in try folder.load().checkSamples() { #expect(result.holds, "\(result)") }
    }

    static func file(_ samples: String, _ lineEnd: String) -> String {
        (ProfileFolder.spend + "\n" + samples).replacing("\n", with: lineEnd)
    }

    @Test(arguments: [
        ("flow", "expect: { amount: '1', account: '4321' }  # old", "expect: \(written)  # old"),
        (
            "block", "expect:\n      amount: '1'\n      merchant: X   # old\n    # a remark",
            "expect:\n      amount: '1234.50'\n      account: '4321'\n      merchant: 'O''HARA & SONS'\n      date: 2026-01-05\n      time: '17:58:01'\n    # a remark"
        ),
        (
            "spelling that holds is kept",
            "expect: { time: '17:58:01', date: 2026-01-05, amount: '1,234.5', account: '4322', merchant: O'HARA & SONS }",
            "expect: { amount: '1,234.5', account: '4321', merchant: 'O''HARA & SONS', date: 2026-01-05, time: '17:58:01' }"
        ),
        (
            "type is compared where it stands", "expect: { amount: '1', type: income }",
            "expect: { amount: '1234.50', account: '4321', merchant: 'O''HARA & SONS', date: 2026-01-05, time: '17:58:01', type: expense }"
        ),
    ]) func aDifferingExpectationIsOverwrittenOnlyByForce(name: String, before: String, after: String) throws {
        func samples(_ expect: String) -> String {
            "samples:\n  - name: old\n    date: Mon, 05 Jan 2026 20:00:00 +0530\n    \(expect)\n    text: \(Self.text)\n"
        }
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": Self.file(samples(before), "\n"),
        ])
        let result = try #require(try folder.load().checkSamples().first)
        guard case .refuse(.differs) = Acceptance.answer(to: result, force: false),
            case .write(let value) = Acceptance.answer(to: result, force: true)
        else {
            return #expect(Bool(false), "\(result)")
        }
        try Acceptance.write(value, for: result)
        #expect(try folder.text("bank/spend.yaml") == Self.file(samples(after), "\n"))
        #expect(try folder.load().checkSamples().allSatisfy(\.holds))
    }

    @Test(arguments: [
        ("must match and does not", "Rs.5 refunded", "{ amount: '5' }", Acceptance.Refusal.contradicts),
        ("must not match and does", text, "none", .contradicts),
        ("is no ignored mail", text, "ignored", .contradicts),
    ]) func whetherATemplateClaimsIsNeverOverwritten(
        name: String, text: String, expect: String, refusal: Acceptance.Refusal
    ) throws {
        let samples = "samples:\n  - name: x\n    text: \(text)\n    expect: \(expect)\n"
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": Self.file(samples, "\n"),
        ])
        let result = try #require(try folder.load().checkSamples().first)
        guard case .refuse(refusal) = Acceptance.answer(to: result, force: true) else {
            return #expect(Bool(false), "\(result)")
        }
    }

    @Test(arguments: [
        ("482910 is your OTP", "bank/otp", "ignored"), ("Hello", "bank/otp", "none"), ("Hello", "bank/spend", "none"),
    ])
    func ignoreReasonIsOneWord(text: String, template: String, word: String) throws {
        var files = ["bank/spend": ProfileFolder.spend, "bank/otp": ProfileFolder.otp]
        files[template, default: ""] += "\nsamples:\n  - name: x\n    text: \(text)\n"
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": files["bank/spend"] ?? "",
            "bank/otp.yaml": files["bank/otp"] ?? "",
        ])
        let result = try #require(try folder.load().checkSamples().first)
        guard case .write(let value) = Acceptance.answer(to: result, force: false) else {
            return #expect(Bool(false), "\(result)")
        }
        try Acceptance.write(value, for: result)
        #expect(try folder.text(template + ".yaml").hasSuffix("    text: \(text)\n    expect: \(word)\n"))
        #expect(try folder.load().checkSamples().allSatisfy(\.holds))
    }

    @Test func sampleWithAClaimConflictIsNotWritten() throws {
        let rival = ProfileFolder.spend.replacing("bank/spend", with: "bank/rival")
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/rival.yaml": rival,
            "bank/spend.yaml": Self.file("samples:\n  - name: x\n    text: \(Self.text)\n", "\n"),
        ])
        let result = try #require(try folder.load().checkSamples().first)
        guard case .refuse(.unreadable) = Acceptance.answer(to: result, force: true) else {
            return #expect(Bool(false), "\(result)")
        }
    }

    @Test func changedFileAndSharedSampleAreNotWritten() throws {
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank,
            "bank/spend.yaml": Self.file("samples:\n  - name: x\n    text: \(Self.text)\n", "\n"),
        ])
        let result = try #require(try folder.load().checkSamples().first)
        try Data(Self.file("samples:\n  - name: y\n    text: \(Self.text)\n", "\n").utf8).write(
            to: URL(filePath: folder.path + "/bank/spend.yaml"))
        let changed = #expect(throws: SourceError.self) { try Acceptance.write(.text("none"), for: result) }
        #expect(changed?.message == "the sample 'x' is not where it was")

        // An alias: what is written for one would be written for both.
        let shared = YAMLFile(
            path: "shared.yaml", bytes: Array("samples:\n  - &one\n    name: x\n    text: t\n  - *one\n".utf8))
        let error = #expect(throws: SourceError.self) {
            _ = try shared.setting("expect", of: [.key("samples"), .item(1)], to: .text("none"))
        }
        #expect(
            error?.message == "'expect' cannot be written here without changing something else"
                && error?.remedy == "Write it by hand: expect: none")
    }

    @Test func permissionsAndLinksStay() throws {
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank,
            "real/spend.txt": Self.file("samples:\n  - name: x\n    text: \(Self.text)\n", "\n"),
        ])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/real/spend.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/bank/spend.yaml", withDestinationPath: "../real/spend.txt")
        let file = try YAMLFile(path: folder.path + "/bank/spend.yaml")
        try file.setting("expect", of: [.key("samples"), .item(0)], to: .text("none")).replace(file)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/real/spend.txt")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/bank/spend.yaml")
                == "../real/spend.txt")
        #expect(try folder.text("real/spend.txt").hasSuffix("    expect: none\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/real") == ["spend.txt"])
    }
}

@Suite struct YAMLValueTests {
    @Test(arguments: [
        "", "none", "yes", "null", "2026-01-05", "20260105", "O'HARA", "a: b # c", " blank ", "{x", "- x", "tab\there",
        "line\nbreak", "back\\slash\u{1}", "\u{85}\u{2028}\u{FEFF}", "₹ é 😀", "~", "\u{FFFF}",
    ])
    func everyTextComesBackAsItWas(text: String) throws {
        let value = YAMLValue.fields([.init("key", .text(text)), .init("list", .list([.text(text), .fields([])]))])
        #expect(try YAMLFile(path: "x", bytes: Array(value.flow.utf8)).root().value() == value)
    }
}
