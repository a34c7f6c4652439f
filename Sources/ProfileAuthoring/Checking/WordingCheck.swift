import PCRE2
import Profiles

extension WordingPattern {
    /// The results of the samples, in the form of those of templates.
    func check() -> [SampleResult] {
        samples.enumerated().map { index, sample in
            let bank = String(name.prefix { $0 != "/" })
            var result = SampleResult(
                bank: bank, template: name, sample: sample.text, path: path, line: sample.line, index: index,
                expected: sample.isPositive ? .fields([:]) : .none)
            let clock = ContinuousClock()
            result.time = clock.measure { result.differences = differences(sample) }
            return result
        }
    }

    private func differences(_ sample: Sample) -> [SampleResult.Difference] {
        func difference(_ got: String?) -> [SampleResult.Difference] {
            [SampleResult.Difference(field: "match", got: got, expected: sample.isPositive ? "a match" : "none")]
        }
        guard let matcher = Matcher() else { return difference("out of memory") }
        let text = Array(sample.text.utf8)
        let isMatched: Bool
        do throws(MatchError) { isMatched = try matcher.firstMatch(of: pattern, in: text) } catch {
            return difference(error.description)
        }
        guard isMatched == sample.isPositive else { return difference(isMatched ? "a match" : "none") }
        guard case .groups(let expected) = sample.expectation else { return [] }
        return expected.sorted { $0.key < $1.key }.compactMap { name, text in
            let span = pattern.groups.first { $0.name == name }.flatMap { matcher.range(of: $0) }
            let got = span.map { String(decoding: Array(sample.text.utf8)[$0], as: UTF8.self) }
            return got == text ? nil : SampleResult.Difference(field: name, got: got, expected: text)
        }
    }

    /// Findings about its samples, as for templates: samples of both kinds must exist.
    func findings() -> [LintFinding] {
        func finding(_ message: String, _ remedy: String) -> LintFinding {
            LintFinding(template: name, path: path, line: line, message: message, remedy: remedy)
        }
        var found: [LintFinding] = []
        if !samples.contains(where: \.isPositive) {
            found.append(
                finding("no sample shows what it matches", "Add one with 'expect: match' or the groups it reads."))
        }
        if samples.allSatisfy(\.isPositive) {
            found.append(
                finding("no sample shows what it must not match", "Add the nearest other text with 'expect: none'."))
        }
        return found
    }

    /// The finding about hostile text that stalls the pattern.
    func attackFindings() -> [LintFinding] {
        guard readsWholeText, let check = Backtracking(),
            let fault = check.fault(of: pattern, samples: samples.map { Array($0.text.utf8) })
        else { return [] }
        return [
            LintFinding(
                template: name, path: path, line: line, message: "the pattern \(fault.description)",
                remedy: Backtracking.remedy)
        ]
    }
}

extension WordingPattern.Sample {
    fileprivate var isPositive: Bool { if case .none = expectation { false } else { true } }
}
