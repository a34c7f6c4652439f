import ArgumentParser
import Foundation
import Testing

@testable import ParserControl

/// `parserctl test` as a whole: its output and its exit status.
@Suite struct TestCommandTests {
    static let bank = "name: Test Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\n"
    static let spend = #"""
        # A spend.
        template: bank/spend
        kind: transaction
        extract:
          body_pattern: 'Rs\.(?<amount>[\d.]+) \s spent \s at \s (?<merchant>.{1,60}?) \s on \s (?<date>\d\d-\d\d-\d\d)'
          type: expense
          channel: card
        samples:

        """#
    static let sample = "  - name: coffee\n    text: Rs.71.50 spent at HILL COFFEE on 05-01-26\n"

    /// A profile folder with one template.
    struct Folder: ~Copyable {
        let path = NSTemporaryDirectory() + "parserctl-" + UUID().uuidString
        var spend: String { path + "/bank/spend.yaml" }

        init(_ samples: String) throws {
            try FileManager.default.createDirectory(atPath: path + "/bank", withIntermediateDirectories: true)
            try Data(TestCommandTests.bank.utf8).write(to: URL(filePath: path + "/bank/_bank.yaml"))
            try Data((TestCommandTests.spend + samples).utf8).write(to: URL(filePath: spend))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// - Returns: the exit status.
        func run(_ arguments: [String]) async throws -> Int32 {
            let command = try TestCommand.parse(arguments + ["--parsers", path])
            do { try await command.run() } catch let code as ExitCode { return code.rawValue }
            return 0
        }

        func text() throws -> String { try String(contentsOfFile: spend, encoding: .utf8) }
    }

    @Test(arguments: [[], ["--json"]]) func acceptWritesMissingExpectations(
        options: [String]
    ) async throws {
        let folder = try Folder(Self.sample)
        #expect(try await folder.run(options) == 2)
        #expect(try folder.text() == Self.spend + Self.sample)
        #expect(try await folder.run(["--accept"] + options) == 0)
        #expect(
            try folder.text() == Self.spend + Self.sample
                + "    expect: { amount: '71.50', merchant: 'HILL COFFEE', date: 2026-01-05 }\n")
        #expect(try await folder.run(options) == 0)
    }

    @Test func writesTwoSamplesOfOneFile() async throws {
        let folder = try Folder(Self.sample + "\n" + Self.sample.replacing("coffee", with: "tea") + "# end\n")
        #expect(try await folder.run(["--accept"]) == 0)
        let line = "    expect: { amount: '71.50', merchant: 'HILL COFFEE', date: 2026-01-05 }\n"
        #expect(
            try folder.text() == Self.spend + Self.sample + line + "\n" + Self.sample.replacing("coffee", with: "tea")
                + line + "# end\n")
    }

    @Test func overwritesDifferentValuesOnlyWithForce() async throws {
        let folder = try Folder(
            Self.sample + "    expect: { amount: '1', merchant: HILL COFFEE, date: 2026-01-05 }  # typed\n")
        let before = try folder.text()
        #expect(try await folder.run(["--accept"]) == 2)
        #expect(try folder.text() == before)
        #expect(try await folder.run(["--accept", "--force"]) == 0)
        #expect(
            try folder.text() == Self.spend + Self.sample
                + "    expect: { amount: '71.50', merchant: 'HILL COFFEE', date: 2026-01-05 }  # typed\n")
    }

    @Test func neverChangesWhetherATemplateClaims() async throws {
        let folder = try Folder(Self.sample + "    expect: none\n")
        let before = try folder.text()
        #expect(try await folder.run(["--accept", "--force"]) == 2)
        #expect(try folder.text() == before)
    }

    @Test func writesJUnitWithAndWithoutFailures() async throws {
        let folder = try Folder(Self.sample + "    expect: { amount: '1', merchant: HILL COFFEE, date: 2026-01-05 }\n")
        let file = folder.path + "/report.xml"
        #expect(try await folder.run(["--junit", file]) == 2)
        let elements = try JUnitTests.parse(try String(contentsOfFile: file, encoding: .utf8))
        #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase", "failure"])
        #expect(elements.last?.attributes["message"] == "amount: expected 1, got 71.50")
        #expect(
            elements.last?.text.contains("spend.yaml:9: bank/spend, sample 'coffee'\n- amount: 1\n+ amount: 71.50")
                == true)
    }

    @Test(arguments: [
        (["--accept", "mail.eml"], "--accept and --junit are for the samples"),
        (["--junit", "x", "mail.eml"], "--accept and --junit are for the samples"),
        (["--force"], "--force needs --accept"), (["--times"], "--times needs mails"),
        (["--junit", "-", "--json"], "--junit - uses standard output"),
    ]) func refusesContradictoryOptions(arguments: [String], says: String) throws {
        let error = #expect(throws: (any Error).self) { _ = try TestCommand.parse(arguments) }
        #expect(error.map { TestCommand.message(for: $0).contains(says) } == true)
    }
}
