import Testing

@testable import PCRE2

@Suite struct PatternTests {
    func match(_ source: String, _ text: String) throws -> [String: String]? {
        let pattern = try Pattern(source)
        let matcher = try #require(Matcher())
        let bytes = Array(text.utf8)
        guard try matcher.firstMatch(of: pattern, in: bytes) else { return nil }
        var found: [String: String] = [:]
        for group in pattern.groups {
            if let range = matcher.range(of: group) {
                found[group.name] = String(decoding: bytes[range], as: UTF8.self)
            }
        }
        return found
    }

    @Test func namedGroupsGiveByteRanges() throws {
        #expect(
            try match(#"₹(?<amount>\d+) at (?<merchant>.+)\."#, "spent ₹40 at CAFÉ NOIR.") == [
                "amount": "40", "merchant": "CAFÉ NOIR",
            ])
    }

    @Test func alternativesMayShareAName() throws {
        let source = #"(?:paid (?<amount>\d+)|(?<amount>\d+) paid)"#
        #expect(try match(source, "7 paid") == ["amount": "7"])
        #expect(try match(source, "paid 8") == ["amount": "8"])
    }

    @Test func definedPiecesAreReused() throws {
        #expect(
            try match(#"(?x)(?(DEFINE)(?<number>\d+))(?<amount>(?&number))-(?&number)"#, "12-34") == ["amount": "12"])
    }

    @Test func missingMatchIsNotAnError() throws {
        #expect(try match("a+b", "ccc") == nil)
        #expect(try match("a", "") == nil)
    }

    @Test func anUnmatchedGroupHasNoRange() throws {
        #expect(try match("(?<date>x)?(?<time>y)", "y") == ["time": "y"])
    }

    @Test func patternErrorGivesItsPosition() throws {
        let error = #expect(throws: PatternError.self) { try Pattern("ab(c") }
        #expect(error?.offset == 4)
        #expect(error?.description.contains("parenthesis") == true)
    }

    @Test func aTextThatNeedsTooMuchBacktrackingHitsTheLimit() throws {
        let pattern = try Pattern("(?:a+)+[bc]")
        let matcher = try #require(Matcher())
        let error = #expect(throws: MatchError.self) {
            try matcher.firstMatch(of: pattern, in: Array(repeating: UInt8(ascii: "a"), count: 4000))
        }
        #expect(error?.limit == .match)
    }

    /// A translation costs more than some matches by the interpreter.
    @Test(arguments: [(1, true), (Pattern.interpretedMatches, true), (Pattern.interpretedMatches + 1, false)])
    func frequentPatternIsTranslated(matches: Int, isLeft: Bool) throws {
        let pattern = try Pattern("b+")
        let matcher = try #require(Matcher())
        for _ in 0..<matches {
            #expect(try matcher.firstMatch(of: pattern, in: Array("abb".utf8)) && matcher.range(of: 0) == 1..<3)
        }
        #expect(pattern.translate() == isLeft)
    }

    /// The interpreter reaches the limits sooner.
    @Test func patternIsTranslatedBeforeALimitCounts() throws {
        let pattern = try Pattern("(?:a+)+[bc]")
        let matcher = try #require(Matcher())
        #expect(throws: MatchError.self) {
            try matcher.firstMatch(of: pattern, in: Array(repeating: UInt8(ascii: "a"), count: 4000))
        }
        #expect(!pattern.translate())
    }

    @Test func matcherIsReusableAfterALimit() throws {
        let matcher = try #require(Matcher())
        _ = try? matcher.firstMatch(
            of: try Pattern("(?:a+)+[bc]"), in: Array(repeating: UInt8(ascii: "a"), count: 4000))
        #expect(matcher.range(of: 0) == nil)
        #expect(try matcher.firstMatch(of: try Pattern("b"), in: Array("ab".utf8)))
        #expect(matcher.range(of: 0) == 1..<2)
    }

    @Test func traceReportsTheProgressOfAPattern() throws {
        let text = Array("Rs 500 debited from card".utf8)
        let trace = try #require(Matcher.trace(try Pattern(#"Rs \d+ debited from account"#, tracing: true), in: text))
        #expect(String(decoding: text[..<trace.textOffset], as: UTF8.self) == "Rs 500 debited from ")
        #expect(Matcher.trace(try Pattern("zzz", tracing: true), in: text) == nil)
    }

    @Test(arguments: [-1, 6, .max]) func anOffsetOutsideTheTextMatchesNothing(offset: Int) throws {
        let matcher = try #require(Matcher())
        #expect(try !matcher.firstMatch(of: try Pattern("a*"), in: Array("aaaaa".utf8), from: offset))
    }
}
