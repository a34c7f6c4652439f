import Chronology
import ChronologyFixture
import ProfileFixture
import Testing
import YAMLSource

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct LintTests {
    /// A bank with one template, and the finding that it must give.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        /// Text after `extract:` before type and channel.
        var extract: String
        var says: String
        var testDescription: String { name }
    }

    static let samples = #"""

          type: expense
          channel: card
        samples:
          - name: a coffee
            text: Rs.5 spent at HILL COFFEE on 05-01-26
            expect: { amount: '5', merchant: HILL COFFEE, date: 2026-01-05 }
          - name: a refund
            text: Rs.5 refunded by HILL COFFEE on 05-01-26
            expect: none

        """#

    static func template(_ extract: String) -> String {
        "template: bank/spend\nkind: transaction\nextract:\n" + extract + samples
    }

    static func findings(_ files: [String: String], attacks: Bool = false) throws -> [LintFinding] {
        try ProfileFolder(["bank/_bank.yaml": ProfileFolder.bank].merging(files, uniquingKeysWith: { $1 })).load().lint(
            attacks: attacks)
    }

    static let open = [
        Fault(
            name: "greedy to the end",
            extract: #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?<merchant>.+)'"#,
            says: "body_pattern: nothing ends the group 'merchant', so it matches whatever follows the name"),
        Fault(
            name: "words to the end",
            extract: #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?<merchant>\S+ (?: \s \S+ )*)'"#,
            says: "body_pattern: nothing ends the group 'merchant', so it matches whatever follows the name"),
        Fault(
            name: "what follows need not come",
            extract:
                #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?<merchant>[^\n]{1,60}) (?: \s on \s (?<date>\S{8}) )?'"#,
            says: "body_pattern: nothing ends the group 'merchant', so it matches whatever follows the name"),
        Fault(
            name: "lazy with nothing behind it",
            extract:
                #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?<merchant>.{1,60}?) (?: \s on \s (?<date>\S{8}) )? \b'"#,
            says:
                "body_pattern: nothing that must follow ends the lazy group 'merchant', so it matches as little as possible"
        ),
        Fault(
            name: "one alternative of two",
            extract:
                #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?: (?<merchant>.{1,60}?) \s on | (?<merchant>\S+) )'"#,
            says: "body_pattern: nothing ends the group 'merchant', so it matches whatever follows the name"),
        Fault(
            name: "a pattern of its own",
            extract: "  body_pattern: 'Rs\\.(?<amount>\\d+) \\s spent'\n  merchant_regex: '\\s at \\s (?<merchant>.*)'",
            says: "merchant_regex: nothing ends the group 'merchant', so it matches whatever follows the name"),
    ]

    @Test(arguments: open) func aCaptureWithoutAnEndIsFound(fault: Fault) throws {
        let found = try Self.findings(["bank/spend.yaml": Self.template(fault.extract)])
        #expect(found.map(\.message) == [fault.says])
        #expect(
            found.first?.line == (fault.extract.contains("merchant_regex") ? 5 : 4)
                && found.first?.remedy.hasPrefix("Write the bank's next words behind it") == true)
    }

    @Test(arguments: [
        #"(?<merchant>.+) \s on \s (?<date>\S{8})"#, #"(?<merchant>.{1,60}?) \s on \s (?<date>\S{8})"#,
        #"(?<merchant>.+) $"#, #"(?<merchant>.+) (?= \s on )"#,
        #"(?<merchant>.+?) (?: \s on \b | \z )"#, #"(?<merchant>\w{4}) "#, #"(?<merchant>[A-Z]+ \s [A-Z]+)"#,
        #"(?: (?<merchant>.{1,60}?) \s on )?"#,
    ]) func boundedCaptureIsNotReported(rest: String) throws {
        let fences = try Self.findings([
            "bank/spend.yaml": Self.template("  body_pattern: 'Rs\\.(?<amount>\\d+) \\s spent \\s at \\s \(rest)'")
        ])
        #expect(fences.filter { $0.message.contains("group") }.isEmpty, "\(fences)")
    }

    static let good =
        #"  body_pattern: 'Rs\.(?<amount>\d+) \s spent \s at \s (?<merchant>.{1,60}?) \s on \s (?<date>\S{8})'"#

    @Test func aProvenTemplateHasNoFinding() throws {
        #expect(try Self.findings(["bank/spend.yaml": Self.template(Self.good)], attacks: true).isEmpty)
    }

    @Test func shadowedTemplateIsReported() throws {
        let rival =
            "template: bank/rival\nkind: transaction\nextract:\n" + #"  body_pattern: '(?<amount>\d+) \s spent'"#
            + "\n  type: expense\n  channel: card\n" + """
                samples:
                  - name: somewhere else
                    text: Rs.7 spent in a shop
                    expect: { amount: '7' }
                  - name: a refund
                    text: Rs.5 refunded by HILL COFFEE on 05-01-26
                    expect: none

                """
        let found = try Self.findings(["bank/spend.yaml": Self.template(Self.good), "bank/rival.yaml": rival])
        #expect(
            found.map { "\($0.template): \($0.message)" } == [
                "bank/spend: can never win: bank/rival claims every one of its samples too"
            ])
    }

    @Test func claimConflictNamesBothTemplates() throws {
        let more =
            "  - name: two\n    text: Rs.5 spent at B on 05-01-26. Rs.8 paid\n    expect: { amount: '5', merchant: B, date: 2026-01-05 }\n"
        let paid =
            "template: bank/paid\nkind: transaction\nextract:\n" + #"  body_pattern: 'Rs\.(?<amount>\d+) \s paid'"#
            + "\n  type: expense\n  channel: upi\n" + """
                samples:
                  - name: paid
                    text: Rs.7 paid
                    expect: { amount: '7' }
                  - name: a spend and a payment that is another's
                    text: Rs.5 spent at C on 05-01-26. Rs.8 paid
                    expect: none

                """
        let found = try Self.findings(["bank/spend.yaml": Self.template(Self.good) + more, "bank/paid.yaml": paid])
        #expect(
            found.map { "\($0.line ?? 0): \($0.message)" } == [
                "11: sample 'a spend and a payment that is another's' is contested: bank/paid and bank/spend claim it",
                "14: sample 'two' is contested: bank/spend and bank/paid claim it",
            ])
    }

    @Test func sampleWithoutExpectationsIsReported() throws {
        let more = "  - name: new\n    text: Rs.5 spent at B on 05-01-26\n"
        let found = try Self.findings(["bank/spend.yaml": Self.template(Self.good) + more])
        #expect(found.map(\.message) == ["sample 'new' has no 'expect:'"] && found.first?.line == 14)
    }
}

extension LintTests {
    @Test func unusedGroupsAreRefusedAtLoad() throws {
        func load(_ groups: Int) throws {
            let pattern = "Rs\\.(?<amount>\\d+) \\s spent" + String(repeating: " ()", count: groups - 1)
            _ = try ProfileFolder.set(["bank/spend.yaml": Self.template("  body_pattern: '\(pattern)'")])
        }
        #expect(throws: Never.self) { try load(95) }
        let error = #expect(throws: SourceErrors.self) { try load(96) }
        #expect(
            error?.description.contains("spend.yaml:4:17: the pattern has 96 groups") == true
                && error?.description.contains("no more than 95 are read") == true, "\(String(describing: error))")
    }
}

@Suite struct BacktrackingTests {
    static func pattern(_ rest: String) -> String {
        LintTests.template("  body_pattern: 'Rs\\.(?<amount>\\d+) \\s spent \\s at \\s \(rest)'")
    }

    @Test(arguments: [
        (#"(?<merchant>(?: \w+ \s? )+ ) on \s (?<date>\S{8})"#, "match"),
        (#"(?: \S{1,20} ){1,30} (?<merchant>x) "#, "match"),
        (#"(?<merchant>(?: [A-Z]* | \s* )+ ) \s on \b"#, "match"),
    ]) func repeatedRepetitionIsRefusedAtLoadWithTheTextThatBreaksIt(rest: String, limit: String) throws {
        let error = #expect(throws: SourceErrorsText.self) { try loading(["bank/spend.yaml": Self.pattern(rest)]) }
        let text = error?.description ?? ""
        #expect(text.contains("spend.yaml:4:17: the pattern hits the \(limit) limit of 1000000 on "), "\(text)")
        #expect(
            text.contains(" bytes of hostile text: \"") && text.contains(" times \"")
                && text.contains("Bound repetitions"), "\(text)")
    }

    /// Loads, and rethrows what is wrong as text.
    private func loading(_ files: [String: String]) throws {
        do { _ = try ProfileFolder.set(files) } catch { throw SourceErrorsText(description: "\(error)") }
    }
    struct SourceErrorsText: Error, CustomStringConvertible { var description: String }

    @Test(arguments: [
        (
            #"(?<merchant>.{1,60}?) (?: [^.]* \b on ){3} \s (?<date>\S{8})"#,
            "body_pattern hits the match limit of 1000000 on "
        ),
        (
            #"[\s\S]* \s [\s\S]* \s on \s [\s\S]* (?<merchant>\w{4}) \s zz"#,
            "body_pattern hits the match limit of 1000000 on "
        ),
        (#"(?<merchant>.{1,60}?) (?: \s \S+ )+ \s zz"#, "body_pattern hits the depth limit of 20000 on "),
    ]) func costThatGrowsTooFastIsAFindingOfLint(rest: String, says: String) throws {
        let found = try LintTests.findings(["bank/spend.yaml": Self.pattern(rest)], attacks: true).filter {
            $0.message.contains("hostile text")
        }
        #expect(found.count == 1 && found.first?.message.hasPrefix(says) == true && found.first?.line == 4, "\(found)")
    }

    @Test(arguments: [
        #"(?<merchant>.{1,60}?) \s on \s (?<date>\S{8})"#, #"(?: \w++ \s )++ (?<merchant>.{1,60}?) \s on"#,
        #"(?: [^\n]{0,80} \n ){0,5} (?<merchant>.{1,60}?) \s on \b"#,
    ]) func boundedPatternsPass(rest: String) throws {
        let found = try LintTests.findings(["bank/spend.yaml": Self.pattern(rest)], attacks: true).filter {
            $0.message.contains("hostile text")
        }
        #expect(found.isEmpty, "\(found)")
    }
}
