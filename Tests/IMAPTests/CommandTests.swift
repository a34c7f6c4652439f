import Chronology
import ChronologyFixture
import Testing

@testable import IMAP

/// Each command with every kind of response: the result, whether the session is over, and the error.
@Suite struct CommandTests {
    /// Responses that end the session, whatever the command was.
    static let ends: [(name: String, answer: [Step], error: String)] = [
        ("BYE", [.s("* BYE go away")], "error bye mailbox later"),
        ("BYE in small letters", [.s("* bye")], "error bye mailbox later"),
        ("silence", [.silence], "error timedOut mailbox now"), ("closed", [], "error closed mailbox now"),
        ("half a line, then silence", [.raw(Array("* OK wai".utf8)), .silence], "error timedOut mailbox now"),
        (
            "silence within a literal", [.raw(Array("* X-NEWS (a {40}\r\nb".utf8)), .silence],
            "error timedOut mailbox now"
        ),
        ("silence behind noise", [.s("* OK Still here"), .silence], "error timedOut mailbox now"),
        ("noise", [.raw([0, 0x7F, 0x20, 0x7B, 0x7B, 0x28, 0xFF, 0x0D, 0x0A])], "error malformed mailbox later"),
        ("a web page", [.s("HTTP/1.1 400 Bad Request")], "error malformed mailbox later"),
        ("an empty line", [.s("")], "error malformed mailbox later"),
        ("neither OK nor NO", [.s("% MAYBE done")], "error malformed mailbox later"),
        ("a later command's answer", [.s("S99 OK done")], "error malformed mailbox later"),
        ("another program's answer", [.s("A1 OK done")], "error malformed mailbox later"),
        ("a literal beyond all bounds", [.s("* X-NEWS {99999999999}")], "error limit mailbox later"),
    ]

    @Test(arguments: spokenCommands, ends.map(\.name)) func theSessionIsOver(spoken: Spoken, name: String) throws {
        let end = try #require(Self.ends.first { $0.name == name })
        // Results delivered before stay.
        let before = spoken.good.lines.filter {
            ($0.hasPrefix("mail 1") || $0.hasPrefix("done 1")) && spoken.testDescription.contains("whole")
        }
        try expect(spoken.answered(name, end.answer, .init(lines: before + [end.error])))
    }

    @Test(arguments: spokenCommands) func theSessionSurvivesARefusal(spoken: Spoken) throws {
        try expect(spoken.answered("NO", [.s("% NO not now")], spoken.no))
        try expect(spoken.answered("no", [.s("% no")], spoken.no))
        try expect(spoken.answered("BAD", [.s("% BAD what")], spoken.bad))
        try expect(
            spoken.answered(
                "NO [UNAVAILABLE]", [.s("% NO [UNAVAILABLE] Backend down")], spoken.unavailable ?? spoken.no))
        try expect(spoken.answered("NO [INUSE]", [.s("% NO [INUSE] busy")], spoken.unavailable ?? spoken.no))
    }

    private func expect(_ scenario: Scenario, _ location: SourceLocation = #_sourceLocation) throws {
        let (lines, script) = try scenario.play()
        #expect(lines == scenario.expect, "\(scenario.name)", sourceLocation: location)
        #expect(script.problem == nil, "\(scenario.name)", sourceLocation: location)
        #expect(script.isPlayed, "\(scenario.name): a step was left", sourceLocation: location)
    }

    /// LOGOUT has no result; its response is awaited once, and it is never sent twice.
    @Test(arguments: ends.map(\.name) + ["OK", "NO", "BAD"]) func logoutNeverFails(name: String) throws {
        let answers =
            Self.ends.map { ($0.name, $0.answer) } + ["OK", "NO", "BAD"].map { ($0, [Step.s("% \($0) done")]) }
        let answer = try #require(answers.first { $0.0 == name }).1.map { step in
            if case .s(let line) = step { return Step.s(line.replacing("%", with: "S2")) }
            return step
        }
        let script = Script([.c("S1 NOOP"), .s("S1 OK done"), .c("S2 LOGOUT")] + answer)
        var session = try Session(over: ScriptedStream(script: script, capabilities: Capabilities()))
        try session.noop()
        session.logout()
        #expect(script.problem == nil && script.isPlayed)
    }

    // MARK: Unsolicited responses

    /// Responses that a server may send at any time, and that change nothing.
    static let asides = [
        "* 0 RECENT", "* OK [ALERT] Please read {9}", "* OK Still here", "* NO [X-NEWS] a warning", "* BAD a mistake",
        "* FLAGS (\\Seen \\Draft)", "* OK [PERMANENTFLAGS ()] x",
        "* X-NEWS (1 \"two\" {5}\r\nthree NIL)", "* VANISHED (EARLIER) 9000:9001", "* BYEBYE now", "* 7 BYE",
        "* METADATA \"\" /shared/x", "* PREAUTH hello", "* ENABLED",
        "* 1 FETCH (FLAGS (\\Seen))", "* 1 FETCH (UID 9000 FLAGS (\\Seen) MODSEQ (12))", "* 1 FETCH (UID 9000)",
    ]

    private static func inserting(_ line: String, before index: Int, in scenario: Scenario) -> Scenario {
        var changed = scenario
        changed.script.insert(.s(line), at: index)
        return changed
    }

    /// The places before whole lines of the server.
    private static func places(_ scenario: Scenario) -> [Int] {
        scenario.script.indices.filter { index in
            guard case .s = scenario.script[index] else { return false }
            if index > 0, case .raw = scenario.script[index - 1] { return false }
            return true
        }
    }

    @Test(arguments: scenarios) func unsolicitedResponsesChangeNothing(scenario: Scenario) throws {
        // These count unsolicited responses.
        let counts =
            scenario.name == "unsolicited responses in the middle" || scenario.name.hasPrefix("never requested")
        for aside in Self.asides where !counts || !aside.contains("FETCH") {
            for index in Self.places(scenario) {
                let lines = try Self.inserting(aside, before: index, in: scenario).play().lines
                if lines != scenario.expect { Issue.record("\(aside) before step \(index): \(lines)") }
            }
        }
    }

    /// New mail is announced within the response to any command: the result is the same, and the next wait returns at
    /// once.
    @Test(
        arguments: spokenCommands,
        ["* 50 EXISTS", "* 50 EXISTS\r\n* 50 EXPUNGE\r\n* 3 EXPUNGE", "* 2 EXPUNGE\r\n* 50 EXISTS\r\n* 1 RECENT"])
    func mailIsAnnouncedInAnyResponse(spoken: Spoken, news: String) throws {
        let whole = spoken.whole
        for index in Self.places(whole) where index >= spoken.asked.count {
            var scenario = Self.inserting(news, before: index, in: whole)
            // EXAMINE requests EXISTS.
            if spoken.testDescription == "EXAMINE" {
                #expect(try scenario.play().lines.last == "alive")
                continue
            }
            let run = scenario.run
            scenario.run = { session, log in
                try run(&session, log)
                log.add("changed \(session.changed)")
                log.add("\(try session.waitForChange(poll: .seconds(60)))")
            }
            let lines = try scenario.play().lines
            #expect(lines == whole.expect + ["changed true", "changed"], "before step \(index)")
        }
    }
}
